import { DAY_MS, type Range } from '../../src/analytics/days.ts';

/** An event as a test knows it. */
export interface KnownEvent {
  id: string;
  time: number;
  path: string;
  visitor: string;
  class: string;
}

interface Row {
  path: string;
  human: number;
  ai: number;
  total: number;
}

/** Each id once a UTC day, the first that came. */
export function withoutRepeats<T extends KnownEvent>(events: readonly T[]): T[] {
  const seen = new Set<string>();
  return events.filter((event) => {
    const key = `${Math.floor(event.time / DAY_MS)} ${event.id}`;
    return !seen.has(key) && seen.add(key);
  });
}

/** The export as a person would count it with a pencil: '' is the site, rows in the order of the listing. */
export function bruteCount(events: readonly KnownEvent[], measure: 'visitors' | 'views', range: Range): Row[] {
  const sets = new Map<string, Record<'human' | 'ai' | 'total', unknown[]>>();
  for (const event of withoutRepeats(events)) {
    if (event.time < (range.from ?? -Infinity) || event.time >= (range.to ?? Infinity)) continue;
    if (event.class !== 'human' && event.class !== 'assistant') continue;
    for (const path of ['', event.path]) {
      const lists = sets.get(path) ?? { human: [], ai: [], total: [] };
      sets.set(path, lists);
      lists[event.class === 'human' ? 'human' : 'ai'].push(event.visitor);
      lists.total.push(event.visitor);
    }
  }
  const size = (list: unknown[]) => (measure === 'visitors' ? new Set(list).size : list.length);
  return [...sets]
    .map(([path, { human, ai, total }]) => ({ path, human: size(human), ai: size(ai), total: size(total) }))
    .toSorted(
      (a, b) => Number(b.path === '') - Number(a.path === '') || b.total - a.total || (a.path < b.path ? -1 : 1),
    );
}
