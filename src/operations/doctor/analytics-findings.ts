import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import path from 'node:path';
import { AnalyticsFolder } from '../../analytics/storage/analytics-folder.ts';
import { readIdentity } from '../../analytics/storage/folder-identity.ts';
import { folderRoom } from '../../analytics/storage/folder-room.ts';
import type { BucketSettings } from '../../analytics/storage/open-bucket.ts';
import { uncountedFiles } from '../../analytics/storage/set-aside.ts';
import { messageOf } from '@docent/base/thrown';
import { unfinishedRestore } from '../../platform/unfinished-restore.ts';
import { countDamage } from '../../store/analytics/damage.ts';
import { findFolder, liesInBucket, type FolderRow } from '../../store/analytics/folder.ts';
import type { Database } from '../../store/database.ts';
import { asked, unmergedFacts } from '../../store/installation/installation-health.ts';
import {
  DOCS,
  judgeDamage,
  judgeRoom,
  judgeUncounted,
  judgeUnmerged,
  judgeUnsealed,
  ok,
  wrong,
  type Finding,
  bucketFails,
} from '../../platform/health.ts';
import { Refused } from '@docent/base/refused';
import { Bucket } from '../../analytics/storage/bucket/bucket.ts';
import { readBucketIdentity } from '../../analytics/storage/bucket/bucket-identity.ts';

/**
 * Checks the folder of page views.
 * @param database null if unavailable: then only the folder
 * @param settings of a bucket, if used
 */
export async function analyticsFindings(
  root: string,
  database: Database | null,
  settings: BucketSettings | null,
): Promise<Finding[]> {
  const unfinished = unfinishedRestore(root);
  if (unfinished !== null) {
    return [
      wrong('analytics-folder', {
        what: unfinished,
        todo: 'Delete its contents, and run `docent restore` again.',
        docs: DOCS.restore,
      }),
    ];
  }
  const row = database && (await findFolder(database.db));
  if (settings || (row && liesInBucket(row))) {
    const found = await bucketFindings(root, row, settings);
    const logs = await logFindings(root);
    return [...found, ...logs, ...(database ? await countFindings(database) : [])];
  }
  if (!row && (await stat(root).catch(() => null)) === null) return [ok('analytics-folder', 'No page views yet.')];
  let identity;
  try {
    identity = await readIdentity(root);
    if (identity) await access(root, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (err) {
    const todo =
      err instanceof Refused ? 'Follow the instructions above.' : 'Give the folder to the user who runs Docent.';
    return [wrong('analytics-folder', { what: messageOf(err), todo, docs: DOCS.folder })];
  }
  if (row && identity?.folder !== row.id) {
    return [
      wrong('analytics-folder', {
        what: `${root} is not the analytics folder of this database (registered as ${row.path} on ${row.host}).`,
        todo: 'Mount the right disk, or set DOCENT_ANALYTICS_DIR. If this folder is right, run `docent analytics accept-folder`.',
        docs: DOCS.folder,
      }),
    ];
  }
  if (!identity) return [ok('analytics-folder', 'No page views yet.')];
  const folder = new AnalyticsFolder(root);
  const { freeBytes, unsealedBytes } = await folderRoom(folder);
  return [
    ok('analytics-folder', `${root} is ${row ? 'the analytics folder of this database' : 'a folder of page views'}.`),
    judgeRoom('analytics-disk', freeBytes, root),
    judgeUnsealed(unsealedBytes),
    ...(database ? [...(await countFindings(database)), await uncountedFinding(database, folder)] : []),
  ];
}

/** What waits on this machine, if the files themselves are in a bucket. */
async function logFindings(root: string): Promise<Finding[]> {
  if ((await stat(path.join(root, 'wal')).catch(() => null)) === null) return [];
  const { freeBytes, unsealedBytes } = await folderRoom(new AnalyticsFolder(root));
  return [judgeRoom('analytics-disk', freeBytes, root), judgeUnsealed(unsealedBytes)];
}

async function countFindings({ db }: Database): Promise<Finding[]> {
  const { unmergedEvents } = await asked(db, unmergedFacts);
  return [judgeUnmerged(unmergedEvents), judgeDamage(await countDamage(db))];
}

async function uncountedFinding(database: Database, folder: AnalyticsFolder): Promise<Finding> {
  const files = await uncountedFiles({ database, folder });
  return judgeUncounted(files.length, files[0]);
}

const TIMEOUT_MS = 3_000;

/** Whether the bucket accepts this machine's keys and belongs to the database. @param row null if unknown */
async function bucketFindings(
  root: string,
  row: FolderRow | null,
  settings: BucketSettings | null,
): Promise<Finding[]> {
  if (settings === null) {
    return [
      wrong('analytics-bucket', {
        what: `The page views of this database are in ${row?.path}, but DOCENT_ANALYTICS_STORAGE is not set here.`,
        todo: 'Set it as for the roles, with the keys of the store.',
        docs: DOCS.bucket,
      }),
    ];
  }
  const { url } = settings.place;
  const bucket = await Bucket.open(settings.place, { ...settings, timeoutMs: TIMEOUT_MS, attempts: 1 });
  try {
    const identity = await readBucketIdentity(bucket);
    if (row && identity?.folder !== row.id) {
      return [
        wrong('analytics-bucket', {
          what: `${url} does not hold the page views of this database (registered as ${row.path} by ${row.host}).`,
          todo: liesInBucket(row)
            ? 'Set DOCENT_ANALYTICS_STORAGE as for the roles.'
            : `Start the roles to move the page views to ${url}, or unset DOCENT_ANALYTICS_STORAGE.`,
          docs: DOCS.bucket,
        }),
      ];
    }
    return [ok('analytics-bucket', `${url} is reachable. ${root} holds this machine's logs and copies.`)];
  } catch (err) {
    return [bucketFails(`${url}: ${messageOf(err)}`)];
  } finally {
    bucket.close();
  }
}
