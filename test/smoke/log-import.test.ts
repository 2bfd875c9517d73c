import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startAnalyticsApi, type AnalyticsApi } from '../support/analytics-api.ts';
import { commandEnv, runCommand } from '../support/command.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0';
const CHATGPT = 'Mozilla/5.0; compatible; ChatGPT-User/1.0; +https://openai.com/bot';
const GPTBOT = 'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.3; +https://openai.com/gptbot)';

let bench: AnalyticsApi;
let folder: string;

beforeAll(async () => {
  bench = await startAnalyticsApi();
  folder = await mkdtemp(path.join(tmpdir(), 'docent-logs-'));
});
afterAll(async () => {
  await bench?.close();
  await rm(folder, { recursive: true, force: true });
});

const line = (ip: string, page: string, userAgent: string, status = 200) =>
  `${ip} - - [18/Nov/2026:10:00:00 +0000] "GET ${page} HTTP/1.1" ${status} 512 "-" "${userAgent}"\n`;

/**
 * Two people on one page, one of them again on another; an assistant; a crawler and a picture, which do not
 * count.
 */
const LOG = [
  line('203.0.113.9', '/start', FIREFOX),
  line('203.0.113.9', '/guide/', FIREFOX),
  line('203.0.113.10', '/start', FIREFOX),
  line('104.208.184.193', '/start', CHATGPT),
  line('203.0.113.12', '/start', GPTBOT),
  line('203.0.113.13', '/logo.png', FIREFOX),
  line('203.0.113.14', '/gone', FIREFOX, 404),
].join('');

test('an imported log is counted once, however often it is imported', async () => {
  const project = await bench.api.addProject();
  await writeFile(path.join(folder, 'access.log'), LOG);
  await writeFile(path.join(folder, 'access.log.1.gz'), gzipSync(LOG));
  const env = commandEnv(folder, { DATABASE_URL: bench.api.database.url, DOCENT_ANALYTICS_DIR: bench.folder });
  for (const name of ['access.log', 'access.log.1.gz']) {
    const args = ['analytics', 'import', '--project', project, '--json', path.join(folder, name)];
    const { code, stdout, stderr } = await runCommand(args, env);
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ lines: 7 });
  }
  const { json } = await bench.api.call(`/v1/analytics/${project}/visitors`);
  expect(json.totals).toEqual({ human: 2, ai: 1, total: 3 });
  expect(json.visitors).toEqual([
    { path: '/start', human: 2, ai: 1, total: 3 },
    { path: '/guide', human: 1, ai: 0, total: 1 },
  ]);
});
