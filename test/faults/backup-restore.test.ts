import { readFileSync } from 'node:fs';
import { copyFile, mkdtemp, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compactProject } from '../../src/analytics/maintenance/compact.ts';
import { mergeProject } from '../../src/analytics/maintenance/merge.ts';
import { deleteRemoved, eraseVisitor } from '../../src/analytics/maintenance/erase.ts';
import { verifyVersion } from '../../src/analytics/maintenance/verify.ts';
import { verifyBackup } from '../../src/operations/backup/verify-backup.ts';
import { restoreBackup } from '../../src/operations/backup/restore-backup.ts';
import { migrate } from '../../src/store/installation/migrate.ts';
import { readMigrations } from '../../src/store/installation/migration-files.ts';
import { analyticsBench, type AnalyticsBench } from '../support/analytics.ts';
import { BATCH, eventsOf, fillProject } from '../support/analytics-load.ts';
import {
  claimRoot,
  allRows,
  backUp,
  installation,
  namesInTar,
  restoreAnew,
  type RestoredPlace,
} from '../support/backups.ts';
import { bruteCount } from '../support/brute-count.ts';
import { knownUpTo } from '../support/counted-exactly.ts';
import { times } from '../support/how-often.ts';
import { createEmptyDatabase } from '../support/stack.ts';

const LONG_MS = 180_000;
const ALL = { from: null, to: null };

let folder: string;
let made = 0;
const newFile = () => path.join(folder, `${(made += 1)}.docent-backup`);
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'docent-backups-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A database and an analytics folder of the operator's own. */
const ownTarget = (url: string, analyticsRoot: string) => ({
  home: null,
  analyticsRoot,
  database: async () => ({ url, close: async () => {} }),
});

/** How many batches count in a restored place, each event once, the first ones without a gap. */
async function batchesIn({ database, root }: RestoredPlace, project: string): Promise<number> {
  const bench = await analyticsBench({ database, root });
  try {
    await claimRoot(database, root);
    const ingestor = await bench.ingestor({ leaseSeconds: 2 });
    // The first check notes quiet writers, the second takes over their logs.
    await ingestor.takeOver(0);
    await ingestor.takeOver(0);
    await mergeProject(bench, project);
    return await bench.versions.use(project, undefined, async (pinned) => {
      expect((await verifyVersion(bench.folder, bench.duck, pinned)).differences).toEqual([]);
      const of = async (measure: 'visitors' | 'views') =>
        (await bench.queries.byPath(pinned, measure, ALL, { limit: 250, offset: 0 })).rows;
      const views = await of('views');
      const batches = views.reduce((sum, { total }) => sum + total, 0) / BATCH;
      expect(views).toEqual(bruteCount(knownUpTo(batches), 'views', ALL).filter(({ path: page }) => page !== ''));
      expect(await of('visitors')).toEqual(
        bruteCount(knownUpTo(batches), 'visitors', ALL).filter(({ path: page }) => page !== ''),
      );
      return batches;
    });
  } finally {
    await bench.close();
  }
}

test(
  'a backup under load has every event that was acknowledged before it began, none twice, and what it restores adds up',
  { timeout: LONG_MS },
  async () => {
    const bench = await installation();
    const project = await fillProject(bench, { batches: 6, unmerged: 2 });
    const ingestor = await bench.ingestor({ sealAfterMs: 120, rememberedIds: 0 });
    let acknowledged = 6;
    const stop = new AbortController();
    const writing = (async () => {
      for (; !stop.signal.aborted; acknowledged += 1) {
        await ingestor.ingest(project, eventsOf(acknowledged));
        await sleep(20);
      }
    })();
    const folding = (async () => {
      for (; !stop.signal.aborted;) {
        await mergeProject(bench, project);
        await compactProject(bench, project);
        // Immediately, as an erasure does: the backup must not miss files that it is about to read.
        await deleteRemoved(bench, project, null);
        await sleep(100);
      }
    })();
    try {
      for (let round = 0; round < times(1); round++) {
        const before = acknowledged;
        const file = newFile();
        const backup = await backUp(bench, file);
        expect(backup.eventFiles).toMatchObject({ missing: [], damaged: [] });
        expect((await verifyBackup(file)).losses).toEqual([]);
        const place = await restoreAnew(file);
        expect(await batchesIn(place, project)).toBeGreaterThanOrEqual(before);
        await place.close();
      }
      expect((await readdir(bench.folder.temporaryFolder)).filter((name) => name.startsWith('backup-'))).toEqual([]);
    } finally {
      stop.abort();
      await Promise.all([writing, folding]);
    }
    await bench.close();
  },
);

