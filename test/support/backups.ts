import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { claimIdentity } from '../../src/analytics/storage/folder-identity.ts';
import { makeBackup, type BackupMade, type BackupOptions } from '../../src/operations/backup/make-backup.ts';
import {
  restoreBackup,
  type Restored,
  type RestoreOptions,
  type RestoreTarget,
} from '../../src/operations/backup/restore-backup.ts';
import type { Database } from '../../src/store/database.ts';
import { FolderLock } from '../../src/store/installation/folder-lock.ts';
import { analyticsBench, type AnalyticsBench } from './analytics.ts';
import { createEmptyDatabase, type TestDatabase } from './stack.ts';

/** Claims an analytics folder as a process does that starts and ends at once. */
export async function claimRoot(database: Database, root: string): Promise<void> {
  const lock = new FolderLock(database, 'a test');
  try {
    await claimIdentity(database, root, lock);
  } finally {
    await lock.close();
  }
}

/** An installation with its own database and analytics folder, as roles have them. */
export async function installation(): Promise<AnalyticsBench> {
  const bench = await analyticsBench();
  await claimRoot(bench.database, bench.folder.root);
  return bench;
}

export type MoreBackup = Partial<Omit<BackupOptions, 'file' | 'databaseUrl' | 'analyticsRoot'>>;

export const backUp = (
  { database, folder }: Pick<AnalyticsBench, 'database'> & { folder: { root: string } },
  file: string,
  more: MoreBackup = {},
): Promise<BackupMade> =>
  makeBackup({ file, databaseUrl: database.url, analyticsRoot: folder.root, home: null, ...more });

export interface RestoredPlace {
  database: TestDatabase;
  root: string;
  restored: Restored;
  close(): Promise<void>;
}

/** Restores into a new database and a new folder. */
export async function restoreAnew(
  file: string,
  { bucket = null, ...more }: Partial<RestoreOptions> & Pick<RestoreTarget, 'bucket'> = {},
): Promise<RestoredPlace> {
  const database = await createEmptyDatabase();
  const root = await mkdtemp(path.join(tmpdir(), 'docent-restored-'));
  const close = async () => {
    await database.drop();
    await rm(root, { recursive: true, force: true });
  };
  try {
    const target = {
      home: null,
      analyticsRoot: root,
      bucket,
      database: async () => ({ url: database.url, close: async () => {} }),
    };
    return { database, root, restored: await restoreBackup({ file, target, ...more }), close };
  } catch (err) {
    await close();
    throw err;
  }
}

/** All rows of all tables, as text of PostgreSQL, in their own order. */
export async function allRows({ pool }: Pick<TestDatabase, 'pool'>): Promise<Record<string, string[]>> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1`,
  );
  const found: Record<string, string[]> = {};
  for (const { name } of tables) {
    const { rows } = await pool.query<{ row: string }>(`SELECT to_jsonb(t)::text AS row FROM "${name}" t ORDER BY 1`);
    found[name] = rows.map(({ row }) => row);
  }
  return found;
}

/** The names in a tar file, by the tar of this system. */
export async function namesInTar(file: string): Promise<string[]> {
  return (await promisify(execFile)('tar', ['-tf', file])).stdout.trim().split('\n');
}
