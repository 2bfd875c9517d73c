import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY_MS } from '@docent/base/time';
import { dayOf, type Range } from '../../src/analytics/events/days.ts';
import { compactProject } from '../../src/analytics/maintenance/compact.ts';
import { dropBefore, eraseVisitor } from '../../src/analytics/maintenance/erase.ts';
import { mergeProject } from '../../src/analytics/maintenance/merge.ts';
import { makeIndexes } from '../../src/analytics/counts/make-indexes.ts';
import type { Ingestor } from '../../src/analytics/ingest/ingestor.ts';
import { maintain } from '../../src/analytics/maintenance/maintain.ts';
import { bruteForce } from '../../src/analytics/query/brute-force.ts';
import type { Page, Whole } from '../../src/analytics/query/counts.ts';
import type { Narrowing } from '../../src/analytics/query/narrowed.ts';
import { windowsAround } from '../../src/analytics/query/page-effect.ts';
import type { PinnedVersion } from '../../src/analytics/query/pinned-version.ts';
import { rebuildProject } from '../../src/analytics/maintenance/rebuild.ts';
import { VISITOR_CLASSES } from '@docent/access-log/event-kind';
import { SALT_POLICIES, type SaltPolicy } from '../../src/config/project-settings.ts';
import type { SettingsChange } from '../../src/store/projects/project-settings.ts';
import { updateProject } from '../../src/store/projects/projects.ts';
import { analyticsBench, type AnalyticsBench } from '../support/analytics.ts';
import { AnalyticsModel, type SentEvent } from '../support/analytics-model.ts';
import {
  bruteAgents,
  bruteCount,
  bruteNotFound,
  brutePage,
  bruteReferrers,
  withoutRepeats,
} from '../support/brute-count.ts';
import { breakDuck } from '../support/break-duck.ts';
import { times } from '../support/how-often.ts';

/** Noon of a day after a leap day, which is the first of a month; and of today. */
const STARTS = [Date.UTC(2024, 2, 1, 12), Math.floor(Date.now() / DAY_MS) * DAY_MS + DAY_MS / 2];
/**
 * The day of the start, and days around it: within and beyond the week in which late events are taken, and to
 * come.
 */
const DAYS = [-32, -9, -8, -7, -2, -1, 0, 1, 2];

let bench: AnalyticsBench;
let writers: Ingestor[];
let now = 0;

beforeAll(async () => {
  bench = await analyticsBench();
  const options = { rememberedIds: 0, projectCacheMs: 0, now: () => now };
  writers = [await bench.ingestor(options), await bench.ingestor(options)];
});
afterAll(() => bench.close());

/** Of a day, in milliseconds. */
const MOMENTS = fc.constantFrom(0, 1, 3_600_000, 43_200_000, DAY_MS - 1);
/** Relative to the midnight before the start. */
const instant = fc.tuple(fc.constantFrom(...DAYS), MOMENTS).map(([day, ms]) => day * DAY_MS + ms);

const VISITORS = ['v1', 'v2', 'v3', 'v4', 'v5', 'v6'];

/** Addresses that OpenAI and Anthropic publish, one of no operator, and none. */
const CLIENTS = [
  { ip: { 'ChatGPT-User': '104.208.184.193', 'Claude-User': '216.73.216.9' }, verified: true },
  { ip: { 'ChatGPT-User': '216.73.216.9', 'Claude-User': '2001:db8::1' }, verified: false },
  { ip: null, verified: null },
];

const event: fc.Arbitrary<SentEvent> = fc
  .record({
    id: fc.nat(60).map(String),
    time: instant,
    path: fc.constantFrom('/', '/a', '/b', '/ä', '/z/“q”'),
    visitor: fc.constantFrom(...VISITORS),
    referrer: fc.constantFrom(null, null, 'one.example.com', 'two.example.com'),
    notFound: fc.constantFrom(false, false, false, true),
    who: fc.oneof(
      fc.constantFrom(...VISITOR_CLASSES).map((visitorClass) => ({ class: visitorClass as string, agent: null })),
      fc
        .record({ userAgent: fc.constantFrom('ChatGPT-User', 'Claude-User'), client: fc.constantFrom(...CLIENTS) })
        .map(({ userAgent, client: { ip, verified } }) => ({
          userAgent,
          agent: userAgent,
          class: (verified === false ? 'other' : 'assistant') as string,
          verified,
          ...(ip && { ip: ip[userAgent] }),
        })),
    ),
  })
  .map(({ who, ...rest }) => ({ ...rest, ...who }));

