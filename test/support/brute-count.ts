import { DAY_MS } from '@docent/base/time';
import type { Range } from '../../src/analytics/events/days.ts';

/** An event as a test knows it. */
export interface KnownEvent {
  id: string;
  time: number;
  path: string;
  visitor: string;
  class: string;
  agent?: string | null;
  verified?: boolean | null;
  referrer?: string | null;
  notFound?: boolean;
}

export interface Row {
  path: string;
  human: number;
  ai: number;
  total: number;
}

interface Mapping {
  human: readonly string[];
  ai: readonly string[];
}

const DEFAULT: Mapping = { human: ['human'], ai: ['assistant'] };

/** Each id once a UTC day, the first that came. */
export function withoutRepeats<T extends KnownEvent>(events: readonly T[]): T[] {
  const seen = new Set<string>();
  return events.filter((event) => {
    const key = `${Math.floor(event.time / DAY_MS)} ${event.id}`;
    return !seen.has(key) && seen.add(key);
  });
}

/** Distinct visitors, or all views. */
const size = (visitors: readonly string[], measure: 'visitors' | 'views') =>
  measure === 'visitors' ? new Set(visitors).size : visitors.length;

function inRange(events: readonly KnownEvent[], range: Range, notFound = false): KnownEvent[] {
  return withoutRepeats(events).filter(
    (event) =>
      event.time >= (range.from ?? -Infinity) &&
      event.time < (range.to ?? Infinity) &&
      (event.notFound ?? false) === notFound,
  );
}

/** The export as a person would count it with a pencil: '' is the site, rows in the order of the listing. */
export function bruteCount(
  events: readonly KnownEvent[],
  measure: 'visitors' | 'views',
  range: Range,
  { human, ai }: Mapping = DEFAULT,
): Row[] {
  const sets = new Map<string, Record<'human' | 'ai' | 'total', string[]>>();
  for (const event of inRange(events, range)) {
    const kinds = (['human', 'ai'] as const).filter((kind) => ({ human, ai })[kind].includes(event.class));
    if (kinds.length === 0) continue;
    for (const path of ['', event.path]) {
      const lists = sets.get(path) ?? { human: [], ai: [], total: [] };
      sets.set(path, lists);
      for (const kind of [...kinds, 'total'] as const) lists[kind].push(event.visitor);
    }
  }
  return [...sets]
    .map(([path, lists]) => ({
      path,
      human: size(lists.human, measure),
      ai: size(lists.ai, measure),
      total: size(lists.total, measure),
    }))
    .toSorted(
      (a, b) => Number(b.path === '') - Number(a.path === '') || b.total - a.total || (a.path < b.path ? -1 : 1),
    );
}

/** Unique visitors of a page with these addresses, and how often they found nothing. */
export function brutePage(
  events: readonly KnownEvent[],
  addresses: readonly string[],
  range: Range,
  { human, ai }: Mapping = DEFAULT,
) {
  const isAsked = ({ path }: KnownEvent) => addresses.includes(path);
  const visitors = (classes: readonly string[]) =>
    size(
      inRange(events, range)
        .filter((event) => isAsked(event) && classes.includes(event.class))
        .map(({ visitor }) => visitor),
      'visitors',
    );
  return {
    human: visitors(human),
    ai: visitors(ai),
    notFound: inRange(events, range, true).filter((event) => isAsked(event)).length,
  };
}

const readers = (events: readonly KnownEvent[]) => ({
  visitors: new Set(events.map(({ visitor }) => visitor)).size,
  views: events.length,
});

/**
 * Visitors and views of each agent, including by what became of the check of their claim, and of each class
 * that is not human as a whole. In no order.
 */
export function bruteAgents(events: readonly KnownEvent[], range: Range) {
  const seen = inRange(events, range);
  const named = seen.filter(({ agent }) => agent);
  const machines = seen.filter((event) => event.class !== 'human');
  return {
    agents: [...Map.groupBy(named, (each) => JSON.stringify([each.agent, each.class])).values()].map((group) => ({
      agent: group[0]!.agent!,
      class: group[0]!.class,
      ...readers(group),
      verified: readers(group.filter(({ verified }) => verified === true)),
      failed: readers(group.filter(({ verified }) => verified === false)),
      unknown: readers(group.filter(({ verified }) => typeof verified !== 'boolean')),
    })),
    classes: [...Map.groupBy(machines, (each) => each.class)].map(([name, group]) => ({
      class: name,
      ...readers(group),
    })),
  };
}

/** Hosts that readers who count came from, most visitors first; '' for those who came from none. */
export function bruteReferrers(events: readonly KnownEvent[], range: Range, { human, ai }: Mapping = DEFAULT) {
  const seen = inRange(events, range).filter((event) => [...human, ...ai].includes(event.class));
  const came = seen.filter(({ referrer }) => referrer);
  const sent = new Set(came.map(({ visitor }) => visitor));
  const direct = seen.filter(({ visitor }) => !sent.has(visitor));
  return [...Map.groupBy([...came, ...direct], ({ referrer }) => referrer ?? '')]
    .map(([host, group]) => ({
      host,
      visitors: new Set(group.map(({ visitor }) => visitor)).size,
      views: group.length,
    }))
    .toSorted((a, b) => b.visitors - a.visitors || (a.host < b.host ? -1 : 1));
}

/** Broken links, the most often asked for first, with the host that sent most there. */
export function bruteNotFound(events: readonly KnownEvent[], range: Range) {
  return [...Map.groupBy(inRange(events, range, true), ({ path }) => path)]
    .map(([path, group]) => {
      const hosts = [
        ...Map.groupBy(
          group.filter(({ referrer }) => referrer),
          ({ referrer }) => referrer as string,
        ),
      ];
      const [most] = hosts.toSorted(([a, x], [b, y]) => y.length - x.length || (a > b ? -1 : 1));
      return {
        path,
        count: group.length,
        referrer: most?.[0] ?? null,
        lastSeen: new Date(Math.max(...group.map(({ time }) => time))),
      };
    })
    .toSorted((a, b) => b.count - a.count || (a.path < b.path ? -1 : 1));
}
