import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createJob } from '../support/api-jobs.ts';
import { startTestApi, type TestApi } from '../support/api-server.ts';

/**
 * Debian's browser. Where there is none, test/integration/api-cors.test.ts says the same of the bare HTTP.
 */
const CHROMIUM = '/usr/bin/chromium';

/** A page's request with a token, and its visible result. */
const PAGE = `<!doctype html><pre id="out"></pre><script>
const asked = new URLSearchParams(location.search);
const headers = { Authorization: 'Bearer ' + asked.get('token') };
const seen = async (work) => { try { return await work(); } catch (err) { return String(err.name); } };
(async () => {
  const api = asked.get('api');
  const result = {
    job: await seen(async () => {
      const answer = await fetch(api + asked.get('job'), { headers });
      return [answer.status, answer.headers.get('X-Request-Id') !== null, (await answer.json()).id];
    }),
    refusal: await seen(async () => (await fetch(api + '/v1/keys', { headers })).status),
    post: await seen(async () => (await fetch(api + asked.get('job') + '/message', { method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json', 'Idempotency-Key': 'x' }, body: '{"prompt":"x"}' })).status),
  };
  document.getElementById('out').textContent = JSON.stringify(result);
  document.title = 'done';
})();
</script>`;

let api: TestApi;
let servers: Server[];
let profile: string;

beforeAll(async () => {
  servers = await Promise.all([serve(), serve()]);
  api = await startTestApi({ config: { allowedOrigins: [originOf(servers[0])] } });
  profile = await mkdtemp(path.join(tmpdir(), 'docent-chromium-'));
});
afterAll(async () => {
  for (const server of servers ?? []) server.close();
  await api?.close();
  await rm(profile, { recursive: true, force: true });
});

async function serve(): Promise<Server> {
  const server = createServer((_req, res) => res.setHeader('Content-Type', 'text/html').end(PAGE));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return server;
}

function originOf(server: Server | undefined): string {
  const address = server?.address() as AddressInfo | undefined;
  return `http://127.0.0.1:${address?.port}`;
}

async function open(origin: string, query: Record<string, string>): Promise<unknown> {
  const { stdout } = await promisify(execFile)(
    CHROMIUM,
    [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      `--user-data-dir=${profile}`,
      '--virtual-time-budget=20000',
      '--dump-dom',
      `${origin}/?${new URLSearchParams(query)}`,
    ],
    { timeout: 400_000 },
  );
  const [, text = ''] = /<pre id="out">(.*?)<\/pre>/s.exec(stdout) ?? [];
  return text === '' ? text : JSON.parse(text.replaceAll('&quot;', '"'));
}

test.skipIf(!existsSync(CHROMIUM))(
  'a browser gives answers to pages of the allowed origin, and to no others',
  async () => {
    const project = await api.addProject();
    const id = await createJob(api, project);
    const key = await api.addKey({ projectIds: [project], scopes: ['write'] });
    const allowed = originOf(servers[0]);
    const body = { projectId: project, jobId: id, scopes: ['write'], origin: allowed };
    const { token } = (await api.call('/v1/tokens', { token: key, body })).json;
    const query = { api: api.url, job: `/v2/agent/${project}/job/${id}`, token };
    expect(await open(allowed, query)).toEqual({ job: [200, true, id], refusal: 403, post: 200 });
    expect(await open(originOf(servers[1]), query)).toEqual({
      job: 'TypeError',
      refusal: 'TypeError',
      post: 'TypeError',
    });
  },
  400_000,
);
