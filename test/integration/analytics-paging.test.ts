import { setImmediate as endOfTurn } from 'node:timers/promises';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Analytics } from '../../src/analytics/analytics.ts';
import { AnalyticsFolder } from '../../src/analytics/storage/analytics-folder.ts';
import { compactProject } from '../../src/analytics/maintenance/compact.ts';
import type { Whole } from '../../src/analytics/query/counts.ts';
import { mergeProject } from '../../src/analytics/maintenance/merge.ts';
import { maintain } from '../../src/analytics/maintenance/maintain.ts';
import { deleteProject, updateProject } from '../../src/store/projects/projects.ts';
import { analyticsBench, type AnalyticsBench } from '../support/analytics.ts';
import { bruteCount, bruteNotFound, bruteReferrers, type KnownEvent } from '../support/brute-count.ts';
import { times } from '../support/how-often.ts';

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

test('pages of a listing add up to its first version, whatever changes in between, on any server', async () => {
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
    { numRuns: times(6) },
  );
}, 300_000);

const sendTo = async (project: string, no: number) => {
  const { ingestor } = servers[0]!;
  const sent = ['/a', '/b', '/c'].map((page) => ({ path: page, visitorId: `v${no}`, timestamp: DAY, class: 'human' }));
  await ingestor.ingest(project, sent);
  await ingestor.flush();
};

test('a page of a listing is answered although the database can only be read', async () => {
  const project = await bench.newProject();
  await sendTo(project, 0);
  const [server] = servers;
  const paging = { limit: 1, offset: 0 };
  const ask = () =>
    server!.ask(project, { listing: { about: ['read-only'], paging } }, (pinned) =>
      server!.queries.byPath(pinned, 'visitors', ALL, paging),
    );
  await bench.database.pool.query(
    `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION USING ERRCODE = '25006'; END $$;
     CREATE TRIGGER refuse BEFORE INSERT ON analytics_listings EXECUTE FUNCTION refuse()`,
  );
  try {
    expect(await ask()).toMatchObject({ hasMore: true, count: 3 });
  } finally {
    await bench.database.pool.query('DROP FUNCTION refuse CASCADE');
  }
});

test('each of many simultaneous listings keeps its own version, on any server', async () => {
  const project = await bench.newProject();
  await sendTo(project, 0);
  const page = (server: Analytics, about: number, offset: number) => {
    const paging = { limit: 1, offset };
    return server.ask(project, { listing: { about: [about], paging } }, (pinned) =>
      server.queries.byPath(pinned, 'visitors', ALL, paging),
    );
  };
  // Some of them are the same one, asked for several times.
  const abouts = Array.from({ length: 40 }, (_, i) => i % 25);
  const first = await Promise.all(abouts.map((about) => page(servers[0]!, about, 0)));
  await sendTo(project, 1);
  await mergeProject(bench, project);
  expect((await page(servers[0]!, 1_000, 0)).version).toBeGreaterThan(first[0]!.version);
  const next = await Promise.all(abouts.map((about) => page(servers[1]!, about, 1)));
  expect(next.map(({ version }) => version)).toEqual(first.map(({ version }) => version));
  expect(next.map(({ rows }) => rows)).toEqual(abouts.map(() => [{ path: '/b', human: 1, ai: 0, total: 1 }]));
});

test('a caller never gets an answer that is older than its request', async () => {
  const project = await bench.newProject();
  await sendTo(project, 0);
  const server = servers[1]!;
  const total = async () => {
    const asked = (pinned: Parameters<typeof server.queries.byPath>[0]) =>
      server.queries.byPath(pinned, 'visitors', ALL, { limit: 1, offset: 0 });
    return (await server.ask(project, {}, asked)).totals.total;
  };
  const over = new AbortController();
  const others = Array.from({ length: 4 }, async () => {
    while (!over.signal.aborted) {
      await total();
      await endOfTurn();
    }
  });
  try {
    for (let no = 1; no <= 6; no += 1) {
      await sendTo(project, no);
      expect(await Promise.all([total(), total()])).toEqual([no + 1, no + 1]);
    }
  } finally {
    over.abort();
    await Promise.all(others);
  }
});

test('a missing project is reported as missing for any version', async () => {
  const server = servers[0]!;
  const ask = (project: string, version?: number) =>
    server.ask(project, version === undefined ? {} : { version }, (pinned) =>
      server.queries.byPath(pinned, 'visitors', ALL, { limit: 1, offset: 0 }),
    );
  for (const version of [undefined, 0, 3])
    await expect(ask('not-there', version)).rejects.toMatchObject({ code: 'project_not_found' });
  const project = await bench.newProject();
  expect(await ask(project)).toMatchObject({ version: 0, count: 0 });
  await sendTo(project, 0);
  await expect(ask(project, 99)).rejects.toMatchObject({ code: 'version_gone' });
  await bench.database.db.transaction((tx) => deleteProject(tx, project));
  await expect(ask(project)).rejects.toMatchObject({ code: 'project_not_found' });
});
