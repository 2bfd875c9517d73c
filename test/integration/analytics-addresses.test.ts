import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Analytics } from '../../src/analytics/analytics.ts';
import { AnalyticsFolder } from '../../src/analytics/storage/analytics-folder.ts';
import { compactProject } from '../../src/analytics/maintenance/compact.ts';
import { Duck } from '../../src/analytics/storage/duck.ts';
import { repairProject } from '../../src/analytics/maintenance/repair.ts';
import { filesBelow } from '../../src/analytics/storage/files-below.ts';
import { ofFamily } from '../../src/analytics/storage/tables.ts';
import { createLogger } from '../../src/platform/log.ts';
import { codeOf } from '@docent/base/thrown';
import { readManifest } from '../../src/store/analytics/manifest.ts';
import { openDatabase, type Database } from '../../src/store/database.ts';
import { BARE_ENV } from '../support/bare-env.ts';
import { startTestApi, type TestApi } from '../support/api-server.ts';
import { runInside } from '../support/run-inside.ts';

/** Addresses that only this test sends, each as a client may spell it. */
const V4 = ['192.0.2.187', '192.0.2.188', '192.0.2.189', '::ffff:192.0.2.190', '192.0.2.191'];
const V6 = ['2001:db8:5a17::beef', '2001:DB8:5A17:0:0:0:0:BEEF', '2001:0db8:5a17:0000:0000:0000:0000:bee0'];
/** Must not appear anywhere: texts in any spelling, and the bytes of the IPv6 ones. */
const TEXTS = ['192.0.2.18', '192.0.2.19', 'c000:2bb', 'c000:2be', '5a17::bee', '5a17:0:0:0', '5a17:0000:0000'];
const BYTES = [Buffer.from('20010db85a170000', 'hex')];
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0';
const SITE = 'https://docs.example.com';

let api: TestApi;
let home: string;
let analytics: Analytics;
let database: Database;
let serverLog = '';

beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'docent-addresses-'));
  api = await startTestApi({
    config: { trustedProxies: ['127.0.0.1'], viewsPerMinute: 3, newPathsPerHour: 3 },
    deps: async ({ url }) => {
      database = openDatabase(url);
      const log = createLogger({ level: 'trace', name: 'analytics' }, { write: (line) => void (serverLog += line) });
      // Sealing is off, so that the test can inspect the log of events.
      analytics = await Analytics.open({ database, folder: new AnalyticsFolder(home), log, sealAfterMs: 3_600_000 });
      return { analytics };
    },
  });
});
afterAll(async () => {
  await analytics.close();
  await database.close();
  await api.close();
  await rm(home, { recursive: true, force: true });
});

/** Names of the addresses that a text or file holds. */
function addressesIn(content: string | Buffer): string[] {
  const bytes = Buffer.isBuffer(content) ? content : Buffer.from(content);
  const text = bytes.toString('latin1').toLowerCase();
  return [...TEXTS.filter((each) => text.includes(each)), ...BYTES.filter((each) => bytes.includes(each)).map(String)];
}

/**
 * All written data: files, packed and unpacked, every row, the database's own files, the logs.
 */
