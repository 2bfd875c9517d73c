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
  replaceFolder,
  type FolderRow,
} from '../../store/analytics-folder.ts';
import type { Database, Queryable } from '../../store/database.ts';
import { newId } from '../../store/ids.ts';
import { installationId } from '../../store/installation.ts';
import { isMissing, syncFolder } from './durable-files.ts';

/** What an analytics folder says of itself, in `identity.json`. A copy of the folder says the same. */
export interface FolderIdentity {
  /** Random; the database has the same. */
  folder: string;
  /** The installation that the folder belongs to. */
  installation: string;
}

/** The folder cannot be used with this database. The message says what to do. */
export class FolderRefused extends Error {
  /** Nothing in the folder says which one it is: a disk may be about to be mounted there. */
  readonly isBare: boolean;

  constructor(message: string, options: { isBare?: boolean } = {}) {
    super(message);
    this.name = 'FolderRefused';
    this.isBare = options.isBare ?? false;
  }
}

/** @param detail for the log: answers go to anybody, and name no paths and machines */
export function folderUnavailable(detail: string): AppError {
  return new AppError(
    'unavailable',
    'The folder of page views cannot be used now: the log of the server says why. Nothing is lost. Try again in a moment.',
    { cause: new Error(detail), retryAfterSeconds: 30 },
  );
}

export const identityFile = (root: string): string => path.join(root, 'identity.json');

/** @returns null where there is none @throws FolderRefused for one that cannot be read as such */
export async function readIdentity(root: string): Promise<FolderIdentity | null> {
  let text: string;
  try {
    text = await readFile(identityFile(root), 'utf8');
  } catch (err) {
    if (isMissing(err) || (err as NodeJS.ErrnoException).code === 'ENOTDIR') return null;
    throw err;
  }
  const read = parsedIdentity(text);
  if (read) return read;
  throw new FolderRefused(
    `${identityFile(root)} is damaged: it does not say which folder this is. Put it back from a backup, or run \`docent analytics accept-folder\` if the page views in this folder are the right ones.`,
  );
}

/**
 * Holds a folder against the database. The first process of an installation claims it; every later one compares. Safe beside
 * another one and after a death at any point: the file is written before the row is committed, and a file without its row is
 * taken up by the next. Changes nothing where it refuses.
 * @param root an absolute path
 * @throws FolderRefused
 */
export async function claimIdentity(database: Database, root: string): Promise<FolderIdentity> {
  const unfinished = unfinishedRestore(root);
  if (unfinished !== null) throw new FolderRefused(unfinished);
  const installation = await installationId(database.db);
  const identity = await database.db.transaction(async (tx) => {
    const fresh = { id: newId(), path: root, host: hostname() };
    const isFirst = await insertFolder(tx, fresh);
    // Only now: whoever was first has written its file.
    const found = await readIdentity(root);
    const row = isFirst ? null : await findFolder(tx);
    if (row && liesInBucket(row)) throw inBucket(row);
    if (found && row) {
      if (found.folder === row.id) return found;
      throw isOther(root, found, row);
    }
    if (found) {
      if (found.installation !== installation) throw isForeign(root, found, installation);
      await replaceFolder(tx, { ...fresh, id: found.folder });
      return found;
    }
    if (row) await requireFiles(tx, root, row);
    const made = { folder: row?.id ?? fresh.id, installation };
    await writeIdentity(root, made);
    faultPoint('folder-identity-written');
    return made;
  });
  faultPoint('folder-claimed');
  return identity;
}

/**
 * Makes a folder the one of this installation, whatever it and the database say: an operator has decided. Processes that have
 * the folder of before open stop using it. Idempotent.
 * @throws FolderRefused where the page views lie in a bucket
 */
export async function acceptFolder(database: Database, root: string): Promise<FolderIdentity> {
  const installation = await installationId(database.db);
  return database.db.transaction(async (tx) => {
    const row = await findFolder(tx);
    if (row && liesInBucket(row)) throw inBucket(row);
    // A new id, so that whoever has the folder of before, or a copy, notices.
    const identity = { folder: newId(), installation };
    await replaceFolder(tx, { id: identity.folder, path: root, host: hostname() });
    await writeIdentity(root, identity);
    faultPoint('folder-identity-written');
    return identity;
  });
}

/**
 * A folder that lost its identity is known by its files.
 * @throws FolderRefused where one that the database lists is not there, or none is listed
 */
async function requireFiles(tx: Queryable, root: string, row: FolderRow): Promise<void> {
  const files = await eventFiles(tx);
  let there = 0;
  for (const { path: name, bytes } of files) if ((await sizeOf(path.join(root, name))) === bytes) there += 1;
  if (there === 0) throw isBare(root, row);
  if (there === files.length) return;
  throw new FolderRefused(
    `Of ${files.length} files of page views that the database lists, ${files.length - there} are not in ${root}, or not as they were. ${SHARED} ${ACCEPT}`,
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

/** Whole or not at all, and durably. */
async function writeIdentity(root: string, identity: FolderIdentity): Promise<void> {
  const made = await mkdir(root, { recursive: true, mode: 0o700 });
  const temporary = `${identityFile(root)}.${newId()}`;
  try {
    const handle = await open(temporary, 'wx', 0o600);
    try {
      await handle.writeFile(`${JSON.stringify(identity, null, 2)}\n`);
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

/** @returns null for what is no identity */
export function parsedIdentity(text: string): FolderIdentity | null {
  try {
    const { folder, installation } = JSON.parse(text) as Partial<FolderIdentity>;
    return typeof folder === 'string' && typeof installation === 'string' ? { folder, installation } : null;
  } catch {
    return null;
  }
}

export const SHARED =
  'All API processes, workers and commands of an installation need the same folder, on shared storage where they run on several machines: set DOCENT_ANALYTICS_DIR.';
const ACCEPT =
  'If the other folder is lost for good, or this one was restored from a backup, run `docent analytics accept-folder`, and then `docent analytics recover` for each project.';

function isOther(root: string, found: FolderIdentity, row: FolderRow): FolderRefused {
  return new FolderRefused(
    `${root} is another analytics folder (${found.folder}) than that of this database (${row.id}, claimed as ${row.path} on ${row.host}). ${SHARED} ${ACCEPT}`,
  );
}

function inBucket(row: FolderRow): FolderRefused {
  return new FolderRefused(
    `The page views of this database lie in ${row.path}. Set DOCENT_ANALYTICS_STORAGE to it, as for all APIs, workers and commands of the installation.`,
  );
}

function isForeign(root: string, found: FolderIdentity, installation: string): FolderRefused {
  return new FolderRefused(
    `${root} is the analytics folder of another installation (${found.installation}) than that of this database (${installation}). Set DOCENT_ANALYTICS_DIR to a folder of its own. If the database of this folder is lost for good, run \`docent analytics accept-folder\`, and then \`docent analytics recover\` for each project.`,
  );
}

function isBare(root: string, row: FolderRow): FolderRefused {
  return new FolderRefused(
    `The database knows the folder ${row.id}, claimed as ${row.path} on ${row.host}, and nothing of it is in ${root}. Is the disk mounted? ${SHARED} ${ACCEPT}`,
    { isBare: true },
  );
}
