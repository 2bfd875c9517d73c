import { chmod, mkdir, open, readdir, symlink, writeFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { isMissing, syncFolder } from '../../analytics/storage/durable-files.ts';
import { readIdentity } from '../../analytics/storage/folder-identity.ts';
import { type BucketSettings, moveFolder } from '../../analytics/storage/open-bucket.ts';
import { filesBelow } from '../../analytics/storage/files-below.ts';
import { faultPoint } from '../../platform/faults.ts';
import type { Secret } from '../../platform/secret.ts';
import { VERSION } from '../../platform/version.ts';
import { openDatabase, type Database } from '../../store/database.ts';
import { migrate } from '../../store/installation/migrate.ts';
import { readMigrations, type Migration } from '../../store/installation/migration-files.ts';
import { filledTables, TableFilling } from '../../store/installation/table-copies.ts';
import { ELSEWHERE, HEAD, KEYS } from './archive.ts';
import { requireMac } from './archive-mac.ts';
import { bytesOf, readArchive, type ArchiveEntry } from './archive-reader.ts';
import { readElsewhere, takeFromBases, type Elsewhere } from './base.ts';
import { findBases } from './find-bases.ts';
import { migrationsFor, readHead, type Head } from './head.ts';
import { lossesOf, ManifestCheck } from './manifest-check.ts';
import { openKeys, type Keys } from './sealed-keys.ts';
import { placeOf, insideOf, type Place } from './places.ts';
import { Refused } from '@docent/base/refused';
import { hostname } from 'node:os';
import { Bucket } from '../../analytics/storage/bucket/bucket.ts';
import { readBucketIdentity } from '../../analytics/storage/bucket/bucket-identity.ts';
import { BucketProblem } from '../../analytics/storage/bucket/bucket-problem.ts';
import { findFolder, liesInBucket, replaceFolder } from '../../store/analytics/folder.ts';
import { UNFINISHED } from '../../platform/unfinished-restore.ts';
import { Expected } from '../../platform/errors.ts';

/** Marks a folder as not usable yet, and creates it if needed. */
async function markUnfinished(folder: string, backup: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // As root, the embedded PostgreSQL runs as another user, who must be able to pass through.
  if (process.getuid?.() === 0) await chmod(folder, 0o711);
  const handle = await open(path.join(folder, UNFINISHED), 'wx', 0o600);
  try {
    await handle.writeFile(`${backup}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await syncFolder(folder);
}

async function removeUnfinished(folder: string): Promise<void> {
  await rm(path.join(folder, UNFINISHED), { force: true });
  await syncFolder(folder);
}

/**
 * Refuses a bucket in use: its database and the restored one would not know each other's files.
 * @throws Refused
 */
async function requireEmptyBucket(settings: BucketSettings): Promise<void> {
  const { url } = settings.place;
  const bucket = await Bucket.open(settings.place, settings);
  try {
    if ((await readBucketIdentity(bucket)) === null && (await bucket.list('files/')).length === 0) return;
  } catch (err) {
    if (!(err instanceof BucketProblem) && !(err instanceof Refused)) throw err;
    throw new Refused(`The bucket ${url} cannot be used: ${err.message}`, { cause: err });
  } finally {
    bucket.close();
  }
  throw new Refused(
    `${url} is not empty. Set DOCENT_ANALYTICS_STORAGE to an empty prefix, or unset it to restore into a folder.`,
  );
}

/** Restored page views go to the folder or to a bucket, regardless of where they were before. */
async function putPageViews(database: Database, root: string, bucket: BucketSettings | null): Promise<void> {
  const row = await findFolder(database.db);
  if (row && liesInBucket(row)) await replaceFolder(database.db, { ...row, path: root, host: hostname() });
  if (bucket) await moveFolder(database, root, bucket, { waitMs: 0, leavesDamaged: true });
}

/** Where an installation is restored: everything must be empty. */
export interface RestoreTarget {
  /** The folder of a future `docent start`; null for an operator's own database and analytics folder. */
  home: string | null;
  analyticsRoot: string;
  /** The bucket for page view files, if there is one. */
  bucket?: BucketSettings | null;
  /** Is asked once the home has its keys. */
  database: () => Promise<{ url: string; close(): Promise<unknown> }>;
}

export interface RestoreOptions {
  file: string;
  target: RestoreTarget;
  passphrase?: Secret;
  /** The keys in the backup stay there. */
  withoutKeys?: boolean;
  /** For tests: those of another build. */
  migrations?: readonly Migration[];
  progress?: (text: string) => void;
}

export interface Restored {
  head: Head;
  rows: number;
  eventFiles: number;
  logs: number;
  keys: boolean;
  /** Problems of the installation at the time of the backup. */
  losses: string[];
}

const decompress = promisify(gunzip);

/**
 * Restores a backup. Rows are committed after everything was verified; until then, a mark says that the
 * database is incomplete.
 * @throws Refused before any change; Expected `backup_damaged`, or a disk's or database's error, during it
 */
export async function restoreBackup(options: RestoreOptions): Promise<Restored> {
  const { file, target } = options;
  const { head, sealed } = await readHead(file);
  const migrations = migrationsFor(head, options.migrations ?? readMigrations());
  // First, because it distinguishes a wrong passphrase from a changed backup.
  const keys = await keysFrom(options, head, sealed);
  if (options.passphrase) await requireMac(file, options.passphrase, head.mac);
  const bases = await findBases(file, head);
  await requireEmpty(target);
  if (target.bucket) await requireEmptyBucket(target.bucket);
  const marked = [...new Set([target.home ?? target.analyticsRoot, target.analyticsRoot])];
  if (target.home === null) await requireEmptyDatabase(target);
  for (const folder of marked) await markUnfinished(folder, path.resolve(file));
  faultPoint('restore-begun');
  for (const [name, text] of Object.entries(keys)) {
    if (target.home !== null) await writeFile(path.join(target.home, name), `${text}\n`, { mode: 0o600, flag: 'wx' });
  }
  const { url, close } = await target.database();
  try {
    const database = openDatabase(url, { applicationName: 'docent restore', maxConnections: 2 });
    try {
      await migrate(database, { migrations, version: VERSION });
      const restored = await fill({ ...options, head, bases, url });
      faultPoint('restore-committed');
      await putPageViews(database, target.analyticsRoot, target.bucket ?? null);
      // Together, so that each of them counts as unfinished until the very end.
      for (const folder of marked.toReversed()) await removeUnfinished(folder);
      return { ...restored, head, keys: Object.keys(keys).length > 0 };
    } finally {
      await database.close();
    }
  } finally {
    await close();
  }
}

async function keysFrom(
  { file, target, passphrase, withoutKeys }: RestoreOptions,
  head: Head,
  sealed: Awaited<ReturnType<typeof readHead>>['sealed'],
): Promise<Keys> {
  if (sealed === null || withoutKeys || target.home === null) return {};
  if (passphrase) return openKeys(sealed, passphrase, head.id);
  throw new Refused(
    `${file} contains encrypted keys. Set the passphrase in DOCENT_BACKUP_PASSPHRASE or with ` +
      '--passphrase-file, or skip the keys with --without-keys.',
  );
}

async function requireEmpty({ home, analyticsRoot }: RestoreTarget): Promise<void> {
  const found = home !== null ? await namesIn(home) : [];
  if (home !== null && found.length > 0) {
    throw new Refused(`${home} is not empty. Choose a new or empty folder with --home, or move this one away.`);
  }
  if ((await readIdentity(analyticsRoot)) !== null || (await filesBelow(analyticsRoot)).length > 0) {
    throw new Refused(
      `The analytics folder ${analyticsRoot} is not empty. Move its content away, or set DOCENT_ANALYTICS_DIR to an empty folder.`,
    );
  }
}

async function requireEmptyDatabase({ database }: RestoreTarget): Promise<void> {
  const { url, close } = await database();
  try {
    const filled = await filledTables(url);
    if (filled.length === 0) return;
    throw new Refused(
      'The database is not empty: ' +
        `${filled.slice(0, 5).join(', ')}${filled.length > 5 ? ' and others' : ''} have rows. Create a new ` +
        'database, and set DATABASE_URL to it.',
    );
  } finally {
    await close();
  }
}

interface Filling extends RestoreOptions {
  head: Head;
  bases: ReadonlyMap<string, string>;
  url: string;
}

type Filled = Pick<Restored, 'rows' | 'eventFiles' | 'logs' | 'losses'>;

async function fill({ file, target, head, bases, url, progress = () => {} }: Filling): Promise<Filled> {
  const check = new ManifestCheck(head);
  const tables = new Map(head.tables.map((table) => [table.name, table]));
  const filling = await TableFilling.begin(url);
  const links: { path: string; to: string }[] = [];
  const elsewhere: Elsewhere = new Map();
  let logs = 0;
  const take = async (entry: ArchiveEntry): Promise<void> => {
    if (entry.name === HEAD || entry.name === KEYS) return;
    if (entry.name === ELSEWHERE) return readElsewhere(file, entry, elsewhere);
    progress(entry.name);
    const place = placeOf(entry.name, target);
    if (place.kind === 'rows') {
      const table = tables.get(place.table);
      if (!table)
        throw new Expected(
          'backup_damaged',
          `${file} is damaged: it has rows of ${place.table}, a table that it does not list.`,
        );
      const rows = await unzipped(file, entry);
      check.take(table.name, rows);
      await filling.write(table, rows);
    } else if (place.kind === 'file') {
      if (entry.linkname !== null) links.push({ path: place.path, to: entry.linkname });
      else await putFile(place, entry);
      if (entry.name.startsWith('analytics/wal/')) logs += 1;
    }
  };
  try {
    const read = await readArchive(file, take);
    if (!read) throw new Expected('backup_damaged', `${file} is damaged: its end is missing.`);
    const fromBases = await takeFromBases(file, { elsewhere, bases, check }, async (entry) => {
      const place = placeOf(entry.name, target);
      if (place.kind === 'file') await putFile(place, entry);
    });
    check.requireAll(read, fromBases);
    await filling.setSequences(head.sequences);
    // A writer without its folder would be watched forever.
    for (const { id } of await filling.rows<{ id: string }>('SELECT id FROM analytics_writers')) {
      if (head.analytics)
        await mkdir(insideOf(path.join(target.analyticsRoot, 'wal'), id), { recursive: true, mode: 0o700 });
    }
    // Last, so that nothing is ever written through one.
    for (const { path: at, to } of links) await symlink(to, at);
    faultPoint('restore-read');
    await filling.commit();
    const rows = Object.values(read.notes.rows).reduce((sum, count) => sum + count, 0);
    const lost = read.notes.missing.length;
    return { rows, eventFiles: check.size - lost, logs, losses: lossesOf(read.notes) };
  } catch (err) {
    await filling.giveUp();
    throw err;
  }
}

/** @throws Expected `backup_damaged` for an incomplete gzip member, including its checksum */
export async function unzipped(file: string, entry: ArchiveEntry): Promise<Buffer> {
  const bytes = await bytesOf(entry);
  try {
    return await decompress(bytes, { maxOutputLength: 1024 * 1024 * 1024 });
  } catch (err) {
    throw new Expected('backup_damaged', `${file} is damaged: ${entry.name} cannot be unpacked.`, { cause: err });
  }
}

/** A new file, on the disk. */
async function putFile({ path: at, mode }: Extract<Place, { kind: 'file' }>, entry: ArchiveEntry): Promise<void> {
  if (entry.isFolder) {
    await mkdir(at, { recursive: true, mode: 0o700 });
    await chmod(at, mode ?? 0o755);
    return;
  }
  await mkdir(path.dirname(at), { recursive: true, mode: 0o700 });
  const handle = await open(at, 'wx', mode === undefined ? 0o600 : entry.mode & 0o777);
  try {
    for await (const chunk of entry.content) await handle.writeFile(chunk);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (err) {
    if (isMissing(err)) return [];
    throw err;
  }
}