async function everywhere(): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  const look = (where: string, content: string | Buffer) => {
    const addresses = addressesIn(content);
    if (addresses.length > 0) found[where] = addresses;
  };
  const folder = new AnalyticsFolder(home);
  const duck = await Duck.open({
    memoryMb: 256,
    threads: 1,
    connections: 1,
    temporaryFolder: path.join(home, 'tmp/x'),
  });
  for (const file of await filesBelow(home)) {
    look(file, await readFile(file));
    if (!file.endsWith('.parquet') || file.startsWith(folder.setAsideFolder)) continue;
    const rows = await duck.use((session) =>
      session.all('SELECT t::VARCHAR AS row FROM read_parquet($file) t', { file }),
    );
    look(`${file}, unpacked`, JSON.stringify(rows));
    const metadata = await duck.use((session) =>
      session.all('SELECT decode(value) AS value FROM parquet_kv_metadata($file)', { file }),
    );
    look(`${file}, about it`, JSON.stringify(metadata));
  }
  duck.close();
  const { rows: tables } = await api.database.pool.query<{ name: string }>(
    `SELECT quote_ident(table_name) AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
  );
  expect(tables.length).toBeGreaterThan(10);
  for (const { name } of tables) {
    const { rows } = await api.database.pool.query<{ row: string }>(`SELECT t::text AS row FROM ${name} t`);
    look(`table ${name}`, rows.map(({ row }) => row).join('\n'));
  }
  await api.database.pool.query('CHECKPOINT');
  const { rows } = await api.database.pool.query<{ own: string; base: string; wal: string; data: string }>(
    `SELECT oid::text AS own, current_setting('data_directory') AS data,
       current_setting('data_directory') || '/base/' AS base, current_setting('data_directory') || '/pg_wal/' AS wal
     FROM pg_database WHERE datname = current_database()`,
  );
  const { own, base, wal, data } = rows[0]!;
  // Not the other databases of the run, nor their write-ahead log: this database's files have the same data.
  const isLookedAt = (file: string) =>
    file.startsWith(`${base}${own}/`) || !(file.startsWith(base) || file.startsWith(wal));
  if (await readdir(data).catch(() => null)) {
    for (const file of (await filesBelow(data)).filter(isLookedAt)) {
      // The server is running, so a listed file may be gone.
      if ((await stat(file).catch(() => null))?.isFile()) look(file, await readFile(file).catch(orGone));
    }
  }
  look('the log of requests', api.logged());
  look('the server log has the reason', serverLog);
  return found;
}

function orGone(err: unknown): Buffer {
  if (codeOf(err) === 'ENOENT') return Buffer.alloc(0);
  throw err;
}

test('a raw address, from any source, is in nothing that is written or returned', async () => {
  const project = await api.addProject();
  const answers: string[] = [];
  const send = async (body: unknown, headers: Record<string, string> = {}) => {
    const answer = await api.call(`/v1/analytics/${project}/events`, { body, headers: { ...headers } });
    answers.push(answer.text);
    return answer;
  };
  const view = (ip: string, more: object = {}) => ({
    timestamp: '2026-11-18T10:00:00Z',
    path: '/start',
    ip,
    userAgent: FIREFOX,
    ...more,
  });

  // Events: taken, repeated, refused one by one, refused as a whole.
  const events = [...V4, ...V6].map((ip) => view(ip));
  expect((await send({ events }, { 'idempotency-key': 'same' })).json.accepted).toBe(events.length);
  await send({ events }, { 'idempotency-key': 'same' });
  const refused = [
    view(`${V4[0]}.9`),
    view(V4[1]!, { timestamp: 'never' }),
    view(V4[2]!, { class: 'robot' }),
    view(V6[0]!, { userAgent: undefined }),
    { ip: V6[1], path: 7 },
    V4[3],
  ];
  expect((await send({ events: refused })).json.rejectedCount ?? refused.length).toBe(refused.length);
  expect((await send(`{"events": [{"ip": "${V4[4]}", }]}`)).status).toBe(400);
  expect((await send({ events: [], ip: V4[4] })).status).toBe(400);
  const lines = [JSON.stringify(view(V6[2]!)), `{"ip":"${V4[0]}"`, JSON.stringify(view(V4[1]!, { path: '' }))].join(
    '\n',
  );
  await send(lines, { 'content-type': 'application/x-ndjson' });

  // The page script: taken, from elsewhere, broken, and more than one address may send.
  await api.call(`/v1/projects/${project}`, {
    method: 'PATCH',
    body: { settings: { analyticsOrigins: ['docs.example.com'] } },
  });
  for (const [i, from] of [...V4, ...V6, V4[0], V4[0], V4[0], V4[0]].entries()) {
    for (const origin of [SITE, 'https://else.example']) {
      const body = i === 3 ? '{' : JSON.stringify({ url: `${SITE}/page-${i}` });
      const answer = await api.call(`/${project}/collect`, {
        method: 'POST',
        token: null,
        body,
        headers: {
          'content-type': 'text/plain;charset=UTF-8',
          'x-forwarded-for': `${from}, 10.0.0.1`,
          'x-real-ip': from!,
          forwarded: `for="[${from}]"`,
          'user-agent': FIREFOX,
          origin,
        },
      });
      answers.push(answer.text);
    }
  }
  // Any other request that carries one.
  answers.push(
    (await api.call(`/v1/analytics/${project}/visitors?ip=x`, { headers: { 'x-forwarded-for': V4[0]! } })).text,
  );

  // Acknowledged events that are not sealed yet.
  expect((await filesBelow(path.join(home, 'wal'))).length).toBeGreaterThan(0);
  expect(await everywhere()).toEqual({});

  // Logs, with invalid lines, and the command's report about them.
  const logLine = (ip: string, request = 'GET /start', status = 200) =>
    `${ip} - - [18/Nov/2026:10:00:00 +0000] "${request} HTTP/1.1" ${status} 5 "http://${V4[0]}/" "${FIREFOX}"\n`;
  const text = [
    ...[...V4, ...V6].map((ip) => logLine(ip)),
    logLine(V4[1]!, 'GET /gone', 404),
    logLine(V4[2]!, 'POST /start'),
    `${V4[3]} is no log line\n`,
    `${logLine(V6[0]!).slice(0, 60)}\n`,
    `{"remote_addr":"${V4[4]}","time_iso8601":"junk","request":"GET / HTTP/1.1"}\n`,
  ].join('');
  const outside = await mkdtemp(path.join(tmpdir(), 'docent-logs-'));
  const [plain, packed] = [path.join(outside, 'a.log'), path.join(outside, 'b.log.gz')];
  await writeFile(plain, text.replaceAll(`http://${V4[0]}/`, 'https://news.example.com/'));
  await writeFile(packed, gzipSync(text.replaceAll(`http://${V4[0]}/`, '-')).subarray(0, -20));
  const env = { ...BARE_ENV, DATABASE_URL: api.database.url, DOCENT_ANALYTICS_DIR: home };
  const run = async (...args: string[]) => {
    const { stdout, stderr } = await runInside(['analytics', ...args], env);
    answers.push(stdout, stderr);
  };
  await run('import', '--project', project, plain);
  await run('import', '--project', project, '--json', plain, packed);

  // Sealed, merged, compacted; a damaged file and a damaged log set aside; a visitor deleted.
  await analytics.ingestor.flush();
  const folder = new AnalyticsFolder(home);
  const duck = await Duck.open({
    memoryMb: 256,
    threads: 1,
    connections: 1,
    temporaryFolder: path.join(home, 'tmp/y'),
  });
  const storage = {
    database,
    folder,
    duck,
    log: createLogger({ level: 'trace', name: 'x' }, { write: (line) => void (serverLog += line) }),
  };
  await compactProject(storage, project);
  expect(await everywhere()).toEqual({});
  for (const page of ['/later', '/latest']) await send({ events: V4.map((ip) => view(ip, { path: page })) });
  const [wal] = (await filesBelow(path.join(home, 'wal'))).filter((file) => file.endsWith('.log'));
  const bytes = await readFile(wal!);
  await writeFile(wal!, bytes.with(30, (bytes[30] ?? 0) ^ 1));
  await analytics.ingestor.flush();
  const [unmerged] = ofFamily((await readManifest(database.db, project)).files, 'unmerged');
  await writeFile(folder.fileOf(unmerged!.path), 'damaged');
  await repairProject(storage, project, 0);
  duck.close();
  await run('delete', '--yes', '--project', project, '--ip', V4[0]!, '--user-agent', FIREFOX);
  await run('verify', '--project', project);
  expect((await filesBelow(folder.setAsideFolder)).length).toBe(2);
  expect(await everywhere()).toEqual({});
  expect(addressesIn(answers.join('\n'))).toEqual([]);
  await rm(outside, { recursive: true, force: true });
});
