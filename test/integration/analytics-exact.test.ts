import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY_MS, type Range } from '../../src/analytics/days.ts';
import { VISITOR_CLASSES } from '../../src/store/analytics-settings.ts';
import { compactProject } from '../../src/analytics/compact.ts';
import { dropBefore, eraseVisitor } from '../../src/analytics/erase.ts';
import { foldProject } from '../../src/analytics/fold.ts';
import { rebuildProject } from '../../src/analytics/rebuild.ts';
import type { Ingestor } from '../../src/analytics/ingestor.ts';
import { bruteForce } from '../../src/analytics/query/brute-force.ts';
import { analyticsBench, type AnalyticsBench } from '../support/analytics.ts';
import { bruteCount, withoutRepeats, type KnownEvent } from '../support/brute-count.ts';

/** Around a leap day, and up to today: the open day counts too. */
const TODAY = Math.floor(Date.now() / DAY_MS);
const LEAP = Date.UTC(2024, 1, 29) / DAY_MS;
const DAYS = [LEAP - 1, LEAP, LEAP + 1, LEAP + 2, TODAY - 2, TODAY - 1, TODAY];

let bench: AnalyticsBench;
let writers: Ingestor[];

beforeAll(async () => {
  bench = await analyticsBench();
  writers = [await bench.ingestor({ rememberedIds: 0 }), await bench.ingestor({ rememberedIds: 0 })];
});
afterAll(() => bench.close());

const instant = fc
  .tuple(fc.constantFrom(...DAYS), fc.constantFrom(0, 1, 3_600_000, 43_200_000, DAY_MS - 1))
  .map(([day, ms]) => day * DAY_MS + ms);

const VISITORS = ['v1', 'v2', 'v3', 'v4', 'v5', 'v6'];

interface SentEvent extends KnownEvent {
  /** Classified by the server, where there is one. */
  userAgent?: string;
}

const event: fc.Arbitrary<SentEvent> = fc
  .record({
    id: fc.nat(60).map(String),
    time: instant,
    path: fc.constantFrom('/', '/a', '/b', '/ä', '/z/“q”'),
    visitor: fc.constantFrom(...VISITORS),
    who: fc.oneof(
      fc.constantFrom(...VISITOR_CLASSES).map((visitorClass) => ({ class: visitorClass as string })),
      fc.constantFrom('Bot one', 'Bot two').map((userAgent) => ({ userAgent, class: 'assistant' })),
    ),
  })
  .map(({ who, ...rest }) => ({ ...rest, ...who }));

const range: fc.Arbitrary<Range> = fc
  .tuple(fc.option(instant), fc.option(instant))
  .map(([a, b]) => (a !== null && b !== null && a > b ? { from: b, to: a } : { from: a, to: b }));

/** What a later classifier makes of user agents. */
const classOf = (userAgent: string | null) => (userAgent === 'Bot two' ? ('search' as const) : ('human' as const));

type Step =
  | { do: 'send'; writer: number; events: SentEvent[] }
  | { do: 'seal'; writer: number }
  | { do: 'drop'; day: number }
  | { do: 'erase'; visitor: string }
  | { do: 'rebuild'; move: boolean }
  | { do: 'fold' }
  | { do: 'compact' };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('send' as const),
      writer: fc.nat(1),
      events: fc.array(event, { minLength: 1, maxLength: 12 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('seal' as const), writer: fc.nat(1) }) },
  { weight: 3, arbitrary: fc.constantFrom({ do: 'fold' as const }, { do: 'compact' as const }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('drop' as const), day: fc.constantFrom(...DAYS) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('erase' as const), visitor: fc.constantFrom(...VISITORS) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('rebuild' as const), move: fc.boolean() }) },
);

test(
  'visitors and views are what a person would count, whatever order things come in',
  { timeout: 300_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 14 }),
        fc.array(range, { minLength: 2, maxLength: 4 }),
        async (steps, ranges) => {
          const project = await bench.newProject();
          // What is sealed counts in the order in which it was sealed.
          let sealed: SentEvent[] = [];
          let floor = -Infinity;
          let begun = false;
          const waiting: SentEvent[][] = [[], []];
          const seal = async (writer: number) => {
            await writers[writer]!.flush();
            sealed.push(...waiting[writer]!.filter(({ time }) => time >= floor));
            waiting[writer] = [];
          };
          const compare = async () => {
            await bench.snapshots.use(project, undefined, async (snapshot) => {
              for (const asked of ranges) {
                for (const measure of ['visitors', 'views'] as const) {
                  const expected = bruteCount(sealed, measure, asked);
                  const { totals, rows, hasMore } = await bench.queries.byPath(snapshot, measure, asked, {
                    limit: 250,
                    offset: 0,
                  });
                  const site = expected[0]?.path === '' ? expected[0] : { human: 0, ai: 0, total: 0 };
                  expect({ totals, rows, hasMore }).toEqual({
                    totals: { human: site.human, ai: site.ai, total: site.total },
                    rows: expected.filter((row) => row.path !== ''),
                    hasMore: false,
                  });
                  const days = await bench.queries.timeseries(snapshot, asked);
                  for (const { date, ...measures } of days) {
                    const day = Date.parse(date);
                    const [first] = bruteCount(sealed, measure, {
                      from: Math.max(day, asked.from ?? day),
                      to: Math.min(day + DAY_MS, asked.to ?? Infinity),
                    });
                    const { human, ai, total } = first ?? site;
                    expect(measures[measure]).toEqual(first ? { human, ai, total } : { human: 0, ai: 0, total: 0 });
                  }
                  expect(await bruteForce(bench.folder, bench.duck, snapshot, measure, asked)).toEqual(expected);
                }
              }
            });
          };
          for (const next of steps) {
            if (next.do === 'send') {
              await writers[next.writer]!.ingest(
                project,
                next.events.map(({ time, visitor, class: visitorClass, ...rest }) => ({
                  ...rest,
                  timestamp: time,
                  visitorId: visitor,
                  ...(rest.userAgent ? {} : { class: visitorClass }),
                })),
              );
              begun = true;
              waiting[next.writer]!.push(...next.events);
            } else if (next.do === 'seal') await seal(next.writer);
            else if (next.do === 'fold') await foldProject(bench, project);
            else if (next.do === 'compact') await compactProject(bench, project);
            else if (next.do === 'drop') {
              await dropBefore(bench, project, next.day);
              if (begun) floor = Math.max(floor, next.day * DAY_MS);
              sealed = sealed.filter(({ time }) => time >= floor);
            } else if (next.do === 'erase') {
              await eraseVisitor(bench, project, { visitorId: next.visitor });
              sealed = withoutRepeats(sealed).filter(({ visitor }) => visitor !== next.visitor);
            } else {
              await rebuildProject(bench, project, {
                rules: {
                  classify: ({ userAgent }) => ({ class: classOf(userAgent), agent: null, version: 2 }),
                },
                moves: next.move ? (page) => (page === '/a' ? '/b' : page) : undefined,
              });
              sealed = sealed.map((known) => ({
                ...known,
                ...(known.userAgent ? { class: classOf(known.userAgent) } : {}),
                ...(next.move && known.path === '/a' ? { path: '/b' } : {}),
              }));
            }
            await compare();
          }
          for (const writer of [0, 1]) await seal(writer);
          await compare();
          await foldProject(bench, project);
          await compare();
        },
      ),
      { numRuns: Number(process.env.DOCENT_TEST_RUNS ?? 25) },
    );
  },
);
