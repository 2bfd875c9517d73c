import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mergeProject } from '../../src/analytics/maintenance/merge.ts';
import { verifyBackup } from '../../src/operations/backup/verify-backup.ts';
import { analyticsBench, type AnalyticsBench } from '../support/analytics.ts';
import { BATCH, fillProject } from '../support/analytics-load.ts';
import type { Orders } from '../support/analytics-process.ts';
import { runProcess, type Ended } from '../support/analytics-runs.ts';
import { claimRoot, backUp, installation, restoreAnew, type RestoredPlace } from '../support/backups.ts';
import { expectExactly, knownUpTo } from '../support/counted-exactly.ts';

const ALL = { from: null, to: null };
const FILLED = 6;

/** A project with batches of events, in which a process died. */
interface Killed extends Ended {
  project: string;
}

// After `wal-appended`, the disk holds what it holds after `wal-synced`.
const SERVER_FAULTS = ['wal-synced', 'seal-written', 'seal-renamed', 'seal-committed'];

/** Each kind of state once: files that no row names yet, and rows of files that are to be deleted. */
const WORK: readonly [Orders['do'], string][] = [
  ['merge', 'merge-committed'],
  ['compact', 'compact-written'],
  ['erase', 'erase-written'],
  ['erase', 'erase-committed'],
];
const filledFor = (work: Orders['do']) => (work === 'compact' ? 16 : FILLED);

const killed = new Map<string, Killed>();
let folder: string;
let bench: AnalyticsBench;
/** One backup after all kills, restored, once a server has started on it. */
let at: AnalyticsBench;
let place: RestoredPlace;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'docent-backups-'));
  bench = await installation();
});
beforeAll(async () => {
  for (const fault of SERVER_FAULTS) {
    const project = await bench.newProject();
    killed.set(fault, { project, ...(await killedAt({ do: 'ingest', project, fault, batches: 100_000 }, 20_000)) });
  }
});
beforeAll(async () => {
  for (const [work, fault] of WORK) {
    const project = await fillProject(bench, { batches: filledFor(work), unmerged: 1 });
    killed.set(fault, { project, ...(await killedAt({ do: work, project, fault })) });
  }
});
beforeAll(async () => {
  const file = path.join(folder, 'all.docent-backup');
  await backUp(bench, file);
  expect((await verifyBackup(file)).losses).toEqual([]);
  place = await restoreAnew(file);
  at = await analyticsBench({ database: place.database, root: place.root });
  await claimRoot(place.database, place.root);
  const ingestor = await at.ingestor();
  await ingestor.takeOver(0);
  await ingestor.takeOver(0);
});
afterAll(async () => {
  await at?.close();
  await place?.close();
  await bench.close();
  await rm(folder, { recursive: true, force: true });
});

async function killedAt(...[orders, afterMs]: [Parameters<typeof runProcess>[1], number?]): Promise<Ended> {
  const ended = await runProcess(bench, orders, afterMs);
  expect(ended.signal, ended.errors).toBe('SIGKILL');
  return ended;
}

async function viewsOf(project: string): Promise<number> {
  return at.versions.use(project, undefined, async (pinned) => {
    const { totals } = await at.queries.byPath(pinned, 'views', ALL, { limit: 1, offset: 0 });
    return totals.total;
  });
}

test.each(SERVER_FAULTS)(
  'of a server that died at %s, a backup has all that it had acknowledged, once',
  async (fault) => {
    const { project, acknowledged } = killed.get(fault)!;
    const batches = (await viewsOf(project)) / BATCH;
    expect([acknowledged.length, acknowledged.length + 1]).toContain(batches);
    await mergeProject(at, project);
    await expectExactly(at, project, knownUpTo(batches));
  },
);

test.each(WORK)('of files that a process which died was at (%s, %s), a backup has what counts', async (work, fault) => {
  const { project } = killed.get(fault)!;
  const all = knownUpTo(filledFor(work));
  const expected = fault === 'erase-committed' ? all.filter(({ visitor }) => visitor !== 'v1') : all;
  await expectExactly(at, project, expected);
  await mergeProject(at, project);
  await expectExactly(at, project, expected);
});
