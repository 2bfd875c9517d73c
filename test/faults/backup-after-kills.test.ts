import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mergeProject } from '../../src/analytics/maintenance/merge.ts';
import { verifyBackup } from '../../src/operations/backup/verify-backup.ts';
import { analyticsBench, type AnalyticsBench } from '../support/analytics.ts';
import { BATCH, fillProject } from '../support/analytics-load.ts';
import type { Orders } from '../support/analytics-process.ts';
import { runProcess } from '../support/analytics-runs.ts';
import { claimRoot, backUp, installation, restoreAnew } from '../support/backups.ts';
import { expectExactly, knownUpTo } from '../support/counted-exactly.ts';

const ALL = { from: null, to: null };
const FILLED = 6;

let folder: string;
let bench: AnalyticsBench;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'docent-backups-'));
  bench = await installation();
});
afterAll(async () => {
  await bench.close();
  await rm(folder, { recursive: true, force: true });
});

async function viewsOf(at: AnalyticsBench, project: string): Promise<number> {
  return at.versions.use(project, undefined, async (pinned) => {
    const { totals } = await at.queries.byPath(pinned, 'views', ALL, { limit: 1, offset: 0 });
    return totals.total;
  });
}

/** The restored state of a backup after kills, once a server has started on it. */
async function restored(name: string, look: (at: AnalyticsBench) => Promise<void>): Promise<void> {
  const file = path.join(folder, `${name}.docent-backup`);
  await backUp(bench, file);
  expect((await verifyBackup(file)).losses).toEqual([]);
  const { database, root, close } = await restoreAnew(file);
  const at = await analyticsBench({ database, root });
  await claimRoot(database, root);
  const ingestor = await at.ingestor();
  await ingestor.takeOver(0);
  await ingestor.takeOver(0);
  await look(at);
  await at.close();
  await close();
}

// After `wal-appended`, the disk holds what it holds after `wal-synced`.
test.each(['wal-synced', 'seal-written', 'seal-renamed', 'seal-committed'])(
  'of a server that died at %s, a backup has all that it had acknowledged, once',
  async (fault) => {
    const project = await bench.newProject();
    const { acknowledged, signal, errors } = await runProcess(
      bench,
      { do: 'ingest', project, fault, batches: 100_000 },
      20_000,
    );
    expect(signal, errors).toBe('SIGKILL');
    await restored(fault, async (at) => {
      const batches = (await viewsOf(at, project)) / BATCH;
      expect([acknowledged.length, acknowledged.length + 1]).toContain(batches);
      await mergeProject(at, project);
      await expectExactly(at, project, knownUpTo(batches));
    });
  },
);

/** Each kind of state once: files that no row names yet, and rows of files that are to be deleted. */
const WORK: readonly [Orders['do'], string][] = [
  ['merge', 'merge-committed'],
  ['compact', 'compact-written'],
  ['erase', 'erase-written'],
  ['erase', 'erase-committed'],
];

test.each(WORK)('of files that a process which died was at (%s, %s), a backup has what counts', async (work, fault) => {
  const project = await fillProject(bench, { batches: work === 'compact' ? 16 : FILLED, unmerged: 1 });
  const { signal, errors } = await runProcess(bench, { do: work, project, fault });
  expect(signal, errors).toBe('SIGKILL');
  const all = knownUpTo(work === 'compact' ? 16 : FILLED);
  const expected = fault === 'erase-committed' ? all.filter(({ visitor }) => visitor !== 'v1') : all;
  await restored(fault, async (at) => {
    await expectExactly(at, project, expected);
    await mergeProject(at, project);
    await expectExactly(at, project, expected);
  });
});
