import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { AppError } from '../../platform/errors.ts';
import { faultPoint } from '../../platform/faults.ts';
import { unfinishedRestore } from '../../platform/unfinished-restore.ts';
import {
  eventFiles,
  findFolder,
  insertFolder,
  liesInBucket,
  lockFolder,
  replaceFolder,
  type FolderRow,
} from '../../store/analytics/folder.ts';
import type { Database, Queryable } from '../../store/database.ts';
import { folderHolders, type FolderLock } from '../../store/installation/folder-lock.ts';
import { newId } from '../../store/ids.ts';
import { installationId } from '../../store/installation/installation.ts';
import { isMissing, syncFolder } from './durable-files.ts';
import { Refused } from '@docent/base/refused';

/** The content of an analytics folder's `identity.json`. */
export interface FolderIdentity {
  /** Random; the database has the same. */
  folder: string;
  /** The installation that the folder belongs to. */
  installation: string;
}

interface StoredIdentity extends FolderIdentity {
  /** Inode and birth time of `identity.json` itself: those of a copy differ. */
  file?: string;
  /** The id that the folder had before it was moved, or copied. */
  before?: string;
}

/** @param detail for the log: answers go to anyone, and name no paths and machines */
export function folderUnavailable(detail: string): AppError {
  return new AppError(
    'unavailable',
    'The page-view folder is unavailable; the server log has the reason. No data was lost. Try again in a moment.',
    { cause: new Error(detail), retryAfterSeconds: 30 },
  );
}

export const identityFile = (root: string): string => path.join(root, 'identity.json');

/** @returns null if there is none @throws Refused for one that cannot be read as such */
export async function readIdentity(root: string): Promise<StoredIdentity | null> {
  let text: string;
  try {
    text = await readFile(identityFile(root), 'utf8');
  } catch (err) {
    if (isMissing(err) || (err as NodeJS.ErrnoException).code === 'ENOTDIR') return null;
    throw err;
  }
  const read = parsedIdentity(text);
  if (read) return read;
  throw new Refused(
    `${identityFile(root)} is damaged. Restore it from a backup, or run \`docent analytics ` +
      `accept-folder\` if the page views in this folder are the right ones.`,
  );
}

/** Whether `identity.json` is the original file and not a copy. */
export async function isOriginal(root: string, { file }: StoredIdentity): Promise<boolean> {
  return file === (await fileId(identityFile(root)));
}

async function fileId(file: string): Promise<string> {
  const { ino, birthtimeNs } = await stat(file, { bigint: true });
  return `${ino}-${birthtimeNs}`;
}

/**
 * Compares a folder with the database. The first process of an installation claims it. A moved or copied
 * folder becomes the installation's if no process has the other one open, which is refused from then on.
 * Changes nothing if it refuses. Safe beside another process, and after a crash at any point: the file is
 * written before the row is committed, and the next process continues from a file without its row.
 * @param root an absolute path
 * @param lock is shared from then on
 * @throws Refused
 */
export async function claimIdentity(database: Database, root: string, lock: FolderLock): Promise<FolderIdentity> {
  const unfinished = unfinishedRestore(root);
  if (unfinished !== null) throw new Refused(unfinished);
  const installation = await installationId(database.db);
  const identity = await database.db.transaction(async (tx) => {
    const fresh = { id: newId(), path: root, host: hostname() };
    const isFirst = await insertFolder(tx, fresh);
    // One process at a time from here on: the first one has written its file.
    const locked = await lockFolder(tx);
    const row = isFirst ? null : locked;
    const found = await readIdentity(root);
    if (row && liesInBucket(row)) throw inBucket(row);
    if (found && row && found.folder !== row.id && found.before !== row.id) throw isOther(root, found, row);
    if (found && !row && found.installation !== installation) throw isForeign(root, found, installation);
    if (found && found.folder === (row?.id ?? found.folder) && (await isOriginal(root, found))) {
      if (!row) await replaceFolder(tx, { ...fresh, id: found.folder });
      await lock.share();
      return found;
    }
    if (!found && row) await requireFiles(tx, root, row);
    const claim = async () => {
      const made = { folder: fresh.id, installation, ...(row && { before: row.id }) };
      await replaceFolder(tx, fresh);
      await writeIdentity(root, made);
      faultPoint('folder-identity-written');
      return made;
    };
    const claimed = await lock.alone(claim);
    if (!claimed) throw isInUse(root, row, await folderHolders(tx));
    return claimed;
  });
  faultPoint('folder-claimed');
  return identity;
}

