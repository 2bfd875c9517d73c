import { Command, Option } from 'commander';
import type { BackupCommandOptions, RestoreCommandOptions } from './run-backup.ts';

const home = () =>
  new Option(
    '--home <folder>',
    'home of a `docent start` on this machine (default: DOCENT_HOME, else that of npm start)',
  );
const passphraseFile = () =>
  new Option(
    '--passphrase-file <file>',
    'encrypts the keys of the home, and proves that the backup is unchanged (default: DOCENT_BACKUP_PASSPHRASE)',
  );

/** `docent backup` and `docent restore`. What they need is heavy, and loaded when they run. */
export function backupCommands(): Command[] {
  const backup = new Command('backup')
    .description('write everything into one file, while Docent runs')
    .argument('<file>', 'must not exist; with --verify, the backup to look at')
    .option('--verify', 'change nothing; read a backup whole and compare it with its sums')
    .option('--base <file>', 'an earlier backup in the same folder: event files that it has are not written again')
    .addOption(passphraseFile())
    .addOption(home())
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
One moment of database and page views, the repositories in the home, and, with a passphrase, its keys. Of the parts of a
\`docent start\`, PostgreSQL has to run. With DATABASE_URL set, that database and DOCENT_ANALYTICS_DIR.

Exit codes: 0 whole, 1 not whole, or of an installation with damaged files, 2 wrong usage, 4 no database`,
    )
    .action(async (file: string, options: BackupCommandOptions) => {
      const { runBackup, runVerify } = await import('./run-backup.ts');
      await (options.verify ? runVerify(file, options) : runBackup(file, options));
    });
  const restore = new Command('restore')
    .description('make of a backup what it was made of, in an empty place')
    .argument('<file>', 'what `docent backup` has written')
    .addOption(passphraseFile())
    .option('--without-keys', 'leave the keys in the backup')
    .addOption(home())
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Into a home that does not exist or is empty. With DATABASE_URL set and no --home: into that database, which has to be empty,
and into DOCENT_ANALYTICS_DIR. With DOCENT_ANALYTICS_STORAGE set, page views go into that bucket, which has to be empty; keys and repositories stay in the file then.

Exit codes: 0 restored, 1 not restored, 2 wrong usage, 4 no database`,
    )
    .action(async (file: string, options: RestoreCommandOptions) => {
      const { runRestore } = await import('./run-backup.ts');
      await runRestore(file, options);
    });
  return [backup, restore];
}
