import { createHash } from 'node:crypto';
import { appendFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mergeProject } from '../../src/analytics/maintenance/merge.ts';
import { FolderTarget } from '../../src/analytics/maintenance/export-target.ts';
import { exportTo } from '../../src/analytics/maintenance/export-to.ts';
import { COLUMNS } from '../../src/analytics/storage/tables.ts';
import { analyticsBench, type AnalyticsBench } from '../support/analytics.ts';
import { BATCH, eventsOf, fillProject, knownEventsOf } from '../support/analytics-load.ts';

let bench: AnalyticsBench;
let to: string;

beforeAll(async () => {
  [bench, to] = await Promise.all([analyticsBench(), mkdtemp(path.join(tmpdir(), 'docent-export-'))]);
});
afterAll(async () => {
  await bench.close();
  await rm(to, { recursive: true });
});

const exported = (project: string) =>
  bench.versions.use(project, undefined, (pinned) => exportTo(bench.folder, bench.duck, pinned, new FolderTarget(to)));

interface Manifest {
  format: string;
  columns: { name: string; type: string }[];
  files: { path: string; rows: number; bytes: number; sha256: string }[];
}

/**
 * Reads the export through the manifest alone: its rows, and whether each file matches its entry.
 */
async function readExport(): Promise<{ manifest: Manifest; rows: number; ids: number; first: string }> {
  const manifest = JSON.parse(await readFile(path.join(to, 'manifest.json'), 'utf8')) as Manifest;
  for (const file of manifest.files) {
    const content = await readFile(path.join(to, file.path));
    expect([content.length, createHash('sha256').update(content).digest('hex')]).toEqual([file.bytes, file.sha256]);
  }
  expect((await readdir(path.join(to, 'events'))).toSorted()).toEqual(
    manifest.files.map((file) => path.basename(file.path)).toSorted(),
  );
  const files = manifest.files.map((file) => path.join(to, file.path));
  const found = await bench.duck.use((session) =>
    session.one<{ rows: bigint; ids: bigint; first: string }>(
      'SELECT count(*) AS rows, count(DISTINCT id) AS ids, min(time)::DATE::VARCHAR AS first FROM read_parquet($files)',
      { files },
    ),
  );
  expect(manifest.files.reduce((sum, file) => sum + file.rows, 0)).toBe(Number(found.rows));
  return { manifest, rows: Number(found.rows), ids: Number(found.ids), first: found.first };
}

test('a folder holds every page view once, is updated, and is complete again after damage', async () => {
  const project = await fillProject(bench, { batches: 8, unmerged: 3 });
  const all = 8 * BATCH;
  const first = await exported(project);
  expect(first).toMatchObject({ events: all, written: first.files });
  const { manifest, ...counted } = await readExport();
  expect(counted).toMatchObject({ rows: all, ids: all });
  expect(manifest).toMatchObject({ format: 'docent-events', project });
  expect(Object.fromEntries(manifest.columns.map(({ name, type }) => [name, type]))).toEqual(COLUMNS.events);

  expect(await exported(project), 'again').toEqual({ ...first, written: 0 });
  // One file was cut short, another is gone, and one that was being written was left behind.
  await appendFile(path.join(to, manifest.files[0]!.path), 'x');
  await rm(path.join(to, manifest.files.at(-1)!.path));
  await writeFile(path.join(to, `${manifest.files[0]!.path}.partial`), 'half');
  expect(await exported(project)).toEqual({ ...first, written: 2 });
  expect(await readExport()).toMatchObject({ rows: all, ids: all });

  // Merged events replace unmerged ones; repeated events count once.
  const ingestor = await bench.ingestor({ rememberedIds: 0 });
  await ingestor.ingest(project, [...eventsOf(7), ...eventsOf(8)]);
  await ingestor.flush();
  await mergeProject(bench, project);
  expect(await exported(project)).toMatchObject({ events: all + BATCH });
  expect(await readExport()).toMatchObject({ rows: all + BATCH, ids: all + BATCH });

  // Expired days are not exported, though their files still exist.
  const day = Math.min(...knownEventsOf(0).map(({ time }) => Math.floor(time / 86_400_000))) + 3;
  await bench.database.pool.query(
    'UPDATE analytics_projects SET floor_day = $1, version = version + 1 WHERE project_id = $2',
    [day, project],
  );
  await exported(project);
  const since = await readExport();
  expect(since.rows).toBeLessThan(all);
  expect(since.first >= new Date(day * 86_400_000).toISOString().slice(0, 10)).toBe(true);

  const other = await fillProject(bench, { batches: 2, unmerged: 0 });
  await expect(exported(other)).rejects.toThrow(/is of an export of .*Nothing was changed/);
  expect(await readExport()).toEqual(since);
});
