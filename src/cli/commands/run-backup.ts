import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Config } from '../../config/config.ts';
import { messageOf } from '@docent/base/thrown';
import { armFault } from '../../platform/faults.ts';
import { createLogger } from '../../platform/log.ts';
import { Reaper } from '@docent/servers/processes/reaper';
import { Secret } from '../../platform/secret.ts';
import { isDatabaseUnavailable } from '../../store/database-problem.ts';
import { makeBackup, type BackupMade } from '../../operations/backup/make-backup.ts';
import { restoreBackup, type Restored, type RestoreTarget } from '../../operations/backup/restore-backup.ts';
import { SHORTEST_PASSPHRASE } from '../../operations/backup/sealed-keys.ts';
import { verifyBackup, type Verified } from '../../operations/backup/verify-backup.ts';
import { CliFailure, EXIT } from '@docent/base/terminal/failures';
import { bucketSettingsOf } from '../../roles/analytics-folder.ts';
import { readEnvironment } from '../../roles/environment.ts';
import { defaultHome, openHome, readRunFile } from '../../start/home.ts';
import { startPostgres } from '@docent/servers/postgres/cluster';
import { fields, print, safe } from '@docent/base/terminal/terminal-text';
import { terminalProgress } from '@docent/base/terminal/terminal-progress';
import { untilStopped } from '@docent/base/terminal/until-stopped';
import { databaseUrlOf } from './installation-database.ts';

export interface BackupCommandOptions {
  verify?: boolean;
  base?: string;
  passphraseFile?: string;
  home?: string;
  json?: boolean;
}

export interface RestoreCommandOptions {
  passphraseFile?: string;
  withoutKeys?: boolean;
  home?: string;
  json?: boolean;
}

/** Carries out `docent backup`. */
export async function runBackup(file: string, options: BackupCommandOptions): Promise<void> {
  const { config, home } = placeOfCommand(options);
  const passphrase = passphraseOf(options.passphraseFile);
  await shown(async (progress) => {
    const databaseUrl = databaseUrlOf(config, home);
    const made = await makeBackup({
      file: path.resolve(file),
      databaseUrl,
      analyticsRoot: config.analyticsDir ?? path.join(home, 'analytics'),
      bucket: bucketSettingsOf(config),
      home: isHomeOf(databaseUrl, { config, home, isNamed: options.home !== undefined }) ? home : null,
      progress,
      ...(passphrase ? { passphrase } : {}),
      ...(options.base === undefined ? {} : { base: path.resolve(options.base) }),
    });
    print(options.json, made, () => madeText(made));
    const { missing, damaged } = made.eventFiles;
    if (missing.length + damaged.length === 0) return;
    throw new CliFailure(
      `The backup is complete, but ${missing.length + damaged.length} page-view files of the ` +
        `installation are missing or damaged. Run \`docent analytics verify\`.`,
    );
  });
}

/** With an operator's own database, a default home may belong to another installation. */
function isHomeOf(
  databaseUrl: string,
  { config, home, isNamed }: { config: Config; home: string; isNamed: boolean },
): boolean {
  if (!existsSync(path.join(home, 'state.json'))) return false;
  if (config.databaseUrl === undefined || isNamed || config.home !== undefined) return true;
  return readRunFile(home)?.databaseUrl === databaseUrl;
}

/** Carries out `docent backup --verify`. */
export async function runVerify(file: string, { json, passphraseFile }: BackupCommandOptions): Promise<void> {
  const passphrase = passphraseOf(passphraseFile);
  await shown(async (progress) => {
    const found = await verifyBackup(path.resolve(file), { progress, ...(passphrase ? { passphrase } : {}) });
    const { head, ...rest } = found;
    const { schema, tables: _tables, sequences: _sequences, ...said } = head;
    print(json, { file, ...said, schemaLevel: schema.level, ...rest }, () =>
      verifiedText(found, passphrase !== undefined),
    );
  });
}

/** Carries out `docent restore`. */
export async function runRestore(file: string, options: RestoreCommandOptions): Promise<void> {
  const { config, home } = placeOfCommand(options);
  const passphrase = passphraseOf(options.passphraseFile);
  const ownUrl = options.home === undefined ? config.databaseUrl?.reveal() : undefined;
  const root = (options.home === undefined ? config.analyticsDir : undefined) ?? path.join(home, 'analytics');
  const bucket = bucketSettingsOf(config);
  const target: RestoreTarget =
    ownUrl === undefined
      ? { home, analyticsRoot: root, bucket, database: () => embedded(home) }
      : { home: null, analyticsRoot: root, bucket, database: async () => ({ url: ownUrl, close: async () => {} }) };
  await shown(async (progress) => {
    const restored = await restoreBackup({
      file: path.resolve(file),
      target,
      progress,
      withoutKeys: options.withoutKeys ?? false,
      ...(passphrase ? { passphrase } : {}),
    });
    const { head, ...rest } = restored;
    print(options.json, { home: target.home, analyticsRoot: root, moment: head.moment, ...rest }, () =>
      restoredText(restored, target),
    );
  });
}

