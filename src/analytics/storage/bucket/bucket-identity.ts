import { hostname } from 'node:os';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { faultPoint } from '../../../platform/faults.ts';
import { unfinishedRestore } from '../../../platform/unfinished-restore.ts';
import { eventFiles, findFolder, insertFolder, liesInBucket, replaceFolder } from '../../../store/analytics/folder.ts';
import type { Database } from '../../../store/database.ts';
import { newId } from '../../../store/ids.ts';
import { installationId } from '../../../store/installation/installation.ts';
import { isMissing } from '../durable-files.ts';
import { parsedIdentity, type FolderIdentity } from '../folder-identity.ts';
import type { Bucket } from './bucket.ts';
import { isProblem } from './bucket-problem.ts';
import { Refused } from '@docent/base/refused';

const OBJECT = 'identity.json';

/**
 * The identity of a local folder with logs and copies for this bucket. Its name differs from that of a
 * complete folder.
 */
export const localIdentityFile = (root: string): string => path.join(root, 'bucket.json');

/** The installation whose page views a bucket holds; null if none. @throws BucketProblem, Refused */
export async function readBucketIdentity(bucket: Bucket): Promise<FolderIdentity | null> {
  const text = await bucket.readText(OBJECT);
  if (text === null) return null;
  return (
    parsedIdentity(text) ?? refuse(`${OBJECT} in ${bucket.place.url} is damaged. Restore it from a copy of the bucket.`)
  );
}

/**
 * Compares a bucket with the database; the installation's first process claims it. Safe with concurrent
 * processes and after a crash. Changes nothing if it refuses.
 * @throws Refused, BucketProblem
 */
export async function claimBucket(database: Database, bucket: Bucket): Promise<FolderIdentity> {
  const { url } = bucket.place;
  const installation = await installationId(database.db);
  return database.db.transaction(async (tx) => {
    const fresh = { id: newId(), path: url, host: hostname() };
    const isFirst = await insertFolder(tx, fresh);
    const found = await readBucketIdentity(bucket);
    const row = isFirst ? null : await findFolder(tx);
    if (found && found.installation !== installation)
      return refuse(
        `${url} holds the page views of another installation (${found.installation}) than this database (${installation}). Set DOCENT_ANALYTICS_STORAGE to another prefix.`,
      );
    if (found && row && found.folder === row.id) return found;
    const isEmpty = !row || (await eventFiles(tx)).length === 0;
    if (!isEmpty) {
      return refuse(
        row && liesInBucket(row)
          ? `${url} is not the bucket of this database, which is ${row.path}. Use the same DOCENT_ANALYTICS_STORAGE as the other processes.`
          : `The page views of this database are in the folder ${row?.path} on ${row?.host}. Move them ` +
              `with \`docent analytics move --to ${url}\`, or unset DOCENT_ANALYTICS_STORAGE.`,
      );
    }
    const identity = found ?? { folder: fresh.id, installation };
    await replaceFolder(tx, { ...fresh, id: identity.folder });
    if (!found) await writeBucketIdentity(bucket, identity);
    faultPoint('folder-identity-written');
    return identity;
  });
}

/** @throws BucketProblem `taken` if another process was faster: it claims the bucket, or starts again */
export async function writeBucketIdentity(bucket: Bucket, identity: FolderIdentity): Promise<void> {
  try {
    await bucket.putBytes(OBJECT, Buffer.from(`${JSON.stringify(identity, null, 2)}\n`));
  } catch (err) {
    if (!isProblem(err, 'taken')) throw err;
    refuse(`Another process is claiming ${bucket.place.url}. Start this one again.`);
  }
}

/**
 * Compares a local folder with the bucket, or claims a new one. There may be many.
 * @throws Refused for another bucket's folder, whose logs would count in the wrong place
 */
export async function claimLocalFolder(root: string, identity: FolderIdentity): Promise<void> {
  const unfinished = unfinishedRestore(root);
  if (unfinished !== null) refuse(unfinished);
  const found = await readLocalIdentity(root);
  if (found) {
    if (found.folder === identity.folder) return;
    refuse(
      `${root} has logs and copies of another bucket (${found.folder}) than this one (${identity.folder}). Set DOCENT_ANALYTICS_DIR to another folder.`,
    );
  }
  await mkdir(root, { recursive: true, mode: 0o700 });
  const temporary = `${localIdentityFile(root)}.${newId()}`;
  await writeFile(temporary, `${JSON.stringify(identity, null, 2)}\n`, { mode: 0o600, flush: true });
  await rename(temporary, localIdentityFile(root));
}

/** Null if there is none. @throws Refused for one that cannot be read as such */
export async function readLocalIdentity(root: string): Promise<FolderIdentity | null> {
  try {
    const text = await readFile(localIdentityFile(root), 'utf8');
    return (
      parsedIdentity(text) ??
      refuse(`${localIdentityFile(root)} is damaged. Delete it if this folder belongs to the bucket.`)
    );
  } catch (err) {
    if (isMissing(err) || (err as NodeJS.ErrnoException).code === 'ENOTDIR') return null;
    throw err;
  }
}

function refuse(sentence: string): never {
  throw new Refused(sentence);
}
