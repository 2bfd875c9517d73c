/**
 * `npm run try-failover`: page views during a failover of PostgreSQL. Starts a primary and a streaming
 * replica of the system's PostgreSQL, an API and a worker, and sends page views without a pause. The replica
 * stops receiving; two seconds later the primary is killed, and the replica takes its place and port. Ends
 * with 0 if each view that was acknowledged counts again, once, without a command.
 */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, chown, glob, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { createLogger } from '../../src/platform/log.ts';
import { Reaper } from '@docent/servers/processes/reaper';
import { findTemporal } from '@docent/servers/temporal/find';
import { startTemporal } from '@docent/servers/temporal/server';
import { SEARCH_ATTRIBUTES } from '../../src/workflows/contract.ts';
import { makeRepository, SITE } from '../../test/support/repository.ts';
import { spawnRole, untilReady, type RoleProcess } from '../../test/support/role-process.ts';
import { freePort } from '../free-port.ts';

const BATCH = 20;
const LOAD_MS = 12_000;
const BEHIND_MS = 2_000;
const RECOVERY_MS = 120_000;
const PROJECT = 'acme';

const seconds = (since: number) => `${((performance.now() - since) / 1_000).toFixed(1)} s`;
const say = (text: string) => void process.stdout.write(`${text}\n`);
const run = promisify(execFile);
/** PostgreSQL refuses to run as root: then `nobody` runs it. */
const ids = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
const env = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C' };
const programs = (await Array.fromAsync(glob('/usr/lib/postgresql/*/bin'))).toSorted().at(-1);
if (programs === undefined) {
  process.stderr.write('There is no PostgreSQL in /usr/lib/postgresql. Install it: apt-get install postgresql\n');
  process.exit(2);
}
const program = (name: string, ...args: string[]) => run(path.join(programs, name), args, { ...ids, env, cwd: '/' });

const folder = await mkdtemp(path.join(tmpdir(), 'docent-failover-'));
const reaper = new Reaper();
reaper.deleteAfterDeath(folder);
const servers: ChildProcess[] = [];
const roles: RoleProcess[] = [];
let temporal: Awaited<ReturnType<typeof startTemporal>> | undefined;

async function tryFailover(): Promise<void> {
  await chmod(folder, 0o711);
  const [port, replicaPort] = [await freePort(), await freePort()];
  const [primaryData, replicaData] = [path.join(folder, 'primary'), path.join(folder, 'replica')];
  for (const data of [primaryData, replicaData]) {
    await mkdir(data, { mode: 0o700 });
    if (ids.uid !== undefined) await chown(data, ids.uid, ids.gid);
  }
  await program('initdb', '-D', primaryData, '-U', 'docent', '-A', 'trust', '-E', 'UTF8');
  const primary = await serve(primaryData, port);
  await query(port, 'CREATE DATABASE docent');
  await program('pg_basebackup', '-D', replicaData, '-R', '-X', 'stream', '-h', '127.0.0.1', '-p', String(port), '-U', 'docent'); // oxfmt-ignore
  const replica = await serve(replicaData, replicaPort);

  const api = await startRoles(`postgresql://docent@127.0.0.1:${port}/docent`);
  const load = new Load(api);
  const sending = load.run();
  await sleep(LOAD_MS);
  await query(replicaPort, `ALTER SYSTEM SET primary_conninfo = ''`);
  await query(replicaPort, 'SELECT pg_reload_conf()');
  const before = load.acknowledged;
  await sleep(BEHIND_MS);
  const unreplicated = load.acknowledged - before;
  await stop(primary, 'SIGKILL');
  const down = performance.now();
  await query(replicaPort, 'SELECT pg_promote()');
  await stop(replica, 'SIGINT');
  await serve(replicaData, port);
  say(`The replica took over after ${seconds(down)}. ${unreplicated} acknowledged views are not in it.`);
  const promoted = performance.now();
  await sleep(LOAD_MS);
  load.end();
  await sending;
  say(`${load.acknowledged} views were acknowledged, ${load.repeated} requests were repeated.`);
  const shown: string[] = [];
  for (let counted = 0; counted !== load.acknowledged; await sleep(500)) {
    counted = await load.counted();
    const text = `${seconds(promoted)} after the failover, ${counted} of ${load.acknowledged} count`;
    if (shown.at(-1) !== text) say(text);
    shown.push(text);
    if (counted > load.acknowledged) throw new Error('Views count twice.');
    if (performance.now() - promoted > RECOVERY_MS) throw new Error('Views are lost.');
  }
  const { status, analytics } = (await api.get('/v1/health')) as Record<string, unknown>;
  say(`Health: ${JSON.stringify({ status, analytics })}`);
  for (const role of roles) {
    for (const line of role.output().split('\n').filter((one) => /recover/i.test(one))) say(line.slice(0, 300)); // oxfmt-ignore
  }
  say('Every acknowledged view counts once.');
}

