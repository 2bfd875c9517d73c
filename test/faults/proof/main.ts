/**
 * A cluster like an operator's, under load and faults, and then a check that everything acknowledged exists,
 * once:
 *
 *   npm run proof -- --minutes 30 --seed 7            faults, and an upgrade in the middle
 *   npm run proof -- --minutes 30 --seed 7 --bucket the same with event files in a bucket, and its own disk
 *   for each role npm run proof -- --minutes 480 --load 0.1 --calm no faults: memory, files, connections and
 *   tables must not rise
 *
 * Leaves `report.json`, `report.md`, the ledger and all logs in `--out`. Ends with 1 where something is
 * wrong.
 */
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import { Client as Database } from 'pg';
import { randomFrom } from '../../../scripts/random.ts';
import { BARE_ENV } from '../../support/bare-env.ts';
import { ROOT } from '../../support/processes.ts';
import { FaultRounds } from './fault-rounds.ts';
import type { Build } from '../../support/builds.ts';
import { laterBuild } from './builds.ts';
import type { Findings } from './checker/ledger-file.ts';
import { Client } from './client.ts';
import { Cluster } from './cluster.ts';
import { countSignalsNow, customers, site, type Work } from './customers.ts';
import { trends } from './flatness.ts';
import { Ledger } from './ledger.ts';
import { writeReport } from './report.ts';
import { Watch } from './watch.ts';

const PROJECT = 'acme';
/** How long an undisturbed cluster may take to come to rest. */
const REST_MS = 600_000;
const LOOKS = 240;
const POLLED_MS = 15_000;
const CONTRACT_TRIES = 60;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    load: { type: 'string', default: '1' },
    calm: { type: 'boolean', default: false },
    // Event files in a real S3 server, and its own disk for each role; else in a folder that all share.
    bucket: { type: 'boolean', default: false },
    out: { type: 'string', default: path.join(tmpdir(), `docent-proof-${Date.now()}`) },
  },
});
const [minutes, seed, load] = [Number(values.minutes), Number(values.seed), Number(values.load)];
if (!(minutes > 0) || !(load > 0) || !Number.isInteger(seed))
  throw new Error('--minutes, --load and --seed are numbers.');
const began = performance.now();
let contracted: Promise<string | null> = Promise.resolve(null);
const say = (text: string) =>
  process.stdout.write(`${((performance.now() - began) / 60_000).toFixed(1).padStart(6)} min  ${text}\n`);

await mkdir(values.out, { recursive: true });
say(`seed ${seed}, in ${values.out}`);
const cluster = await Cluster.start(site(), { logs: path.join(values.out, 'logs'), hasBucket: values.bucket, say });
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    // Cleans up on exit, mainly disks.
    void cluster.stop().finally(() => process.exit(1));
  });
}
try {
  process.exitCode = (await runProof()) ? 0 : 1;
} finally {
  await cluster.stop();
}

/** @returns whether all is right */
async function runProof(): Promise<boolean> {
  const ledger = new Ledger(PROJECT);
  const client = new Client(cluster.urls, cluster.operatorToken, ledger);
  const body = { id: PROJECT, repository: cluster.repository, ref: 'main' };
  await client.insist({ method: 'post', route: '/v1/projects', body });
  say(`PostgreSQL ${cluster.versions.postgres}, Temporal ${cluster.versions.temporal}: all roles run`);

  const work: Work = { client, ledger, random: randomFrom(seed), load, isOn: true };
  const watch = new Watch(cluster, Math.max(2_000, (minutes * 60_000) / LOOKS));
  const loadBegan = performance.now();
  const left = () => minutes * 60_000 - (performance.now() - loadBegan);
  const telling = setInterval(
    () =>
      say(
        `${ledger.jobs.length} jobs, ${ledger.views} views, ${ledger.answers} answers, ${ledger.complaints.length} complaints`,
      ),
    60_000,
  );
  const all = customers(work);
  const faults = new FaultRounds(cluster, randomFrom(seed + 1));
  const half = (minutes * 60_000) / 2;
  if (values.calm) await sleep(half);
  else await faults.run(() => left() < half, say);
  const upgradedTo = values.calm ? null : await upgrade();
  if (values.calm) await sleep(Math.max(0, left()));
  else await faults.run(() => left() < 0, say);
  work.isOn = false;
  ledger.endedAt = new Date();
  const loaded = (performance.now() - loadBegan) / 1_000;
  await watch.stop();
  say('the load ends');
  await Promise.all(all);
  await countSignalsNow(client);
  await rest();
  clearInterval(telling);
  const stillThere = await contracted;
  if (stillThere !== null) ledger.complaints.push(stillThere);

  const findings = await check(ledger);
  const measured = trends(watch.series);
  if (values.calm)
    for (const { name, isFlat } of measured) if (!isFlat) findings.wrong.push(`It rises with time: ${name}.`);
  const text = await writeReport(values.out, {
    command: `npm run proof -- ${process.argv.slice(2).join(' ')}`,
    seed,
    minutes,
    load,
    versions: { ...cluster.versions, node: process.versions.node, cores: String(availableParallelism()) },
    seconds: { load: loaded, rest: (performance.now() - loadBegan) / 1_000 - loaded },
    faults: Object.fromEntries([...faults.injected].toSorted(([a], [b]) => a.localeCompare(b))),
    starts: cluster.starts,
    upgradedTo,
    answers: Object.fromEntries(ledger.byOperation()),
    unanswered: ledger.unanswered,
    findings,
    trends: measured,
  });
  process.stdout.write(`\n${text}`);
  return findings.wrong.length === 0;
}