test('a log that is not sealed is in it, and is counted once by the first server that starts', async () => {
  const bench = await installation();
  const project = await fillProject(bench, { batches: 4, unmerged: 1 });
  const ingestor = await bench.ingestor({ rememberedIds: 0 });
  await ingestor.ingest(project, eventsOf(4));
  const file = newFile();
  expect((await backUp(bench, file)).logs).toBeGreaterThan(0);
  const place = await restoreAnew(file);
  expect(await batchesIn(place, project)).toBe(5);
  await place.close();
  await bench.close();
});

test(
  'any damaged byte is found, by verify and by restore, and nothing that is damaged is taken for restored',
  { timeout: LONG_MS },
  async () => {
    const bench = await installation();
    await fillProject(bench, { batches: 3, unmerged: 1 });
    const file = newFile();
    await backUp(bench, file);
    expect((await namesInTar(file))[0]).toBe('backup.json');
    const { size } = await stat(file);
    const damaged = newFile();
    for (let n = 0; n < 12; n++) {
      await copyFile(file, damaged);
      const handle = await open(damaged, 'r+');
      const at = n === 0 ? size - 300 : n === 1 ? 3 : Math.floor(((n + 0.5) / 12) * size);
      const byte = Buffer.alloc(1);
      await handle.read(byte, 0, 1, at);
      byte[0]! ^= 1 << (n % 8);
      await handle.write(byte, 0, 1, at);
      await handle.close();
      await expect(verifyBackup(damaged), `byte ${at}`).rejects.toThrow(
        /damaged|not a complete Docent backup|not a Docent backup/,
      );
      if (n % 6 !== 0) continue;
      const database = await createEmptyDatabase();
      const root = await mkdtemp(path.join(folder, 'target-'));
      const target = {
        home: null,
        analyticsRoot: root,
        database: async () => ({ url: database.url, close: async () => {} }),
      };
      await expect(restoreBackup({ file: damaged, target }), `byte ${at}`).rejects.toThrow();
      const left = await allRows(database);
      expect(Object.entries(left).filter(([table, rows]) => table !== 'schema_version' && rows.length > 0)).toEqual([]);
      if ((await readdir(root)).length > 0) {
        await expect(claimRoot(database, root)).rejects.toThrow(/was interrupted/);
      }
      await database.drop();
    }
    await writeFile(damaged, readFileSync(file).subarray(0, size - 1024));
    await expect(verifyBackup(damaged)).rejects.toThrow(/its end is missing/);
    await bench.close();
  },
);

test(
  'a backup builds on an earlier one, and is restored from both, or from none of them',
  { timeout: LONG_MS },
  async () => {
    const bench = await installation();
    const project = await fillProject(bench, { batches: 4, unmerged: 0 });
    const [first, second, third] = [newFile(), newFile(), newFile()];
    const full = await backUp(bench, first);
    const ingestor = await bench.ingestor({ rememberedIds: 0 });
    await ingestor.ingest(project, eventsOf(4));
    await ingestor.flush();
    const next = await backUp(bench, second, { base: first });
    expect(next.eventFiles).toMatchObject({ included: 1, elsewhere: full.eventFiles.included });
    await ingestor.ingest(project, eventsOf(5));
    await ingestor.flush();
    const last = await backUp(bench, third, { base: second });
    expect(last.eventFiles).toMatchObject({ included: 1, elsewhere: next.eventFiles.elsewhere + 1 });
    expect((await verifyBackup(third)).bases).toHaveLength(2);
    const place = await restoreAnew(third);
    expect(await batchesIn(place, project)).toBe(6);
    await place.close();
    await rename(first, `${first}.away`);
    const names = path.basename(first).replaceAll('.', String.raw`\.`);
    for (const attempt of [() => verifyBackup(third), () => restoreAnew(third), () => restoreAnew(second)]) {
      await expect(attempt()).rejects.toThrow(new RegExp(`requires ${names}, which is missing`));
    }
    await copyFile(second, first);
    await expect(restoreAnew(third)).rejects.toThrow(/is not the base backup of/);
    await rename(`${first}.away`, first);
    const other = await installation();
    await other.database.pool.query(
      `INSERT INTO installation (singleton, id) VALUES (true, 'other') ON CONFLICT (singleton) DO UPDATE SET id = 'other'`,
    );
    await expect(backUp(other, newFile(), { base: first })).rejects.toThrow(/of another installation/);
    await expect(backUp(bench, path.join(tmpdir(), 'elsewhere.docent-backup'), { base: first })).rejects.toThrow(
      /is not in the folder of/,
    );
    await other.close();
    await bench.close();
  },
);

