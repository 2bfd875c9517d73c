import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Analytics } from '../../src/analytics/analytics.ts';
import { AnalyticsFolder } from '../../src/analytics/storage/analytics-folder.ts';
import { Duck } from '../../src/analytics/storage/duck.ts';
import { maintain } from '../../src/analytics/maintenance/maintain.ts';
import { SteadyClock } from '../../src/analytics/maintenance/steady-clock.ts';
import { createLogger } from '../../src/platform/log.ts';
import { openDatabase, type Database } from '../../src/store/database.ts';
import { projects } from '../../src/store/schema.ts';
import { eventsOf, knownEventsOf } from '../support/analytics-load.ts';
import { bruteCount } from '../support/brute-count.ts';
import { createTestDatabase, type TestDatabase } from '../support/stack.ts';

const BATCHES = 200;
const ALL = { from: null, to: null };
const log = createLogger({ level: 'fatal', name: 'test' });

let database: TestDatabase;
let root: string;
const opened: Database[] = [];
const servers: Analytics[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  root = await mkdtemp(path.join(tmpdir(), 'docent-two-'));
  await database.db.insert(projects).values({ id: 'site', repository: '/x', ref: 'main', model: 'builtin' });
  for (let i = 0; i < 2; i += 1) {
    const own = openDatabase(database.url);
    opened.push(own);
    servers.push(
      await Analytics.open({ database: own, folder: new AnalyticsFolder(root), log, memoryMb: 256, sealAfterMs: 50 }),
    );
  }
});
afterAll(async () => {
  for (const server of servers) await server.close();
  for (const own of opened) await own.close();
  await database.drop();
  await rm(root, { recursive: true, force: true });
});

test('two servers accept and answer during merges and compactions without a failed query or lost page', async () => {
  const load = { isOn: true };
  const send = async (server: Analytics, first: number) => {
    for (let no = first; no < BATCHES; no += 2) await server.ingestor.ingest('site', eventsOf(no));
  };
  let listings = 0;
  const read = async (server: Analytics, other: Analytics) => {
    while (load.isOn) {
      // A listing, two rows at a time, turn by turn from both servers: together they are the whole.
      const rows: { path: string; total: number }[] = [];
      let version: number | undefined;
      for (let offset = 0, hasMore = true; hasMore; offset += 2) {
        const paging = { limit: 2, offset };
        const turn: Analytics = offset % 4 === 0 ? server : other;
        const answer = await turn.ask('site', { listing: { about: [listings % 2], paging }, version }, (pinned) =>
          server === turn
            ? server.queries.byPath(pinned, 'views', ALL, paging)
            : other.queries.byPath(pinned, 'views', ALL, paging),
        );
        version = answer.version;
        rows.push(...answer.rows);
        hasMore = answer.hasMore;
        if (!hasMore) expect(rows.reduce((sum, row) => sum + row.total, 0)).toBe(answer.totals.total);
      }
      expect(new Set(rows.map((row) => row.path)).size).toBe(rows.length);
      listings += 1;
    }
  };
  const folder = new AnalyticsFolder(root);
  const duck = await Duck.open({
    memoryMb: 256,
    threads: 1,
    connections: 1,
    temporaryFolder: path.join(root, 'tmp/w'),
  });
  const clock = new SteadyClock();
  const maintenance = async () => {
    while (load.isOn) await maintain({ database, folder, duck, log }, 'site', { retentionDays: null, clock });
  };
  const [one, two] = servers as [Analytics, Analytics];
  const others = [read(one, two), read(two, one), maintenance()];
  await Promise.all([send(one, 0), send(two, 1)]);
  await Promise.all([one.ingestor.flush(), two.ingestor.flush()]);
  load.isOn = false;
  await Promise.all(others);
  expect(listings).toBeGreaterThan(1);
  duck.close();

  const known = Array.from({ length: BATCHES }, (_, no) => knownEventsOf(no)).flat();
  for (const server of servers) {
    const page = { limit: 250, offset: 0 };
    const { rows } = await server.ask('site', {}, (pinned) => server.queries.byPath(pinned, 'visitors', ALL, page));
    expect(rows).toEqual(bruteCount(known, 'visitors', ALL).filter((row) => row.path !== ''));
  }
});
