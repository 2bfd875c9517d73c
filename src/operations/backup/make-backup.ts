import { readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { inTurns } from '../../analytics/storage/bucket/in-turns.ts';
import type { HeldFile } from '../../analytics/maintenance/backup-stage.ts';
import { faultPoint } from '../../platform/faults.ts';
import type { Secret } from '../../platform/secret.ts';
import { VERSION } from '../../platform/version.ts';
import { newId } from '../../store/ids.ts';
import { DatabaseSnapshot } from '../../store/installation/table-copies.ts';
import { addFile, addHeld, addHome, addTables, addText, type Work } from './add-entries.ts';
import { ELSEWHERE, HEAD, KEYS, TEMPORAL } from './archive.ts';
import { newMac } from './archive-mac.ts';
import { ArchiveWriter } from './archive-writer.ts';
import { readBase, type Base } from './base.ts';
import { FORMAT, Head } from './head.ts';
import { PageViews, type PageViewsPlace } from './page-views.ts';
import { sealKeys, type Keys } from './sealed-keys.ts';
import { Refused } from '@docent/base/refused';
import { backup, DatabaseSync } from 'node:sqlite';
import { isMissing } from '../../analytics/storage/durable-files.ts';

/** Copies all pages in one step: writes would restart several. */
const ALL_PAGES = 2 ** 30;

/**
 * Copies the embedded Temporal's SQLite file while it runs.
 * @param folder the target
 * @returns the copy; null if it fails: it is not essential for a backup
 */
async function copyOfTemporal(home: string, folder: string): Promise<string | null> {
  const file = path.join(home, 'temporal', 'temporal.db');
  try {
    await stat(file);
  } catch (err) {
    if (isMissing(err)) return null;
    throw err;
  }
  const copy = path.join(folder, 'temporal.db');
  try {
    const database = new DatabaseSync(file, { readOnly: true, timeout: 10_000 });
    try {
      await backup(database, copy, { rate: ALL_PAGES });
    } finally {
      database.close();
    }
    return copy;
  } catch {
    return null;
  }
}

export interface BackupOptions extends PageViewsPlace {
  /** Must not exist. */
  file: string;
  /** The folder of `docent start`, if there is one. */
  home: string | null;
  /** Encrypts the keys of the home and creates the keyed checksum. Without one, the backup has neither. */
  passphrase?: Secret;
  /** An earlier backup in the same folder, whose event files are referenced instead of included. */
  base?: string;
  /** Called regularly with the current step. */
  progress?: (text: string) => void;
}

export interface BackupMade {
  file: string;
  id: string;
  moment: string;
  bytes: number;
  tables: number;
  rows: number;
  eventFiles: { included: number; elsewhere: number; missing: string[]; damaged: string[] };
  logs: number;
  repositories: string[];
  keys: boolean;
  leftOut: string[];
}

interface ManifestRow {
  id: string;
  path: string;
  bytes: string;
  sha256: string;
}

const TRIES = 4;
const HELD_AT_ONCE = 8;
const MANIFEST = `SELECT id, path, bytes::text, encode(sha256, 'hex') AS sha256 FROM analytics_files ORDER BY path`;

/**
 * Writes one moment of a running installation into one file. First the logs of page views are held, then the
 * moment of the database is fixed, then the files in its manifest are held. So everything acknowledged before
 * is in a log, or in a file of the manifest. If a log was sealed in between, the database knows its number,
 * and it counts once.
 * @throws Refused
 */
export async function makeBackup(options: BackupOptions): Promise<BackupMade> {
  const { file, home } = options;
  const base = options.base === undefined ? null : await readBase(options.base, file);
  const authenticity = options.passphrase === undefined ? null : await newMac(options.passphrase);
  const writer = await ArchiveWriter.create(file, authenticity?.key);
  let pageViews: PageViews | null = null;
  let moment: Moment | null = null;
  try {
    pageViews = await PageViews.open(options);
    moment = await fixMoment(options, pageViews, base);
    const { snapshot, logs, files, missing } = moment;
    faultPoint('backup-moment-fixed');
    const [installation] = await snapshot.rows<{ id: string }>('SELECT id FROM installation');
    if (base && base.installation !== installation?.id) {
      throw new Refused(`${options.base} is a backup of another installation. Run the command without --base.`);
    }
    const id = newId();
    const keys = home === null ? {} : await keysOf(home);
    const isSealed = Object.keys(keys).length > 0 && options.passphrase !== undefined;
    const repositories = home === null ? [] : await repositoriesIn(home, snapshot);
    const elsewhere = files.flatMap(({ row }) => {
      const holder = base?.files.get(`${row.path} ${row.sha256}`);
      return holder === undefined ? [] : [{ ...row, backup: holder }];
    });
    const held = new Set(elsewhere.map(({ backup }) => backup));
    const temporal = home === null || pageViews === null ? null : await copyOfTemporal(home, pageViews.stage.path);
    const head: Head = {
      format: FORMAT,
      id,
      docent: VERSION,
      installation: installation?.id ?? '',
      moment: snapshot.facts.moment.toISOString(),
      postgres: snapshot.facts.postgres,
      schema: { level: snapshot.facts.level, migrations: snapshot.facts.migrations },
      tables: snapshot.facts.tables,
      sequences: snapshot.facts.sequences,
      analytics: pageViews !== null,
      keys: isSealed,
      mac: authenticity?.mac ?? null,
      repositories,
      bases: base?.chain.filter((one) => held.has(one.id)) ?? [],
      temporal: temporal !== null,
      leftOut: leftOutOf({ isSealed, home, hasKeys: Object.keys(keys).length > 0, repositories, temporal }),
    };
    await addText(writer, HEAD, `${JSON.stringify(Head.parse(head), null, 2)}\n`);
    if (isSealed && options.passphrase) {
      await addText(writer, KEYS, `${JSON.stringify(await sealKeys(keys, options.passphrase, id))}\n`);
    }
    const work: Work = { writer, progress: options.progress ?? (() => {}) };
    const rows = await addTables(work, snapshot);
    faultPoint('backup-tables-written');
    const damaged: string[] = [];
    if (pageViews) {
      await addText(writer, 'analytics/identity.json', `${JSON.stringify(pageViews.identity, null, 2)}\n`);
      for (const log of logs) await addHeld(work, log);
      if (elsewhere.length > 0) {
        await addText(writer, ELSEWHERE, elsewhere.map(({ id: _id, ...line }) => `${JSON.stringify(line)}\n`).join(''));
      }
      for (const { row, held: one } of files) {
        if (one === null) continue;
        const sha256 = await addHeld(work, one);
        if (sha256 !== row.sha256 || one.bytes !== Number(row.bytes)) damaged.push(row.path);
        await pageViews.stage.release(one);
      }
    }
    if (home !== null) await addHome(work, home, repositories);
    if (temporal !== null) await addFile(writer, TEMPORAL, temporal);
    await writer.finish({ rows, missing, damaged });
    return {
      file,
      id,
      moment: head.moment,
      bytes: writer.bytes,
      tables: head.tables.length,
      rows: Object.values(rows).reduce((sum, count) => sum + count, 0),
      eventFiles: {
        included: files.length - elsewhere.length - missing.length,
        elsewhere: elsewhere.length,
        missing,
        damaged,
      },
      logs: logs.length,
      repositories,
      keys: isSealed,
      leftOut: head.leftOut,
    };
  } catch (err) {
    await writer.giveUp();
    throw err;
  } finally {
    await moment?.snapshot.close();
    await pageViews?.close();
  }
}

interface Moment {
  snapshot: DatabaseSnapshot;
  logs: HeldFile[];
  /** Held: null if an earlier backup has it, or it is missing. */
  files: { row: ManifestRow; held: HeldFile | null }[];
  missing: string[];
}

/** Tries again if files disappear before they are held, for example because a visitor was deleted. */
async function fixMoment(
  { databaseUrl, analyticsRoot }: BackupOptions,
  pageViews: PageViews | null,
  base: Base | null,
): Promise<Moment> {
  for (let tries = 1; ; tries++) {
    const before = pageViews ? await writersOf(databaseUrl) : [];
    const held = (await pageViews?.holdUncounted()) ?? [];
    faultPoint('backup-logs-held');
    const snapshot = await DatabaseSnapshot.open(databaseUrl);
    try {
      await requireFolder(snapshot, analyticsRoot, pageViews);
      if (!pageViews) return { snapshot, logs: [], files: [], missing: [] };
      // Writers that ended have sealed all logs; of writers without a row, nothing is known.
      const known = new Set(
        (await snapshot.rows<{ id: string }>('SELECT id FROM analytics_writers')).map(({ id }) => id),
      );
      const ended = new Set(before.filter((id) => !known.has(id)));
      const logs = held.filter(({ name }) => !ended.has(/^wal\/([^/]+)\//.exec(name)?.[1] ?? ''));
      const files: Moment['files'] = (await snapshot.rows<ManifestRow>(MANIFEST)).map((row) => ({ row, held: null }));
      const missing: string[] = [];
      await inTurns(files, HELD_AT_ONCE, async (file) => {
        const { row } = file;
        if (base?.files.has(`${row.path} ${row.sha256}`)) return;
        const stored = { ...row, bytes: Number(row.bytes), sha256: Buffer.from(row.sha256, 'hex') };
        file.held = await pageViews.hold(stored);
        if (file.held === null) missing.push(row.path);
      });
      if (missing.length === 0 || tries === TRIES) return { snapshot, logs, files, missing };
    } catch (err) {
      await snapshot.close();
      throw err;
    }
    await snapshot.close();
  }
}

async function writersOf(databaseUrl: string): Promise<string[]> {
  const snapshot = await DatabaseSnapshot.open(databaseUrl);
  try {
    return (await snapshot.rows<{ id: string }>('SELECT id FROM analytics_writers')).map(({ id }) => id);
  } finally {
    await snapshot.close();
  }
}

/** @throws Refused if the folder is not that of the database */
async function requireFolder(snapshot: DatabaseSnapshot, root: string, pageViews: PageViews | null): Promise<void> {
  const [row] = await snapshot.rows<{ id: string; path: string; host: string }>(
    'SELECT id, path, host FROM analytics_folder',
  );
  // Both exist, or neither: an installation that never had the folder open.
  if (pageViews?.identity.folder === row?.id) return;
  throw new Refused(
    `${root} is not the analytics folder of this database${row ? ` (registered as ${row.path} by ${row.host})` : ''}. Set DOCENT_ANALYTICS_DIR to the same value as for the roles.`,
  );
}

/** Folders of the home that projects work on, relative to it. */
async function repositoriesIn(home: string, snapshot: DatabaseSnapshot): Promise<string[]> {
  const here = `${await realpath(home)}${path.sep}`;
  const rows = await snapshot.rows<{ repository: string }>(
    `SELECT DISTINCT repository FROM projects WHERE host = 'local' ORDER BY repository`,
  );
  const inside = rows.map(({ repository }) => repository).filter((one) => one.startsWith(here));
  const found: string[] = [];
  for (const one of inside) if (await isFolder(one)) found.push(one.slice(here.length).split(path.sep).join('/'));
  return found;
}

async function isFolder(target: string): Promise<boolean> {
  return (await stat(target).catch(() => null))?.isDirectory() ?? false;
}

async function keysOf(home: string): Promise<Keys> {
  const keys: Keys = {};
  for (const name of ['secret-key', 'operator-token'] as const) {
    const text = await readFile(path.join(home, name), 'utf8').catch(() => '');
    if (text.trim() !== '') keys[name] = text.trim();
  }
  return keys;
}

function leftOutOf(facts: {
  isSealed: boolean;
  hasKeys: boolean;
  home: string | null;
  repositories: readonly string[];
  temporal: string | null;
}): string[] {
  const { isSealed, hasKeys, home, repositories, temporal } = facts;
  const keys = isSealed
    ? []
    : hasKeys
      ? [
          'The secret key and the operator token of the home, because no passphrase was given. Without ' +
            'the secret key, you must enter all encrypted credentials again, such as those of code hosts ' +
            'and webhooks.',
        ]
      : home === null
        ? ['DOCENT_SECRET_KEY and DOCENT_OPERATOR_TOKEN, which are set in the environment. Store them separately.']
        : [];
  const where = repositories.length > 0 ? 'Repositories outside the home' : 'Repositories';
  return [
    ...keys,
    `${where}. Back them up separately.`,
    ...(temporal === null ? ["Temporal's state. Waiting and running jobs are restarted from the database."] : []),
    'The cache, and damaged files that were set aside.',
  ];
}