test('a later backup does not contain an erased visitor', async () => {
  const bench = await installation();
  const project = await fillProject(bench, { batches: 4, unmerged: 1 });
  const first = newFile();
  await backUp(bench, first);
  await eraseVisitor(bench, project, { visitorId: 'v1' });
  const second = newFile();
  const { eventFiles } = await backUp(bench, second, { base: first });
  expect(eventFiles.missing).toEqual([]);
  const place = await restoreAnew(second);
  const restored = await analyticsBench({ database: place.database, root: place.root });
  const expected = knownUpTo(4).filter(({ visitor }) => visitor !== 'v1');
  await restored.versions.use(project, undefined, async (pinned) => {
    const { rows } = await restored.queries.byPath(pinned, 'views', ALL, { limit: 250, offset: 0 });
    expect(rows).toEqual(bruteCount(expected, 'views', ALL).filter(({ path: page }) => page !== ''));
  });
  await restored.close();
  await place.close();
  await bench.close();
});

test('a backup names missing and damaged files, and contains the rest', async () => {
  const bench = await installation();
  const project = await fillProject(bench, { batches: 4, unmerged: 2 });
  const { rows } = await bench.database.pool.query<{ path: string }>(
    `SELECT path FROM analytics_files WHERE project_id = $1 AND family = 'unmerged' AND removed_version IS NULL ORDER BY path`,
    [project],
  );
  const [gone, bent] = rows.map(({ path: name }) => name);
  await rm(bench.folder.fileOf(gone!));
  const handle = await open(bench.folder.fileOf(bent!), 'r+');
  await handle.write(Buffer.from([0xff]), 0, 1, 100);
  await handle.close();
  const file = newFile();
  const { eventFiles } = await backUp(bench, file);
  expect(eventFiles).toMatchObject({ missing: [gone], damaged: [bent] });
  expect((await verifyBackup(file)).losses).toHaveLength(2);
  const place = await restoreAnew(file);
  expect(place.restored.losses).toHaveLength(2);
  await place.close();
  await bench.close();
});

test("a restore overwrites nothing, and refuses a newer version's backup before any change", async () => {
  const bench: AnalyticsBench = await installation();
  const project = await bench.newProject();
  const file = newFile();
  await backUp(bench, file);
  await expect(backUp(bench, file)).rejects.toThrow(/already exists/);
  const other = newFile();
  await writeFile(`${other}.partial`, '');
  await expect(backUp(bench, other)).rejects.toThrow(/another backup is writing it, or was interrupted/);
  const older = readMigrations().slice(0, -1);
  await expect(restoreAnew(file, { migrations: older })).rejects.toThrow(
    /Restore it with the version that made it, or a newer one/,
  );

  const filled = await createEmptyDatabase();
  await migrate(filled);
  await filled.pool.query(`INSERT INTO projects (id, repository, ref, model) VALUES ('mine', '/x', 'main', 'builtin')`);
  const root = await mkdtemp(path.join(folder, 'target-'));
  await expect(restoreBackup({ file, target: ownTarget(filled.url, root) })).rejects.toThrow(
    /The database is not empty: projects/,
  );
  expect(await readdir(root)).toEqual([]);
  await filled.drop();
  await expect(restoreBackup({ file, target: ownTarget(bench.database.url, bench.folder.root) })).rejects.toThrow(
    /is not empty/,
  );
  expect(await bench.newProject()).not.toBe(project);
  await expect(backUp({ database: bench.database, folder: { root } }, newFile())).rejects.toThrow(
    /is not the analytics folder/,
  );
  await bench.close();
});
