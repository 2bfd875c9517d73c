import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createDocentClient } from '../../packages/client/src/index.ts';
import { readOperatorToken, type RunFile } from '../../src/start/home.ts';
import { closedAncestor } from '@docent/servers/postgres/account';
import { findTemporal } from '@docent/servers/temporal/find';
import { makeClosedCheckout } from '../support/closed-checkout.ts';
import { descendantsOf, ROOT, StartedDocent, survivorsOf } from '../support/processes.ts';

const isRoot = process.getuid?.() === 0;
const succeeds = (command: string, ...args: string[]) => spawnSync(command, args).status === 0;

/**
 * As in a container with fewer capabilities: root may not set the bit that keeps a right across access(2).
 */
const WITHOUT_SETPCAP = ['setpriv', '--bounding-set', '-setpcap', '--inh-caps', '-setpcap', '--'];
/** A copy of the programs goes with the start, instead of staying in the system's cache. */
const OWN_CACHE = ['unshare', '--mount', 'sh', '-c', 'mount -t tmpfs tmpfs /var/cache && exec "$@"', 'sh'];
const canTakeAway = isRoot && succeeds('setpriv', ...WITHOUT_SETPCAP.slice(1), 'true');
const ownCache = isRoot && succeeds('unshare', '--mount', 'true') ? OWN_CACHE : [];

/** Under load, a start takes its time. */
const START_MS = 120_000;
const LONG_MS = 400_000;

let folder: string;
let checkout: string;
let cli: string;
let home: string;
const started: StartedDocent[] = [];

beforeAll(() => {
  if (!isRoot) return;
  folder = mkdtempSync(path.join(tmpdir(), 'docent-root-'));
  chmodSync(folder, 0o711);
  ({ checkout, cli } = makeClosedCheckout(path.join(folder, 'root')));
  home = path.join(checkout, '.docent');
});
afterEach(async () => {
  for (const docent of started.splice(0)) await docent.stop();
});
afterAll(() => {
  if (folder) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

function start(home: string, wrapper: string[] = []): StartedDocent {
  const command = [...wrapper, process.execPath, cli, 'start'];
  const docent = new StartedDocent(home, { command, spawn: { cwd: checkout } });
  started.push(docent);
  return docent;
}

async function jobs(home: string, run: RunFile): Promise<string[]> {
  const { data } = await clientOf(home, run).GET('/v2/agent/{projectId}/jobs', {
    params: { path: { projectId: 'demo' } },
  });
  return (data?.jobs ?? []).map(({ status }) => status);
}

function clientOf(home: string, run: RunFile) {
  return createDocentClient({ baseUrl: run.apiUrl, apiKey: readOperatorToken(home) ?? '' });
}

async function runJob(home: string, docent: StartedDocent, run: RunFile, name: string): Promise<void> {
  const prompt = `Add a page titled "${name}" at guides/${name.toLowerCase()} with the text "From root's home."`;
  const project = { projectId: 'demo' };
  const client = clientOf(home, run);
  const { data } = await client.POST('/v2/agent/{projectId}/job', { params: { path: project }, body: { prompt } });
  const at = { params: { path: { ...project, id: data?.id ?? '' } } };
  let status = 'active';
  await docent.until('the job ends', async () => {
    status = (await client.GET('/v2/agent/{projectId}/job/{id}', at)).data?.status ?? status;
    return status !== 'active';
  });
  expect(status).toBe('completed');
}

describe.runIf(isRoot)(
  "as root, with checkout and home in a folder that only root may enter, like root's own home",
  () => {
    describe.runIf(canTakeAway)('where root may not pass rights on', () => {
      const few = [...ownCache, ...WITHOUT_SETPCAP];

      test('it runs a copy of the programs on data in the home, and reports it', { timeout: LONG_MS }, async () => {
        const docent = start(home, few);
        const run = await docent.ready(START_MS);
        await runJob(home, docent, run, 'Two');
        expect(docent.output).toMatch(
          /PostgreSQL runs from a copy of its programs in \S+\/postgres-\S+, because its user \(uid 65534\) cannot access the ones of Docent\. Its data stays in \S+\.docent\/postgres\./,
        );
        expect(existsSync(path.join(home, 'postgres', 'data', 'PG_VERSION'))).toBe(true);
        process.kill(docent.pidOf('postgres'), 'SIGKILL');
        await docent.until('it says so', () => docent.output.includes('postgres is running again.'));
        await docent.until('the job is there', async () => (await jobs(home, run)).join() === 'completed');

        // No process stops the server: the next start finds it by its working folder.
        const orphan = docent.pidOf('postgres');
        const all = descendantsOf(docent.child.pid as number);
        const server = [orphan, ...descendantsOf(orphan)];
        for (const pid of [docent.child.pid as number, ...all.filter((one) => !server.includes(one))]) kill(pid);
        rmSync(path.join(home, 'processes.json'), { force: true });
        expect(await survivorsOf([orphan])).toEqual([orphan]);
        expect(await jobs(home, await start(home, few).ready(START_MS))).toEqual(['completed']);
        expect(await survivorsOf([orphan])).toEqual([]);
      });
    });

    test('Docent starts, on such data too, and a job ends in a pull request', { timeout: LONG_MS }, async () => {
      const docent = start(home);
      const run = await docent.ready(START_MS);
      const before = canTakeAway ? ['completed'] : [];
      expect(await jobs(home, run)).toEqual(before);
      await runJob(home, docent, run, 'One');
      expect(await jobs(home, run)).toEqual([...before, 'completed']);
      expect(docent.output).not.toContain('copy of its programs');
      expect(statSync(path.join(home, 'postgres', 'data')).uid, 'the database is not run by root').not.toBe(0);
    });

    test.runIf(canTakeAway)(
      'where root may not become another user, one sentence explains it and what to do',
      async () => {
        const none = [
          'setpriv',
          '--bounding-set',
          '-setpcap,-setuid,-setgid',
          '--inh-caps',
          '-setpcap,-setuid,-setgid',
          '--',
        ];
        const docent = start(path.join(checkout, 'third-home'), none);
        expect(await docent.ended()).toBe(1);
        expect(docent.output).toMatch(
          /PostgreSQL cannot run as root, and the user that Docent would use instead \(uid 65534\) cannot .* Run Docent as another user, or choose a home that all users can enter \(docent start --home \/var\/lib\/docent\)\. Or set DATABASE_URL/,
        );
      },
    );
  },
);

test.runIf(isRoot && succeeds('setpriv', '--version') && closedAncestor(ROOT) === null)(
  'as an ordinary user, everything runs under that user',
  { timeout: LONG_MS },
  async () => {
    const own = path.join(folder, 'nobody');
    execFileSync('install', ['-d', '-o', '65534', '-g', '65534', own]);
    const { binary } = await findTemporal({ env: process.env });
    execFileSync('install', ['-D', binary, path.join(own, 'bin', 'temporal')]); // root's own cache is closed to others
    const env = { HOME: own, XDG_CACHE_HOME: own, PATH: `${path.join(own, 'bin')}:${process.env.PATH}` };
    const docent = new StartedDocent(path.join(own, 'home'), { spawn: { uid: 65_534, gid: 65_534 }, env });
    started.push(docent);
    await docent.ready();
    expect(statSync(path.join(own, 'home', 'postgres', 'data')).mode & 0o777).toBe(0o700);
    expect(statSync(path.join(own, 'home')).mode & 0o077).toBe(0);
  },
);

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Another one removed it.
  }
}
