import { Command, Option } from 'commander';
import type { BackupCommandOptions, RestoreCommandOptions } from './run-backup.ts';

const home = () =>
  new Option(
    '--home <folder>',
    'home of `docent start` on this machine (default: DOCENT_HOME, else that of npm start)',
  );
const passphraseFile = () =>
  new Option(
    '--passphrase-file <file>',
    'passphrase that encrypts the keys and authenticates the backup (default: DOCENT_BACKUP_PASSPHRASE)',
  );

/** `docent backup` and `docent restore`. Their dependencies are heavy, and loaded when they run. */
export function backupCommands(): Command[] {
  const backup = new Command('backup')
    .description('back up everything to one file while Docent runs')
    .argument('<file>', 'file to write, which must not exist; with --verify, the backup to check')
    .option('--verify', 'verify an existing backup against its checksums; change nothing')
    .option('--base <file>', 'an earlier backup in the same folder; leave out the event files that it has')
    .addOption(passphraseFile())
    .addOption(home())
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
The backup holds the database and page views at one point in time, the repositories in the home, and, with a
passphrase, its keys. PostgreSQL must be running. With DATABASE_URL set, the backup holds that database and
DOCENT_ANALYTICS_DIR.

Exit codes: 0 complete, 1 incomplete or with damaged files, 2 invalid usage, 4 no database`,
    )
    .action(async (file: string, options: BackupCommandOptions) => {
      const { runBackup, runVerify } = await import('./run-backup.ts');
      await (options.verify ? runVerify(file, options) : runBackup(file, options));
    });
  const restore = new Command('restore')
    .description('restore a backup into an empty home or database')
    .argument('<file>', 'a file that `docent backup` has written')
    .addOption(passphraseFile())
    .option('--without-keys', 'do not restore the keys')
    .addOption(home())
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
The home must be new or empty. With DATABASE_URL set and no --home, the backup is restored into that database, which must be
empty, and into DOCENT_ANALYTICS_DIR. With DOCENT_ANALYTICS_STORAGE set, page views go into that bucket, which must be empty.
Keys and repositories then stay in the backup file.

Exit codes: 0 restored, 1 not restored, 2 invalid usage, 4 no database`,
    )
    .action(async (file: string, options: RestoreCommandOptions) => {
      const { runRestore } = await import('./run-backup.ts');
      await runRestore(file, options);
    });
  return [backup, restore];
}
