import { rename } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { faultPoint } from '../../../platform/faults.ts';
import {
  allFiles,
  eventFiles,
  findFolder,
  liesInBucket,
  lockFolder,
  replaceFolder,
  type FolderRow,
} from '../../../store/analytics/folder.ts';
import { withMoveLock } from '../../../store/analytics/lock.ts';
import { folderHolders, lockFolderAlone } from '../../../store/installation/folder-lock.ts';
import type { Database } from '../../../store/database.ts';
import { isMissing, syncFolder } from '../durable-files.ts';
import { filesBelow } from '../files-below.ts';
import { identityFile, readIdentity, type FolderIdentity } from '../folder-identity.ts';
import { hasSum, sumOf } from '../file-sum.ts';
import { localIdentityFile, readBucketIdentity, readLocalIdentity, writeBucketIdentity } from './bucket-identity.ts';
import type { Bucket } from './bucket.ts';
import { inTurns } from './in-turns.ts';
import { Refused } from '@docent/base/refused';

const POLL_MS = 1_000;
const STORED_AT_ONCE = 8;

export interface MoveOptions {
  /** How long processes that have the folder open are waited for, in milliseconds. */
  waitMs: number;
  /** Skips missing or damaged files, which the bucket will lack: the backup had none of them. */
  leavesDamaged?: boolean;
  /** Gets the number of stored files, and of all. */
  progress?: (stored: number, all: number) => void;
}

export interface Moved {
  files: number;
  /** Stored by this call; the others were there. */
  stored: number;
  /** Whether the installation's page views are in the bucket now. */
  isMoved: boolean;
  /** Processes that still have the folder open and prevent the switch. */
  open: readonly string[];
}

interface Stored {
  path: string;
  bytes: number;
  sha256: Buffer;
}

/**
 * Moves the page views from this machine's folder into a bucket: stores every file, and, once no process has
 * the folder open, notes that in the database. The folder keeps logs and copies. Idempotent, and safe to
 * kill. Null if there is nothing to move.
 * @throws Refused for another folder, a damaged file, or a bucket with other contents; BucketProblem
 */
export async function moveToBucket(
  database: Database,
  root: string,
  bucket: Bucket,
  options: MoveOptions,
): Promise<Moved | null> {
  if (!(await rowToMove(database))) return null;
  return withMoveLock(database, async () => {
    const row = await rowToMove(database);
    // Another process has just done it.
    if (!row) return null;
    const identity = await identityOf(root, row, bucket);
    const stored = new Map<string, Stored>();
    const before = await storeAll(database, root, bucket, stored, options);
    faultPoint('move-stored');
    const open = await untilClosed(database, options.waitMs);
    if (open.length > 0) return { files: stored.size, stored: before, isMoved: false, open };
    const since = await storeAll(database, root, bucket, stored, options);
    await storeUnknown(root, bucket, stored);
    await writeBucketIdentity(bucket, identity);
    faultPoint('move-identity-stored');
    await switchOver(database, root, bucket, { row, stored });
    return { files: stored.size, stored: before + since, isMoved: true, open };
  });
}

/** The row of a folder with page views in it. */
async function rowToMove({ db }: Database): Promise<FolderRow | null> {
  const row = await findFolder(db);
  if (!row || liesInBucket(row)) return null;
  return (await eventFiles(db)).length > 0 ? row : null;
}

/** @throws Refused if `root` is not the folder of the database, or the bucket belongs to another one */
async function identityOf(root: string, row: FolderRow, bucket: Bucket): Promise<FolderIdentity> {
  const { url } = bucket.place;
  // A death may have come between the new name of the file and the row.
  const found = (await readIdentity(root)) ?? (await readLocalIdentity(root));
  if (found?.folder !== row.id) {
    throw new Refused(
      `The page views of this database are in the folder ${row.path} on ${row.host}, not in ${root}. To ` +
        `move them to ${url}, first start a process with DOCENT_ANALYTICS_DIR set to that folder, or unset ` +
        'DOCENT_ANALYTICS_STORAGE.',
    );
  }
  const there = await readBucketIdentity(bucket);
  if (there && there.folder !== found.folder)
    throw new Refused(`${url} holds other page views than those of this database. Choose an empty prefix.`);
  return found;
}

/** Stores what the manifest names now. @returns how many were not there yet */
async function storeAll(
  { db }: Database,
  root: string,
  bucket: Bucket,
  stored: Map<string, Stored>,
  { leavesDamaged, progress }: MoveOptions,
): Promise<number> {
  const files = await allFiles(db);
  const damaged: string[] = [];
  let now = 0;
  await inTurns(
    files.filter((file) => !stored.has(file.path)),
    STORED_AT_ONCE,
    async (file) => {
      if (!(await bucket.has(file.path, file))) {
        if (await isWhole(path.join(root, file.path), file)) {
          await bucket.put(file.path, path.join(root, file.path), file);
          now += 1;
        } else if (!leavesDamaged) return void damaged.push(file.path);
      }
      stored.set(file.path, file);
      progress?.(stored.size, files.length);
    },
  );
  if (damaged.length > 0) {
    // Replaced files may be deleted at any time.
    const named = new Set((await allFiles(db)).map((file) => file.path));
    const [first, ...others] = damaged.filter((name) => named.has(name));
    if (first !== undefined)
      throw new Refused(
        `${first} in ${root} is damaged${others.length > 0 ? `, and ${others.length} other files` : ''}. Nothing was changed. Start the installation without DOCENT_ANALYTICS_STORAGE, and try again when \`docent analytics verify\` reports no damage.`,
      );
  }
  return now;
}

async function isWhole(file: string, stored: Stored): Promise<boolean> {
  try {
    return await hasSum(file, stored);
  } catch (err) {
    if (isMissing(err)) return false;
    throw err;
  }
}

/** Unnamed events, as after a restore: `recover` finds them in the bucket as well. */
async function storeUnknown(root: string, bucket: Bucket, stored: ReadonlyMap<string, Stored>): Promise<void> {
  const files = [
    ...(await filesBelow(path.join(root, 'files'))),
    ...(await filesBelow(path.join(root, 'set-aside', 'unnamed'))),
  ];
  for (const file of files) {
    const name = path.relative(root, file).split(path.sep).join('/');
    if (stored.has(name) || !/\/(?:events|unmerged)\/[^/]+\.parquet$/.test(name)) continue;
    await bucket.put(name, file, await sumOf(file));
  }
}

/** @returns the processes that still have the folder open */
async function untilClosed({ db }: Database, waitMs: number): Promise<string[]> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    const open = await folderHolders(db);
    if (open.length === 0 || performance.now() >= deadline) return open;
    await sleep(POLL_MS);
  }
}

/** Resumable: without `identity.json` the folder is not whole; with the row no process opens it. */
async function switchOver(
  { db }: Database,
  root: string,
  { place }: Bucket,
  { row, stored }: { row: FolderRow; stored: ReadonlyMap<string, Stored> },
): Promise<void> {
  await db.transaction(async (tx) => {
    const found = await lockFolder(tx);
    const isNew = (await allFiles(tx)).some((file) => !stored.has(file.path));
    if (found?.id !== row.id || isNew || !(await lockFolderAlone(tx)))
      throw new Refused(`Another process has just begun to use ${root}. Stop it, and start this one again.`);
    try {
      await rename(identityFile(root), localIdentityFile(root));
    } catch (err) {
      if (!isMissing(err)) throw err;
    }
    await syncFolder(root);
    faultPoint('move-folder-renamed');
    await replaceFolder(tx, { ...row, path: place.url });
  });
  faultPoint('move-committed');
}
