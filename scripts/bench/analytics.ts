import { randomBytes } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import path from 'node:path';
import { DAY_MS } from '@docent/base/time';
import { dateText, type Range } from '../../src/analytics/events/days.ts';
import { Queries } from '../../src/analytics/query/queries.ts';
import { PinnedVersions, type PinnedVersion } from '../../src/analytics/query/pinned-version.ts';
import { indexOf } from '../../src/analytics/storage/index-of.ts';
import { absolutePaths, ofFamily } from '../../src/analytics/storage/tables.ts';
import { readManifest } from '../../src/store/analytics/manifest.ts';
import type { FileFamily } from '../../src/store/analytics/analytics-schema.ts';
import { spawnRole, untilReady } from '../../test/support/role-process.ts';
import { freePort } from '../free-port.ts';
import { median, megabytes, ms, percentile, type BenchRow } from './bench-row.ts';
import { CountDistinct } from './count-distinct.ts';
import { CHUNK, MEMORY_MB, openData, PROJECT, SMALL, type OpenData } from './data-folder.ts';
import { peakMemory, processorSeconds, took, type Took } from './process-usage.ts';
import { describeSet, LAST_DAY, type DataSet } from './data-set.ts';

const PAGE = { limit: 50, offset: 0 };
const EVERYTHING = { limit: 1_000_000, offset: 0 };
const CLIENTS = 8;
const REQUESTS = 250;
/** Queries before the measured ones, so that the process has compiled its hot code. */
const WARM = 300;
const UNMERGED = 20_000;
const END = (LAST_DAY + 1) * DAY_MS;

/**
 * Measures merging and the export against three `COUNT(DISTINCT)` over the same Parquet files, and compares
 * the rows.
 */
export async function benchAnalytics(set: DataSet): Promise<BenchRow[]> {
  const data = await openData(set);
  try {
    const name = describeSet(set);
    const rows = [
      ...(await storageRows(data, set)),
      ...mergeRows(data),
      ...(await exportRows(data, set)),
      ...(await httpRows(data, set)),
    ];
    return rows.map((row) => ({ ...row, name: `${name}: ${row.name}` }));
  } finally {
    await data.close();
  }
}

async function storageRows({ database, folder }: OpenData, { days }: DataSet): Promise<BenchRow[]> {
  const { files } = await readManifest(database.db, PROJECT);
  const sum = (family: FileFamily, what: 'bytes' | 'rows') =>
    ofFamily(files, family).reduce((total, file) => total + file[what], 0);
  const size = (family: FileFamily) =>
    `${megabytes(sum(family, 'bytes'))} in ${ofFamily(files, family).length} files, ${sum(family, 'rows').toLocaleString('en-US')} rows`;
  let indexes = 0;
  for (const file of absolutePaths(folder, ofFamily(files, 'presence'))) {
    indexes += (await stat(indexOf(file)).catch(() => null))?.size ?? 0;
  }
  const share = sum('cube', 'bytes') / sum('events', 'bytes');
  return [
    { name: 'raw events', measured: size('events') },
    {
      name: 'cube (links)',
      measured: `${size('cube')}, ${(share * 100).toFixed(2)} % of the raw bytes`,
      ...(days === 30 ? { goal: '≤ 1 %', met: share <= 0.01 } : {}),
    },
    { name: 'presence (state)', measured: `${size('presence')}; indexes ${megabytes(indexes)}` },
    { name: 'revisits', measured: size('revisits') },
  ];
}

function mergeRows({ built }: OpenData): BenchRow[] {
  const perEvent = (from: number, to: number) =>
    ((all(built.merges.slice(from, to)) + all(built.compactions.slice(from, to))) * 1_000) /
    (Math.min(to, built.merges.length) - from) /
    CHUNK;
  const rows: BenchRow[] = [
    { name: 'merge of 500,000 events', measured: `median ${medianOf(built.merges)}; ${most(built.merges)}` },
    { name: 'compaction after a merge', measured: `median ${medianOf(built.compactions)}; ${most(built.compactions)}` },
  ];
  const step = Math.max(1, Math.ceil(built.merges.length / 10));
  for (let from = 0; from < built.merges.length; from += step) {
    const merges = built.merges.slice(from, from + step);
    rows.push({
      name: `events ${millions(from * CHUNK)} to ${millions((from + merges.length) * CHUNK)}`,
      measured: `a merge ${medianOf(merges)}; with compaction ${perEvent(from, from + step).toFixed(1)} µs of processor time an event`,
    });
  }
  for (const { events, merges, questions } of built.stages) {
    const few = SMALL.toLocaleString('en-US');
    rows.push({ name: `merge of ${few} events behind ${millions(events)}`, measured: medianOf(merges) });
    rows.push({ name: `first question after ${few} events behind ${millions(events)}`, measured: medianOf(questions) });
  }
  rows.push({
    name: `all merges, DuckDB limited to ${MEMORY_MB} MB`,
    measured: `${built.seconds.toFixed(0)} s with making the events, peak memory ${megabytes(built.peakRssBytes)}`,
  });
  return rows;
}

