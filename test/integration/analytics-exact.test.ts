import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY_MS, type Range } from '../../src/analytics/days.ts';
import { VISITOR_CLASSES } from '../../src/analytics/event.ts';
import { foldProject } from '../../src/analytics/fold.ts';
import type { Ingestor } from '../../src/analytics/ingestor.ts';
import { bruteForce } from '../../src/analytics/query/brute-force.ts';
import { analyticsBench, type AnalyticsBench } from '../support/analytics.ts';
import { bruteCount, type KnownEvent } from '../support/brute-count.ts';

/** Around a leap day, and up to today: the open day counts too. */
const TODAY = Math.floor(Date.now() / DAY_MS);
const LEAP = Date.UTC(2024, 1, 29) / DAY_MS;
const DAYS = [LEAP - 1, LEAP, LEAP + 1, LEAP + 2, TODAY - 2, TODAY - 1, TODAY];

let bench: AnalyticsBench;
let writers: Ingestor[];

beforeAll(async () => {
  bench = await analyticsBench();
  writers = [await bench.ingestor(), await bench.ingestor()];
});
afterAll(() => bench.close());

const instant = fc
  .tuple(fc.constantFrom(...DAYS), fc.constantFrom(0, 1, 3_600_000, 43_200_000, DAY_MS - 1))
  .map(([day, ms]) => day * DAY_MS + ms);

const event = fc.record({
  id: fc.nat(60).map(String),
  time: instant,
  path: fc.constantFrom('/', '/a', '/b', '/ä', '/z/“q”'),
  visitor: fc.constantFrom('v1', 'v2', 'v3', 'v4', 'v5', 'v6'),
  class: fc.constantFrom(...VISITOR_CLASSES),
});

const range: fc.Arbitrary<Range> = fc
  .tuple(fc.option(instant), fc.option(instant))
  .map(([a, b]) => (a !== null && b !== null && a > b ? { from: b, to: a } : { from: a, to: b }));

type Step = { do: 'send'; writer: number; events: KnownEvent[] } | { do: 'seal'; writer: number } | { do: 'fold' };

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
  { weight: 2, arbitrary: fc.record({ do: fc.constant('fold' as const) }) },
);

test(
  'visitors and views are what a person would count, whatever order things come in',
  { timeout: 300_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 10 }),
        fc.array(range, { minLength: 2, maxLength: 4 }),
        async (steps, ranges) => {
          const project = await bench.newProject();
          // What is sealed counts in the order in which it was sealed.
          const sealed: KnownEvent[] = [];
          const waiting: KnownEvent[][] = [[], []];
          const seal = async (writer: number) => {
            await writers[writer]!.flush();
            sealed.push(...waiting[writer]!);
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
                  expect(await bruteForce(bench.folder, bench.duck, snapshot, measure, asked)).toEqual(expected);
                }
              }
            });
          };
          for (const next of steps) {
            if (next.do === 'send') {
              const { rejected } = await writers[next.writer]!.ingest(
                project,
                next.events.map(({ time, visitor, ...rest }) => ({ ...rest, timestamp: time, visitorId: visitor })),
              );
              expect(rejected).toEqual([]);
              waiting[next.writer]!.push(...next.events);
            } else if (next.do === 'seal') await seal(next.writer);
            else await foldProject(bench, project);
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