/** Mostly instants at which events that are taken may happen: a border counts where something is on it. */
const border = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(fc.constantFrom(-2, -1, 0), MOMENTS).map(([day, ms]) => day * DAY_MS + ms) },
  { weight: 1, arbitrary: instant },
);
const range: fc.Arbitrary<Range> = fc
  .tuple(fc.option(border), fc.option(border))
  .map(([a, b]) => (a !== null && b !== null && a > b ? { from: b, to: a } : { from: a, to: b }));

const mapping = fc
  .array(fc.constantFrom('human', 'ai', null), { minLength: VISITOR_CLASSES.length, maxLength: VISITOR_CLASSES.length })
  .map((sides) => ({
    human: VISITOR_CLASSES.filter((_, i) => sides[i] === 'human'),
    ai: VISITOR_CLASSES.filter((_, i) => sides[i] === 'ai'),
  }));

/** The addresses of pages, some of which moved. */
const PAGES = [['/a', '/b'], ['/ä'], ['/nowhere'], ['/z/“q”', '/', '/nowhere']];

const NARROWINGS: Narrowing[] = [
  { path: '/a' },
  { agent: 'ChatGPT-User' },
  { referrer: 'one.example.com' },
  { path: '/b', referrer: 'two.example.com' },
  { path: '/a', agent: 'Claude-User' },
];

type CountedAgents = ReturnType<typeof bruteAgents>;
const byName = (row: { agent?: string; class: string }) => `${row.agent} ${row.class}`;
const inOrder = ({ agents, classes }: CountedAgents) => ({
  agents: agents.toSorted((a, b) => (byName(a) < byName(b) ? -1 : 1)),
  classes: classes.toSorted((a, b) => (byName(a) < byName(b) ? -1 : 1)),
});
const compareAgents = (counted: CountedAgents, expected: CountedAgents) =>
  expect(inOrder(counted)).toEqual(inOrder(expected));

/** A later classifier's results. */
const classOf = (userAgent: string | null) => (userAgent === 'Claude-User' ? ('search' as const) : ('human' as const));