/** The PostgreSQL of a home that is being made, for as long as its rows come in. */
async function embedded(folder: string) {
  const log = createLogger({ level: 'error', name: 'postgres' }, process.stderr);
  const home = openHome(folder);
  const reaper = new Reaper({ recordFile: home.processesFile });
  const close = async () => {
    await reaper.close();
    home.release();
  };
  try {
    const server = await startPostgres({ dir: home.postgresFolder, log, reaper });
    return {
      url: server.url,
      close: async () => {
        await server.stop();
        await close();
      },
    };
  } catch (err) {
    await close();
    throw err;
  }
}

function placeOfCommand({ home }: { home?: string }): { config: Config; home: string } {
  const { config } = readEnvironment(process.env);
  armFault(config.fault);
  return { config, home: path.resolve(home ?? config.home ?? defaultHome()) };
}

/** @throws CliFailure for a file that cannot be read, or a passphrase that is too short to keep anything */
function passphraseOf(file: string | undefined): Secret | undefined {
  let text = process.env.DOCENT_BACKUP_PASSPHRASE;
  if (file !== undefined) {
    try {
      text = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
    } catch (err) {
      throw new CliFailure(`The passphrase cannot be read: ${messageOf(err)}`, EXIT.usage, { cause: err });
    }
  }
  if (text === undefined || text === '') return undefined;
  if (text.length >= SHORTEST_PASSPHRASE) return new Secret(text);
  throw new CliFailure(`The passphrase is too short. Use at least ${SHORTEST_PASSPHRASE} characters.`, EXIT.usage);
}

/** Shows the progress, and stops between two steps on request: the work so far is then undone, or marked. */
async function shown(work: (progress: (text: string) => void) => Promise<void>): Promise<void> {
  const progress = terminalProgress(process.stderr);
  try {
    await untilStopped(
      (signal) =>
        work((text) => {
          signal.throwIfAborted();
          progress.update(safe(text));
        }),
      new CliFailure('Stopped.', EXIT.interrupted),
    );
  } catch (err) {
    if (isDatabaseUnavailable(err)) {
      throw new CliFailure(`The database cannot be reached: ${messageOf(err)}`, EXIT.unreachable, { cause: err });
    }
    throw err;
  } finally {
    progress.done();
  }
}

const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`;
const list = (names: readonly string[]) => (names.length === 0 ? 'none' : names.join(', '));

function madeText(made: BackupMade): string {
  const { included, elsewhere } = made.eventFiles;
  return [
    fields({
      file: `${made.file}, ${megabytes(made.bytes)}`,
      moment: made.moment,
      database: `${made.rows} rows in ${made.tables} tables`,
      'page views': `${included} files${elsewhere > 0 ? `, ${elsewhere} more in earlier backups` : ''}, ${made.logs} logs`,
      repositories: list(made.repositories),
      keys: made.keys ? 'encrypted with the passphrase' : 'none',
    }),
    '',
    'Left out:',
    ...made.leftOut.map((sentence) => `  ${sentence}`),
  ].join('\n');
}

function verifiedText({ head, rows, eventFiles, bases, losses }: Verified, isAuthentic: boolean): string {
  const total = Object.values(rows).reduce((sum, count) => sum + count, 0);
  return [
    fields({
      whole: 'yes',
      unchanged: isAuthentic ? 'yes, made with this passphrase' : unproven(head.mac !== null),
      moment: head.moment,
      installation: head.installation,
      version: `Docent ${head.docent}, schema level ${head.schema.level}, PostgreSQL ${head.postgres}`,
      database: `${total} rows in ${head.tables.length} tables`,
      'page views': `${eventFiles.included} files${eventFiles.elsewhere > 0 ? `, ${eventFiles.elsewhere} more in ${bases.join(', ')}` : ''}`,
      repositories: list(head.repositories),
      keys: head.keys ? 'encrypted with a passphrase' : 'none',
    }),
    '',
    'Left out:',
    ...head.leftOut.map((sentence) => `  ${sentence}`),
    ...losses.map((sentence) => `At backup time: ${safe(sentence)}`),
  ].join('\n');
}

const unproven = (hasMac: boolean) =>
  hasMac ? 'not checked: pass the passphrase' : 'cannot be checked: made without a passphrase';

function restoredText({ head, rows, eventFiles, logs, keys, losses }: Restored, { home }: RestoreTarget): string {
  return [
    `Restored the state of ${head.moment}: ${rows} rows, ${eventFiles} page-view files, ${logs} logs.`,
    ...losses.map((sentence) => `At backup time: ${safe(sentence)}`),
    '',
    'Next steps:',
    ...(home === null
      ? ['  Start the roles with the same DOCENT_SECRET_KEY and DOCENT_OPERATOR_TOKEN as before.']
      : [`  docent start --home '${home}'`]),
    ...(home !== null && !keys
      ? [
          '  It creates new keys. Enter the credentials of code hosts and webhooks again, or copy the previous `secret-key` into the home.',
        ]
      : []),
    '  Do not run it together with the original on the same Temporal namespace or repositories.',
    '  Check the result with docent doctor.',
  ].join('\n');
}