class Load {
  acknowledged = 0;
  repeated = 0;
  #ended = false;
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  end(): void {
    this.#ended = true;
  }

  /** Sends one request after the other, each until it is acknowledged. */
  async run(): Promise<void> {
    for (let no = 0; !this.#ended; no += 1) {
      const timestamp = Date.now();
      const events = Array.from({ length: BATCH }, (_, i) => ({ id: `${no}-${i}`, timestamp, path: `/page-${i}`, visitorId: `v${no}`, class: 'human' })); // oxfmt-ignore
      while (!(await this.#api.post(`/v1/analytics/${PROJECT}/events`, { events }))) {
        this.repeated += 1;
        await sleep(200);
      }
      this.acknowledged += BATCH;
      await sleep(30);
    }
  }

  async counted(): Promise<number> {
    const answer = await this.#api.get(`/v1/analytics/${PROJECT}/views?limit=1`);
    return (answer as { totals?: { total: number } }).totals?.total ?? 0;
  }
}

interface Api {
  get(path: string): Promise<unknown>;
  /** @returns whether it was accepted */
  post(path: string, body: object): Promise<boolean>;
}

async function startRoles(databaseUrl: string): Promise<Api> {
  const { binary } = await findTemporal({ env: process.env, onProgress: say });
  temporal = await startTemporal({
    binary,
    dbFile: path.join(folder, 'temporal.db'),
    port: await freePort(),
    uiPort: await freePort(),
    searchAttributes: Object.fromEntries(Object.values(SEARCH_ATTRIBUTES).map((name) => [name, 'Keyword'])),
    log: createLogger({ level: 'error', name: 'failover' }),
    reaper,
  });
  const apiPort = await freePort();
  const url = `http://127.0.0.1:${apiPort}`;
  const token = randomBytes(24).toString('hex');
  const settings = {
    HOME: folder,
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: temporal.address,
    DOCENT_PORT: String(apiPort),
    DOCENT_OPERATOR_TOKEN: token,
    DOCENT_CACHE_DIR: path.join(folder, 'cache'),
    DOCENT_ANALYTICS_DIR: path.join(folder, 'analytics'),
    DOCENT_LOG_LEVEL: 'info',
  };
  for (const name of ['api', 'worker'] as const) roles.push(spawnRole(name, settings));
  await untilReady(roles[0]!, async () => (await fetch(`${url}/readyz`)).ok);
  await untilReady(roles[1]!, () => roles[1]!.output().includes('ready for jobs'));
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const send = (to: string, init: RequestInit = {}) => fetch(`${url}${to}`, { ...init, headers, signal: AbortSignal.timeout(20_000) }); // oxfmt-ignore
  const api: Api = {
    get: async (to) => (await send(to)).json(),
    post: async (to, body) => {
      try {
        return (await send(to, { method: 'POST', body: JSON.stringify(body) })).ok;
      } catch {
        return false;
      }
    },
  };
  const repository = path.join(folder, 'docs.git');
  await makeRepository(repository, SITE);
  if (!(await api.post('/v1/projects', { id: PROJECT, repository, ref: 'main' }))) throw new Error('The project was refused.'); // oxfmt-ignore
  return api;
}

async function serve(data: string, port: number): Promise<ChildProcess> {
  const settings = ['listen_addresses=127.0.0.1', `port=${port}`, `unix_socket_directories=${data}`];
  const args = ['-D', data, ...settings.flatMap((setting) => ['-c', setting])];
  const server = spawn(path.join(programs!, 'postgres'), args, { ...ids, env, cwd: '/', stdio: 'ignore' });
  servers.push(server);
  const deadline = performance.now() + 30_000;
  while (
    !(await query(port, 'SELECT 1').then(
      () => true,
      () => false,
    ))
  ) {
    // oxfmt-ignore
    if (server.exitCode !== null || performance.now() > deadline) throw new Error(`PostgreSQL in ${data} did not start.`); // oxfmt-ignore
    await sleep(100);
  }
  return server;
}

async function stop(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  server.kill(signal);
  await once(server, 'exit');
}

async function query(port: number, sql: string): Promise<void> {
  const client = new Client({ connectionString: `postgresql://docent@127.0.0.1:${port}/postgres` });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query(sql);
  } finally {
    await client.end().catch(() => {});
  }
}

try {
  await tryFailover();
} catch (err) {
  process.stderr.write(`${(err as Error).stack ?? String(err)}\n`);
  process.exitCode = 1;
} finally {
  await Promise.all(roles.map((role) => role.kill('SIGTERM')));
  await temporal?.stop();
  for (const server of servers) await stop(server, 'SIGQUIT');
  await reaper.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}