const does = <Name extends string>(name: Name) => fc.constant(name);
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: does('send'),
      writer: fc.nat(1),
      events: fc.array(event, { minLength: 1, maxLength: 12 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: does('seal'), writer: fc.nat(1) }) },
  { weight: 1, arbitrary: fc.record({ do: does('merge') }) },
  { weight: 1, arbitrary: fc.record({ do: does('compact') }) },
  { weight: 2, arbitrary: fc.record({ do: does('maintenance') }) },
  { weight: 1, arbitrary: fc.record({ do: does('drop'), day: fc.constantFrom(...DAYS) }) },
  { weight: 1, arbitrary: fc.record({ do: does('erase'), visitor: fc.constantFrom(...VISITORS) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: does('rebuild'), move: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ do: does('break') }) },
  { weight: 2, arbitrary: fc.record({ do: does('wait'), days: fc.constantFrom(1, 1, 3, 8) }) },
  { weight: 1, arbitrary: fc.record({ do: does('map'), mapping }) },
  { weight: 1, arbitrary: fc.record({ do: does('salt'), policy: fc.constantFrom(...SALT_POLICIES) }) },
  { weight: 1, arbitrary: fc.record({ do: does('keep'), days: fc.constantFrom(null, 1, 8, 31, 0) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** A project and a model of its data. */
class Run {
  readonly #project: string;
  readonly #ranges: readonly Range[];
  readonly #model: AnalyticsModel;
  readonly #midnight: number;
  #compared = 0;

  constructor(project: string, start: number, ranges: readonly Range[]) {
    now = start;
    this.#project = project;
    this.#midnight = Math.floor(start / DAY_MS) * DAY_MS;
    const shift = (time: number | null) => time && time + this.#midnight;
    this.#ranges = ranges.map(({ from, to }) => ({ from: shift(from), to: shift(to) }));
    this.#model = new AnalyticsModel(() => now);
  }

  async set(settings: SettingsChange) {
    return bench.database.db.transaction((tx) => updateProject(tx, this.#project, { settings }, { now }));
  }

  async setPolicy(policy: SaltPolicy): Promise<void> {
    const { settings } = await this.set({ analyticsSaltPolicy: policy });
    this.#model.set({ salts: settings.analyticsSalts! });
  }

  async take(next: Step): Promise<void> {
    const project = this.#project;
    const model = this.#model;
    switch (next.do) {
      case 'send': {
        const events = next.events.map((each) => ({ ...each, time: each.time + this.#midnight }));
        const { rejected } = await writers[next.writer]!.ingest(
          project,
          events.map(({ time, visitor, class: visitorClass, ...rest }) => ({
            ...rest,
            timestamp: time,
            visitorId: visitor,
            ...(rest.userAgent ? {} : { class: visitorClass }),
          })),
        );
        expect(rejected).toHaveLength(model.send(next.writer, events));
        break;
      }
      case 'seal':
        await writers[next.writer]!.flush();
        model.seal(next.writer);
        break;
      case 'merge':
        await mergeProject(bench, project);
        break;
      case 'compact':
        await compactProject(bench, project, now);
        await makeIndexes(bench, project, dayOf(now), 1);
        break;
      case 'maintenance':
        await maintain(bench, project, { retentionDays: null, clock: { now: () => now } });
        model.maintenance();
        break;
      case 'drop': {
        const day = this.#midnight / DAY_MS + next.day;
        await dropBefore(bench, project, day);
        model.drop(day);
        break;
      }
      case 'erase':
        await eraseVisitor(bench, project, { visitorId: next.visitor });
        model.erase(next.visitor);
        break;
      case 'rebuild': {
        const moves = (page: string) => (next.move && page === '/a' ? '/b' : page);
        const classify = ({ userAgent }: { userAgent: string | null }) => ({
          class: classOf(userAgent),
          agent: null,
          version: 2,
        });
        await rebuildProject(bench, project, { rules: { classify }, moves });
        model.rebuild(classOf, moves);
        break;
      }
      case 'break':
        await breakDuck(bench.duck);
        break;
      case 'wait':
        now += next.days * DAY_MS;
        break;
      case 'map': {
        const { human, ai } = next.mapping;
        await this.set({ analyticsHumanClasses: human, analyticsAiClasses: ai });
        model.set({ mapping: next.mapping });
        break;
      }
      case 'salt':
        await this.setPolicy(next.policy);
        break;
      case 'keep':
        await this.set({ analyticsRetentionDays: next.days });
        model.set({ retentionDays: next.days || null });
        break;
    }
  }

  /** Compares every answer with a brute-force count. */
  compare(ranges = this.#ranges): Promise<void> {
    return bench.versions.use(this.#project, undefined, async (pinned) => {
      for (const asked of ranges) {
        await this.#compareAll(pinned, asked);
        await this.#compareParts(pinned, asked);
      }
    });
  }

  /** After each step one of the ranges, and one half of the answers, in turns: all cost four times as much. */
  compareSome(no: number): Promise<void> {
    const asked = this.#ranges[no % this.#ranges.length]!;
    return bench.versions.use(this.#project, undefined, (pinned) =>
      (no >> 1) % 2 === 0 ? this.#compareAll(pinned, asked) : this.#compareParts(pinned, asked),
    );
  }

  async #compareAll(pinned: PinnedVersion, asked: Range): Promise<void> {
    for (const measure of ['visitors', 'views'] as const) await this.#compareCounts(pinned, measure, asked);
    await this.#compareLists(pinned, asked);
  }

  async #compareParts(pinned: PinnedVersion, asked: Range): Promise<void> {
    await this.#compareAround(pinned, asked);
    await this.#compareNarrowed(pinned, asked, NARROWINGS[this.#compared++ % NARROWINGS.length]!);
  }

  /** Every narrowing, of all that came. */
  compareNarrowings(): Promise<void> {
    return bench.versions.use(this.#project, undefined, async (pinned) => {
      for (const narrowing of NARROWINGS) await this.#compareNarrowed(pinned, { from: null, to: null }, narrowing);
    });
  }

  async #compareCounts(pinned: PinnedVersion, measure: 'visitors' | 'views', asked: Range): Promise<void> {
    const { events, mapping: applied } = this.#model;
    const expected = bruteCount(events, measure, asked, applied);
    const { totals, ...page } = await bench.queries.byPath(pinned, measure, asked, { limit: 250, offset: 0 });
    const nothing = { human: 0, ai: 0, total: 0 };
    const { path: _, ...site } = expected[0] ?? { path: '', ...nothing };
    expect(totals).toEqual(site);
    await compareListing(
      page,
      await bench.queries.allByPath(pinned, measure, asked, signal),
      expected.filter((row) => row.path !== ''),
    );
    for (const { date, ...measures } of await bench.queries.timeseries(pinned, asked)) {
      const day = Date.parse(date);
      const within = { from: Math.max(day, asked.from ?? day), to: Math.min(day + DAY_MS, asked.to ?? Infinity) };
      const [first] = bruteCount(events, measure, within, applied);
      const { path: __, ...counts } = first ?? { path: '', ...nothing };
      expect(measures[measure]).toEqual(counts);
    }
    expect(await bruteForce(bench.folder, bench.duck, pinned, measure, asked)).toEqual(expected);
  }

  async #compareNarrowed(pinned: PinnedVersion, asked: Range, narrowing: Narrowing): Promise<void> {
    const { mapping: applied } = this.#model;
    const events = withoutRepeats(this.#model.events).filter((one) =>
      Object.entries(narrowing).every(([name, value]) => one[name as keyof Narrowing] === value),
    );
    const counted = narrowing.agent === undefined ? applied : { human: VISITOR_CLASSES, ai: [] };
    const count = (measure: 'visitors' | 'views', within: Range) => {
      const known = new Map(bruteCount(events, measure, within, applied).map((row) => [row.path, row]));
      return bruteCount(events, measure, within, counted).map(({ path, total }) => ({
        path,
        human: known.get(path)?.human ?? 0,
        ai: known.get(path)?.ai ?? 0,
        total,
      }));
    };
    const all = { limit: 250, offset: 0 };
    const nothing = { path: '', human: 0, ai: 0, total: 0 };
    const days = await bench.queries.timeseries(pinned, asked, narrowing);
    for (const measure of ['visitors', 'views'] as const) {
      const [site = nothing, ...pages] = count(measure, asked);
      const { totals, ...page } = await bench.queries.byPath(pinned, measure, asked, all, narrowing);
      expect({ path: '', ...totals }).toEqual(site);
      await compareListing(page, await bench.queries.allByPath(pinned, measure, asked, signal, narrowing), pages);
      for (const { date, ...measures } of days) {
        const day = Date.parse(date);
        const within = { from: Math.max(day, asked.from ?? day), to: Math.min(day + DAY_MS, asked.to ?? Infinity) };
        expect({ path: '', ...measures[measure] }).toEqual(count(measure, within)[0] ?? nothing);
      }
    }
    compareAgents(await bench.queries.agents(pinned, asked, narrowing), bruteAgents(events, asked));
    await compareListing(
      await bench.queries.referrers(pinned, asked, all, narrowing),
      await bench.queries.allReferrers(pinned, asked, signal, narrowing),
      bruteReferrers(events, asked, counted),
    );
  }

  async #compareAround(pinned: PinnedVersion, { from, to }: Range): Promise<void> {
    const { events, mapping: applied } = this.#model;
    const windows = windowsAround(from ?? to ?? this.#midnight, from === null ? 2 : 28);
    const counted = await bench.queries.around(pinned, windows, PAGES);
    expect(counted).toEqual(
      PAGES.map((addresses) => ({
        before: brutePage(events, addresses, { from: windows.from, to: windows.at }, applied),
        after: brutePage(events, addresses, { from: windows.at, to: windows.to }, applied),
      })),
    );
  }

  async #compareLists(pinned: PinnedVersion, asked: Range): Promise<void> {
    const { events, mapping: applied } = this.#model;
    const all = { limit: 250, offset: 0 };
    const counted = await bench.queries.agents(pinned, asked);
    compareAgents(counted, bruteAgents(events, asked));
    for (const rows of [counted.agents, counted.classes]) {
      expect(rows.map(({ visitors }) => visitors)).toEqual(
        rows.map(({ visitors }) => visitors).toSorted((a, b) => b - a),
      );
    }
    await compareListing(
      await bench.queries.referrers(pinned, asked, all),
      await bench.queries.allReferrers(pinned, asked, signal),
      bruteReferrers(events, asked, applied),
    );
    await compareListing(
      await bench.queries.notFound(pinned, asked, all),
      await bench.queries.allNotFound(pinned, asked, signal),
      bruteNotFound(events, asked),
    );
  }
}

const { signal } = new AbortController();

async function compareListing<R>(page: Page<R>, whole: Whole<R>, rows: unknown[]): Promise<void> {
  expect(page).toEqual({ rows, count: rows.length, hasMore: false });
  expect([whole.count, (await Array.fromAsync(whole.rows())).flat()]).toEqual([rows.length, rows]);
}

test(
  'every answer is what a person would count, whatever comes in and is set, in whatever order',
  { timeout: 400_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...STARTS),
        fc.constantFrom(...SALT_POLICIES),
        fc.array(step, { minLength: 6, maxLength: 16 }),
        fc.array(range, { minLength: 2, maxLength: 2 }),
        async (start, policy, steps, ranges) => {
          const run = new Run(await bench.newProject(), start, ranges);
          await run.setPolicy(policy);
          for (const [no, next] of steps.entries()) {
            await run.take(next);
            await run.compareSome(no);
          }
          for (const writer of [0, 1]) await run.take({ do: 'seal', writer });
          await run.compare();
          await run.take({ do: 'break' });
          await run.compareSome(0);
          await run.take({ do: 'maintenance' });
          await run.compare();
          await run.compareNarrowings();
        },
      ),
      { numRuns: times(3) },
    );
  },
);
