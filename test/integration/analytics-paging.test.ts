import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Analytics } from '../../src/analytics/analytics.ts';
import { AnalyticsFolder } from '../../src/analytics/storage/analytics-folder.ts';
import { compactProject } from '../../src/analytics/counts/compact.ts';
import type { Whole } from '../../src/analytics/query/counts.ts';
import { mergeProject } from '../../src/analytics/counts/merge.ts';
import { maintain } from '../../src/analytics/upkeep/maintain.ts';
import { updateProject } from '../../src/store/projects.ts';
import { analyticsBench, type AnalyticsBench } from '../support/analytics.ts';
import { bruteCount, bruteNotFound, bruteReferrers, type KnownEvent } from '../support/brute-count.ts';

const DAY = Date.UTC(2026, 10, 18);
const ALL = { from: null, to: null };

let bench: AnalyticsBench;
let servers: Analytics[];
beforeAll(async () => {
  bench = await analyticsBench();
  const open = () =>
    Analytics.open({
      database: bench.database,
      folder: new AnalyticsFolder(bench.folder.root),
      log: bench.log,
      sealAfterMs: 3_600_000,
    });
  servers = [await open(), await open()];
});
afterAll(async () => {
  for (const server of servers) await server.close();
  await bench.close();
});

const { signal } = new AbortController();

const event: fc.Arbitrary<KnownEvent> = fc.record({
  id: fc.uuid(),
  time: fc.nat(5).map((hour) => DAY + hour * 3_600_000),
  path: fc.nat(14).map((no) => `/p${no}`),
  visitor: fc.nat(9).map((no) => `v${no}`),
  class: fc.constantFrom('human', 'assistant', 'search'),
  referrer: fc.nat(6).map((no) => `r${no}.example.com`),
  notFound: fc.boolean(),
});
const events = fc.array(event, { minLength: 1, maxLength: 25 });

const LISTINGS = ['visitors', 'views', 'referrers', 'not-found'] as const;
const between = fc.oneof(
  events.map((sent) => ({ do: 'send' as const, sent })),
  fc.constantFrom({ do: 'merge' as const }, { do: 'compact' as const }, { do: 'map' as const }),
);

test('the rows of one listing, a few at a time, add up to what it was at the first, whatever happens in between, on whichever server', async () => {
  await fc.assert(
    fc.asyncProperty(
      events,
      fc.constantFrom(...LISTINGS),
      fc.integer({ min: 1, max: 6 }),
      fc.array(between, { maxLength: 8 }),
      fc.boolean(),
      async (first, name, limit, steps, isByVersion) => {
        const project = await bench.newProject();
        const send = async (sent: readonly KnownEvent[]) => {
          const { ingestor } = servers[0]!;
          await ingestor.ingest(
            project,
            sent.map(({ time, visitor, ...rest }) => ({ ...rest, timestamp: time, visitorId: visitor })),
          );
          await ingestor.flush();
        };
        await send(first);
        const expected: unknown[] = {
          visitors: () => bruteCount(first, 'visitors', ALL).filter(({ path }) => path !== ''),
          views: () => bruteCount(first, 'views', ALL).filter(({ path }) => path !== ''),
          referrers: () => bruteReferrers(first, ALL),
          'not-found': () => bruteNotFound(first, ALL),
        }[name]();
        const rows: unknown[] = [];
        // Read to its end when everything has happened.
        const whole = await servers[1]!.ask<Whole<unknown>>(project, {}, async (pinned) => {
          const { queries } = servers[1]!;
          if (name === 'referrers') return queries.allReferrers(pinned, ALL, signal);
          if (name === 'not-found') return queries.allNotFound(pinned, ALL, signal);
          return queries.allByPath(pinned, name, ALL, signal);
        });
        let version: number | undefined;
        let hasMore = true;
        const todo = [...steps];
        for (let offset = 0; hasMore; offset += limit) {
          const server = servers[(offset / limit) % 2]!;
          const paging = { limit, offset };
          const listing = { about: [name], paging };
          const answer = await server.ask(
            project,
            { listing, version: isByVersion ? version : undefined },
            async (pinned) => {
              const { queries } = server;
              if (name === 'referrers') return queries.referrers(pinned, ALL, paging);
              if (name === 'not-found') return queries.notFound(pinned, ALL, paging);
              return queries.byPath(pinned, name, ALL, paging);
            },
          );
          expect(answer.count).toBe(expected.length);
          expect(answer.version).toBe((version ??= answer.version));
          rows.push(...(answer.rows as unknown[]));
          hasMore = answer.hasMore;
          const next = todo.shift();
          if (next?.do === 'send') await send(next.sent);
          if (next?.do === 'merge') await mergeProject(bench, project);
          if (next?.do === 'compact') await compactProject(bench, project);
          if (next?.do === 'map') {
            const settings = { analyticsHumanClasses: ['search' as const], analyticsAiClasses: ['human' as const] };
            await bench.database.db.transaction((tx) => updateProject(tx, project, { settings }));
            await maintain(bench, project, { retentionDays: null, clock: { now: () => DAY } });
          }
        }
        expect(rows).toEqual(expected);
        expect(whole.version).toBe(version);
        expect((await Array.fromAsync(whole.rows())).flat()).toEqual(expected);
        expect(whole.count).toBe(expected.length);
      },
    ),
    { numRuns: Number(process.env.DOCENT_TEST_RUNS ?? 25) },
  );
}, 300_000);