/** Workers first, then APIs, one after the other, under load. */
async function upgrade(): Promise<string> {
  // Its files are deleted with the cluster.
  process.env.TMPDIR = cluster.folder;
  const build = laterBuild(path.join(cluster.folder, 'later'));
  for (const role of [...cluster.workers, ...cluster.apis]) {
    say(`upgrade of ${role.name} to ${build.version}`);
    await cluster.replace(role, build);
  }
  contracted = contract(build);
  return build.version;
}

/**
 * Takes away what the older version needed, while everything else continues: once none of its processes
 * counts as alive.
 */
async function contract(build: Build): Promise<string | null> {
  const env = { ...BARE_ENV, DATABASE_URL: cluster.databaseUrl, ...build.env };
  for (let tries = 1; ; tries += 1) {
    const said = await promisify(execFile)(process.execPath, [build.cli, 'migrate'], { env }).then(
      ({ stdout, stderr }) => stdout + stderr,
      (err: unknown) => String((err as { stderr?: string }).stderr),
    );
    // By this command, or by one of the processes before it.
    if (/0903_next_take: done|up to date, at level 903/.test(said)) return null;
    if (tries === CONTRACT_TRIES) return `What the older version needed is still there: ${said}`;
    await sleep(5_000);
  }
}

async function rest(): Promise<void> {
  const deadline = Date.now() + REST_MS;
  const database = new Database({ connectionString: cluster.databaseUrl });
  await database.connect();
  // The newest push is polled, and readers' signals are counted, within seconds.
  await sleep(POLLED_MS);
  const active = async () =>
    (
      await database.query<{ n: number }>(
        `SELECT (SELECT count(*) FROM jobs WHERE status = 'active')::int
           + (SELECT count(*) FROM trigger_events WHERE state = 'waiting')::int
           + (SELECT count(*) FROM automation_runs WHERE status IN ('queued', 'running'))::int AS n`,
      )
    ).rows[0]?.n;
  while ((await active()) !== 0 && Date.now() < deadline) await sleep(1_000);
  await database.end();
}

/** By a separate process without any of Docent's code. */
async function check(ledger: Ledger): Promise<Findings> {
  const file = path.join(values.out, 'ledger.json');
  await writeFile(file, JSON.stringify(ledger));
  const args = Object.entries({
    ledger: file,
    database: cluster.databaseUrl,
    repository: cluster.repository,
    files: cluster.filesFolder,
    api: cluster.urls[0] ?? '',
    contract: path.join(ROOT, 'openapi.yaml'),
  }).flatMap(([name, value]) => [`--${name}`, value]);
  const program = path.join(import.meta.dirname, 'checker', 'check.ts');
  const env = { PATH: process.env.PATH, DOCENT_TEST_PROOF_TOKEN: cluster.operatorToken };
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...args], {
    env,
    maxBuffer: 64 * 1024 * 1024,
  }).catch((err: { stdout?: string }) => {
    // It ends with 1 where it found something.
    if (err.stdout?.startsWith('{')) return { stdout: err.stdout };
    throw err;
  });
  return JSON.parse(stdout) as Findings;
}
