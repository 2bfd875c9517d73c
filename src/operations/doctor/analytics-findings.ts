import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import path from 'node:path';
import { AnalyticsFolder } from '../../analytics/storage/analytics-folder.ts';
import { FolderRefused, readIdentity } from '../../analytics/storage/folder-identity.ts';
import { folderRoom } from '../../analytics/storage/folder-room.ts';
import type { BucketSettings } from '../../analytics/storage/open-bucket.ts';
import { uncountedFiles } from '../../analytics/storage/set-aside.ts';
import { messageOf } from '@docent/base/thrown';
import { plural } from '@docent/base/plural';
import { unfinishedRestore } from '../../platform/unfinished-restore.ts';
import { countDamage } from '../../store/analytics-damage.ts';
import { findFolder, liesInBucket } from '../../store/analytics-folder.ts';
import type { Database } from '../../store/database.ts';
import { asked, unmergedFacts } from '../../store/installation-health.ts';
import { bucketFindings } from './bucket-findings.ts';
import { DOCS, ok, roomFinding, warning, wrong, type Finding } from './finding.ts';

/** Sealed every other second, and merged every few minutes: more means that nobody comes to it. */
const MUCH_UNSEALED = 64 * 1_048_576;
const MANY_UNMERGED = 5_000_000;

/**
 * The folder of page views.
 * @param database null where it cannot be reached: then the folder is looked at by itself
 * @param settings where the files lie, where that is a bucket
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
        todo: 'Empty the folder, and run `docent restore` again.',
        docs: DOCS.restore,
      }),
    ];
  }
  const row = database && (await findFolder(database.db));
  if (settings || (row && liesInBucket(row))) {
    const found = await bucketFindings(root, row, settings);
    const logs = await logFindings(root);
    return [...found, ...logs, ...(database ? [await unmergedOf(database), await damageOf(database)] : [])];
  }
  if (!row && (await stat(root).catch(() => null)) === null) return [ok('analytics-folder', 'No page views yet.')];
  let identity;
  try {
    identity = await readIdentity(root);
    if (identity) await access(root, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (err) {
    const todo =
      err instanceof FolderRefused ? 'Follow the instructions above.' : 'Give the folder to the user who runs Docent.';
    return [wrong('analytics-folder', { what: messageOf(err), todo, docs: DOCS.folder })];
  }
  if (row && identity?.folder !== row.id) {
    return [
      wrong('analytics-folder', {
        what: `${root} is not the analytics folder of this database (registered as ${row.path} on ${row.host}).`,
        todo: 'Mount the right disk, or set DOCENT_ANALYTICS_DIR. If this folder is right, run docent analytics accept-folder.',
        docs: DOCS.folder,
      }),
    ];
  }
  if (!identity) return [ok('analytics-folder', 'No page views yet.')];
  const folder = new AnalyticsFolder(root);
  const { freeBytes, unsealedBytes } = await folderRoom(folder);
  return [
    ok('analytics-folder', `${root} is ${row ? 'the analytics folder of this database' : 'a folder of page views'}.`),
    roomFinding('analytics-disk', root, freeBytes),
    backlogOf(unsealedBytes),
    ...(database ? [await unmergedOf(database), await damageOf(database), await uncountedOf(database, folder)] : []),
  ];
}

/** What waits on this machine, where the files themselves lie in a bucket. */
async function logFindings(root: string): Promise<Finding[]> {
  if ((await stat(path.join(root, 'wal')).catch(() => null)) === null) return [];
  const { freeBytes, unsealedBytes } = await folderRoom(new AnalyticsFolder(root));
  return [roomFinding('analytics-disk', root, freeBytes), backlogOf(unsealedBytes)];
}

function backlogOf(bytes: number): Finding {
  const what = `${(bytes / 1_048_576).toFixed(1)} MB of events are waiting to be sealed.`;
  if (bytes <= MUCH_UNSEALED) return ok('analytics-logs', what);
  return warning('analytics-logs', {
    what,
    todo: 'Make sure that an API is running, and check its log for errors about sealing.',
    docs: DOCS.folder,
  });
}

async function unmergedOf({ db }: Database): Promise<Finding> {
  const { unmergedEvents } = await asked(db, unmergedFacts);
  const what = `${unmergedEvents.toLocaleString('en')} events are waiting to be merged.`;
  if (unmergedEvents <= MANY_UNMERGED) return ok('analytics-merge', what);
  return warning('analytics-merge', {
    what,
    todo: 'Make sure that a worker is running, and check its log for errors about maintenance.',
    docs: DOCS.sizing,
  });
}

async function damageOf({ db }: Database): Promise<Finding> {
  const files = await countDamage(db);
  if (files === 0) return ok('analytics-damage', 'No damaged files are known.');
  const what = `${plural(files, 'file')} of page views ${files === 1 ? 'is' : 'are'} damaged.`;
  return wrong('analytics-damage', {
    what,
    todo: 'Run docent analytics verify for each project to list them.',
    docs: DOCS.damage,
  });
}

async function uncountedOf(database: Database, folder: AnalyticsFolder): Promise<Finding> {
  const files = await uncountedFiles({ database, folder });
  if (files.length === 0) return ok('analytics-unknown', 'All event files are counted.');
  const what = `${plural(files.length, 'file')} hold events that are not counted, for example ${files[0]}.`;
  return warning('analytics-unknown', {
    what,
    todo: 'Run docent analytics recover for each project.',
    docs: DOCS.unknownFiles,
  });
}
