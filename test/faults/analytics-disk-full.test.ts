import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { foldProject } from '../../src/analytics/fold.ts';
import { AppError } from '../../src/errors.ts';
import { analyticsBench, type AnalyticsBench } from '../support/analytics.ts';
import { BATCH, eventsOf } from '../support/analytics-load.ts';

/** A small disk of its own; only root may make one. */
const disk = mkdtempSync(path.join(tmpdir(), 'docent-disk-'));
const isMounted = mount();

function mount(): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=12m', 'tmpfs', disk], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

let bench: AnalyticsBench;
beforeAll(async () => {
  if (isMounted) bench = await analyticsBench({ root: path.join(disk, 'analytics') });
});
afterAll(async () => {
  await bench?.close();
  if (isMounted) execFileSync('umount', [disk]);
  rmSync(disk, { recursive: true, force: true });
});

const filler = path.join(disk, 'filler');
const fillUp = () => {
  const { bavail, bsize } = statfsSync(disk);
  for (let size = bavail * bsize; size > 0; size -= 4_096) {
    try {
      writeFileSync(filler, Buffer.alloc(size));
      return;
    } catch {
      // A little less, then.
    }
  }
};

// Without the right to mount, there is no small disk to fill: run as root to have this tested.
test.skipIf(!isMounted)('a full disk refuses events, loses none, and takes them again once there is room', async () => {
  const project = await bench.newProject();
  const ingestor = await bench.ingestor({ rememberedIds: 0 });
  let accepted = 0;
  for (let no = 0; no < 5; no += 1) accepted += (await ingestor.ingest(project, eventsOf(no))).accepted;
  fillUp();
  const refused: unknown[] = [];
  for (let no = 5; no < 40; no += 1) {
    try {
      accepted += (await ingestor.ingest(project, eventsOf(no))).accepted;
    } catch (err) {
      refused.push(err);
    }
  }
  expect(refused.length).toBeGreaterThan(0);
  for (const err of refused) {
    expect(err).toBeInstanceOf(AppError);
    expect(err).toMatchObject({ code: 'storage_full', status: 507, retryAfterSeconds: 30 });
  }
  // Nothing can be sealed either; nothing is lost by trying.
  await expect(ingestor.flush()).rejects.toThrow(/cannot be sealed/);

  rmSync(filler);
  for (let no = 40; no < 45; no += 1) accepted += (await ingestor.ingest(project, eventsOf(no))).accepted;
  await ingestor.flush();
  const views = () =>
    bench.snapshots.use(project, undefined, async (snapshot) => {
      const all = { from: null, to: null };
      return (await bench.queries.byPath(snapshot, 'views', all, { limit: 1, offset: 0 })).totals.total;
    });
  expect(accepted % BATCH).toBe(0);
  expect(await views()).toBe(accepted);

  fillUp();
  await expect(foldProject(bench, project)).rejects.toThrow();
  rmSync(filler);
  expect(await views()).toBe(accepted);
  await foldProject(bench, project);
  expect(await views()).toBe(accepted);
});