const medianOf = (took: Took[]) =>
  `${ms(median(took.map(({ cpuMs }) => cpuMs)))} of processor time, ${ms(median(took.map(({ wallMs }) => wallMs)))}`;
const most = (took: Took[]) =>
  `most ${ms(Math.max(...took.map(({ cpuMs }) => cpuMs)))}, ${ms(Math.max(...took.map(({ wallMs }) => wallMs)))}`;
const all = (took: Took[]) => took.reduce((sum, { cpuMs }) => sum + cpuMs, 0);

const millions = (events: number): string => `${events / 1e6}M`;

async function exportRows(data: OpenData, set: DataSet): Promise<BenchRow[]> {
  const { database, folder, duck } = data;
  const rows: BenchRow[] = [];
  const versions = new PinnedVersions(database, folder, duck);
  const queries = new Queries(folder, duck);
  const ask = (range: Range, page = PAGE) =>
    versions.use(PROJECT, undefined, (pinned) => queries.byPath(pinned, 'visitors', range, page));
  try {
    rows.push(await firstRow(data));
    const { files } = await readManifest(database.db, PROJECT);
    const reference = await CountDistinct.open(absolutePaths(folder, ofFamily(files, 'events')));
    try {
      for (const { label, range, goal } of rangesOf(set)) rows.push(await compare(label, range, goal));
      rows.push(await compareUneven());

      async function compare(label: string, range: Range, goal: number | undefined): Promise<BenchRow> {
        const times = await repeat(20, () => ask(range));
        const [before, after] = [
          await timed(() => reference.byPath(range)),
          await timed(() => reference.byPath(range)),
        ];
        times.push(...(await repeat(20, () => ask(range))));
        const all = await ask(range, EVERYTHING);
        const isEqual = JSON.stringify(all.rows) === JSON.stringify(before.result);
        const beside = Math.min(before.ms, after.ms);
        const ratio = beside / median(times);
        return {
          name: `export over ${label}`,
          measured: `${ms(median(times))} beside ${ms(beside)}, ${isEqual ? 'equal' : 'DIFFERENT'} in ${all.rows.length} rows`,
          ratio,
          goal: goal === undefined ? 'equal' : `≥ ${goal}, equal`,
          met: isEqual && ratio >= (goal ?? 0),
        };
      }

      async function compareUneven(): Promise<BenchRow> {
        const range: Range = { from: END - (Math.min(set.days, 30) - 0.6) * DAY_MS, to: END - 0.3 * DAY_MS };
        const times = await repeat(5, () => ask(range));
        const beside = await timed(() => reference.byPath(range));
        const all = await ask(range, EVERYTHING);
        const isEqual = JSON.stringify(all.rows) === JSON.stringify(beside.result);
        return {
          name: 'export over a range with times of day',
          measured: `median ${ms(median(times))}, most ${ms(Math.max(...times))} beside ${ms(beside.ms)}, ${isEqual ? 'equal' : 'DIFFERENT'} in ${all.rows.length} rows`,
          ratio: beside.ms / median(times),
          goal: '≤ 1 s, equal',
          met: isEqual && median(times) <= 1_000,
        };
      }
    } finally {
      await reference.close();
    }
    await data.addUnmergedEvents(UNMERGED);
    const thirty = { from: END - Math.min(set.days, 30) * DAY_MS, to: END + DAY_MS };
    const unmerged = await repeat(6, () => ask(thirty));
    rows.push({
      name: `export while ${UNMERGED.toLocaleString('en-US')} events are waiting to be merged`,
      measured: `first ${ms(unmerged[0] ?? NaN)}, then median ${ms(median(unmerged.slice(1)))}`,
    });
    await data.addUnmergedEvents(0);
    rows.push(...(await otherRows(queries, versions, thirty)));
    return rows;
  } finally {
    await versions.close();
  }
}

/** The cost of a process with empty memory. */
async function firstRow({ database, folder, duck }: OpenData): Promise<BenchRow> {
  const queries = new Queries(folder, duck);
  const versions = new PinnedVersions(database, folder, duck);
  const first = await took(() =>
    versions.use(PROJECT, undefined, (pinned) => queries.byPath(pinned, 'visitors', { from: null, to: null }, PAGE)),
  );
  await versions.close();
  const measured = `${ms(first.wallMs)}, ${ms(first.cpuMs)} of processor time`;
  return { name: 'first export of a process, which reads the cube', measured };
}

/** The other questions about the same days. */
async function otherRows(queries: Queries, versions: PinnedVersions, range: Range): Promise<BenchRow[]> {
  const questions: Record<string, (pinned: PinnedVersion) => Promise<unknown>> = {
    views: (pinned) => queries.byPath(pinned, 'views', range, PAGE),
    'time series': (pinned) => queries.timeseries(pinned, range),
    agents: (pinned) => queries.agents(pinned, range),
    referrers: (pinned) => queries.referrers(pinned, range, PAGE),
    'broken links': (pinned) => queries.notFound(pinned, range, PAGE),
  };
  const rows: BenchRow[] = [];
  for (const [name, ask] of Object.entries(questions)) {
    const times = await repeat(5, () => versions.use(PROJECT, undefined, ask));
    rows.push({ name: `${name} over the same days`, measured: `median ${ms(median(times))}` });
  }
  return rows;
}

