import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { operations, type Operation } from '../../src/api/contract/operations.ts';
import { startAnalyticsApi } from '../support/analytics-api.ts';
import type { TestApi } from '../support/api-server.ts';
import { claimRoot, allRows, backUp, restoreAnew } from '../support/backups.ts';
import { EXAMPLE_IDS, startExampleWorld } from '../support/example-world.ts';

/** Rows about live processes, which no backup holds. */
const PASSING = ['processes', 'live_texts'];
/** Leases continue, and the restore writes its own schema version. */
const OTHERS = [...PASSING, 'analytics_writers', 'schema_version'];

/** Every answer of the API that comes from rows and files. */
async function answersOf(api: TestApi): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const operation of operations.filter(isCompared)) {
    const example = path.join(import.meta.dirname, '..', '..', 'api-examples', `${operation.id}.json`);
    const { request } = existsSync(example) ? JSON.parse(readFileSync(example, 'utf8')) : { request: undefined };
    const route = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => EXAMPLE_IDS[name] ?? '');
    const query = request?.query ? `?${new URLSearchParams(request.query)}` : '';
    const { status, json, text } = await api.call(route + query, { headers: { accept: 'application/json' } });
    found[operation.id] = { status, body: withoutAddress(api, json ?? text) };
  }
  return found;
}

/** Answers that come from a repository, the clock or live processes. */
const NOT_STORED = ['getProjectInstructions', 'getLiveVisitors', 'getInstallationHealth'];
const isCompared = ({ id, method, responses, isPage }: Operation): boolean =>
  method === 'get' &&
  !isPage &&
  !NOT_STORED.includes(id) &&
  Object.keys(responses['200']?.content ?? {}).some((type) =>
    ['application/json', 'text/csv', 'text/x-diff'].includes(type),
  );

const withoutAddress = (api: TestApi, value: unknown): unknown =>
  JSON.parse(JSON.stringify(value).replaceAll(api.url, 'http://api'));

test('a restored installation gives the answers of the one that was backed up', async () => {
  const world = await startExampleWorld();
  await world.prepare('getPullRequestEffect');
  const { database } = world.api;
  await claimRoot(database, world.folder);
  const answers = await answersOf(world.api);
  expect(Object.keys(answers).length).toBeGreaterThan(30);
  const folder = await mkdtemp(path.join(tmpdir(), 'docent-backup-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'all.docent-backup');
  const rows = await allRows(database);
  const backup = await backUp({ database, folder: { root: world.folder } }, file);
  const place = await restoreAnew(file);
  expect(place.restored.rows).toBe(backup.rows);
  const restored = await allRows(place.database);
  for (const table of Object.keys(rows)) {
    if (!OTHERS.includes(table)) expect(restored[table], table).toEqual(rows[table]);
  }
  for (const table of PASSING) expect(restored[table], table).toEqual([]);
  const again = await startAnalyticsApi({ root: place.root, database: place.database });
  const answersAgain = await answersOf(again.api);
  const differs = (id: string) => JSON.stringify(answers[id]) !== JSON.stringify(answersAgain[id]);
  expect(Object.keys(answers).filter(differs)).toEqual([]);
  // Sequences continue, so new rows reuse no number.
  const { rows: numbers } = await place.database.pool.query('SELECT max(id) AS highest FROM audit_log');
  const { rows: next } = await place.database.pool.query(
    "SELECT nextval(pg_get_serial_sequence('audit_log', 'id')) AS next",
  );
  expect(Number(next[0].next)).toBeGreaterThan(Number(numbers[0].highest ?? 0));
  await again.close();
  await world.close();
});