/**
 * Makes a folder this installation's by an operator's decision. Processes with the former folder stop using
 * it. Idempotent.
 * @throws Refused with a bucket
 */
export async function acceptFolder(database: Database, root: string): Promise<FolderIdentity> {
  const installation = await installationId(database.db);
  return database.db.transaction(async (tx) => {
    const row = await findFolder(tx);
    if (row && liesInBucket(row)) throw inBucket(row);
    // A new id, so that processes with the previous folder, or a copy, notice.
    const identity = { folder: newId(), installation };
    await replaceFolder(tx, { id: identity.folder, path: root, host: hostname() });
    await writeIdentity(root, identity);
    faultPoint('folder-identity-written');
    return identity;
  });
}

/**
 * A folder that lost its identity is recognized by its files.
 * @throws Refused if one is missing, or none is known
 */
async function requireFiles(tx: Queryable, root: string, row: FolderRow): Promise<void> {
  const files = await eventFiles(tx);
  let there = 0;
  for (const { path: name, bytes } of files) if ((await sizeOf(path.join(root, name))) === bytes) there += 1;
  if (there === 0) throw isBare(root, row);
  if (there === files.length) return;
  throw new Refused(
    `${files.length - there} of the ${files.length} page-view files in the database are missing in ${root}, or differ. ${SHARED} ${ACCEPT}`,
  );
}

async function sizeOf(file: string): Promise<number | null> {
  try {
    return (await stat(file)).size;
  } catch (err) {
    if (isMissing(err)) return null;
    throw err;
  }
}

/** Completely or not at all, and durably. */
async function writeIdentity(root: string, identity: StoredIdentity): Promise<void> {
  const made = await mkdir(root, { recursive: true, mode: 0o700 });
  const temporary = `${identityFile(root)}.${newId()}`;
  try {
    const handle = await open(temporary, 'wx', 0o600);
    try {
      const file = await fileId(temporary);
      await handle.writeFile(`${JSON.stringify({ ...identity, file }, null, 2)}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, identityFile(root));
  } catch (err) {
    await rm(temporary, { force: true });
    throw err;
  }
  await syncFolder(root);
  if (made !== undefined) await syncFolder(path.dirname(made));
}

/** @returns null for an invalid identity */
export function parsedIdentity(text: string): StoredIdentity | null {
  try {
    const { folder, installation, file, before } = JSON.parse(text) as Partial<StoredIdentity>;
    if (typeof folder !== 'string' || typeof installation !== 'string') return null;
    return { folder, installation, ...(file && { file }), ...(before && { before }) };
  } catch {
    return null;
  }
}

export const SHARED =
  'Set DOCENT_ANALYTICS_DIR to the same folder for all API processes, workers and commands. To use ' +
  'several machines, store page views in a bucket.';
const ACCEPT =
  'If the other folder is permanently lost, or you restored this one, run `docent analytics ' +
  'accept-folder`, then `docent analytics recover` for each project.';

function isOther(root: string, found: FolderIdentity, row: FolderRow): Refused {
  return new Refused(
    `${root} is another analytics folder (${found.folder}) than this database's (${row.id}, at ${row.path} on ${row.host}). ${SHARED} ${ACCEPT}`,
  );
}

function isInUse(root: string, row: FolderRow | null, holders: readonly string[]): Refused {
  const claimed = row ? `, claimed as ${row.path} on ${row.host}` : '';
  const by = holders.length > 0 ? ` (${holders.join('; ')})` : '';
  return new Refused(
    `${root} is a copy of the analytics folder of this database${claimed}, and other processes have that ` +
      `one open${by}. ${SHARED} To use the copy instead, stop them first.`,
  );
}

function inBucket(row: FolderRow): Refused {
  return new Refused(
    `The page views of this database are in ${row.path}. Set DOCENT_ANALYTICS_STORAGE to it for all processes and commands.`,
  );
}

function isForeign(root: string, found: FolderIdentity, installation: string): Refused {
  return new Refused(
    `${root} belongs to another installation (${found.installation}) than this database ` +
      `(${installation}). Set DOCENT_ANALYTICS_DIR to another folder. If that database is permanently ` +
      `lost, run \`docent analytics accept-folder\`, then \`docent analytics recover\` for each project.`,
  );
}

function isBare(root: string, row: FolderRow): Refused {
  return new Refused(
    `The analytics folder of this database (${row.id}, at ${row.path} on ${row.host}) is not in ${root}. ` +
      `Check that its disk is mounted. ${SHARED} ${ACCEPT}`,
    { mayPass: true },
  );
}