const last = (count: number): Range => ({ from: END - count * DAY_MS, to: END });

/** Ranges of whole days, some with goals. */
function rangesOf({ days }: DataSet): { label: string; range: Range; goal?: number }[] {
  const ranges: { label: string; range: Range; goal?: number }[] = [];
  if (days > 30) {
    ranges.push({ label: `${days} days`, range: last(days) });
    const middle = Math.floor(days / 4);
    ranges.push({
      label: `${days - 2 * middle} days from the middle`,
      range: { from: END - (days - middle) * DAY_MS, to: END - middle * DAY_MS },
    });
  }
  ranges.push({
    label: `${Math.min(days, 30)} days`,
    range: last(Math.min(days, 30)),
    ...(days === 30 ? { goal: 100 } : {}),
  });
  ranges.push({
    label: `${Math.min(days, 7)} days`,
    range: last(Math.min(days, 7)),
    ...(days === 30 ? { goal: 25 } : {}),
  });
  return ranges.filter(({ label }, i) => ranges.findIndex((other) => other.label === label) === i);
}

/**
 * The export over HTTP, from the role `api` as it runs in production; PostgreSQL and the clients share the
 * processors.
 */
async function httpRows(data: OpenData, set: DataSet): Promise<BenchRow[]> {
  const port = await freePort();
  const token = randomBytes(24).toString('hex');
  const url = `http://127.0.0.1:${port}`;
  const api = spawnRole('api', {
    HOME: data.root,
    DATABASE_URL: data.databaseUrl,
    TEMPORAL_ADDRESS: '127.0.0.1:9', // No measurement here needs it.
    DOCENT_PORT: String(port),
    DOCENT_PUBLIC_URL: url,
    DOCENT_OPERATOR_TOKEN: token,
    DOCENT_CACHE_DIR: path.join(data.root, 'cache'),
    DOCENT_ANALYTICS_DIR: data.folder.root,
    DOCENT_ANALYTICS_MEMORY_MB: String(MEMORY_MB),
    DOCENT_LOG_LEVEL: 'warn',
  });
  try {
    await untilReady(api, async () => (await fetch(`${url}/healthz`)).ok);
    const headers = { authorization: `Bearer ${token}`, 'accept-encoding': 'gzip, deflate, br' };
    const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
    // Every query differs, as far as the set has enough days, and the clients take little processor time.
    const ask = (no: number) =>
      new Promise<void>((resolve, reject) => {
        const from = LAST_DAY + 1 - set.days + ((no * 7_919) % set.days);
        const to = from + 1 + (Math.floor(no / set.days) % (LAST_DAY + 1 - from));
        const query = `dateFrom=${dateText(from)}&dateTo=${dateText(to)}`;
        get(`${url}/v1/analytics/${PROJECT}/visitors?${query}`, { agent, headers }, (response) => {
          response.resume();
          response.once('end', () =>
            response.statusCode === 200 ? resolve() : reject(new Error(`The API answers ${response.statusCode}.`)),
          );
        }).once('error', reject);
      });
    let next = 0;
    for (; next < WARM; next += 1) await ask(next);
    const times: number[] = [];
    const cpuBefore = await processorSeconds(api.child.pid);
    const startedAt = performance.now();
    await Promise.all(
      Array.from({ length: CLIENTS }, async () => {
        for (let no = 0; no < REQUESTS; no += 1) {
          next += 1;
          times.push((await timed(() => ask(next))).ms);
        }
      }),
    );
    agent.destroy();
    const rate = times.length / ((performance.now() - startedAt) / 1_000);
    const p99 = percentile(times, 99);
    const cpu = ((await processorSeconds(api.child.pid)) ?? NaN) - (cpuBefore ?? NaN);
    const peak = await peakMemory(api.child.pid);
    return [
      {
        name: `export over HTTP, ${CLIENTS} clients, different ranges`,
        measured: `p50 ${ms(median(times))}, p99 ${ms(p99)}, ${rate.toFixed(0)}/s, ${ms((cpu / times.length) * 1_000)} of the API's processor time for each`,
        goal: 'p99 ≤ 50 ms',
        met: p99 <= 50,
      },
      ...(peak === null ? [] : [{ name: 'peak memory of the API process', measured: megabytes(peak) }]),
    ];
  } finally {
    await api.kill('SIGTERM');
  }
}

async function timed<T>(work: () => Promise<T>): Promise<{ ms: number; result: T }> {
  const startedAt = performance.now();
  const result = await work();
  return { ms: performance.now() - startedAt, result };
}

async function repeat(times: number, work: () => Promise<unknown>): Promise<number[]> {
  const measured: number[] = [];
  for (let i = 0; i < times; i += 1) measured.push((await timed(work)).ms);
  return measured;
}
