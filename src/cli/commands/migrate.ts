import { Command } from 'commander';
import type { MigrateOptions } from './migrate-database.ts';

/** `docent migrate`. Its dependencies are heavy, and loaded when it runs. */
export function migrateCommand(): Command {
  return new Command('migrate')
    .description('update the database schema to this version')
    .option('--check', 'change nothing; exit with 5 if the schema is not up to date')
    .option('--sql', 'change nothing; print the statements that would run')
    .option('--force', 'also remove what running processes of an older version use; they then stop with an error')
    .option('--home <folder>', 'home of `docent start` on this machine; not with DATABASE_URL')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Docent migrates automatically at start, unless DOCENT_MIGRATE=never. Only one process migrates at a time; others wait.
If interrupted, run the command again to continue.

Exit codes: 0 up to date, 1 incomplete, 2 invalid usage, 4 no database, 5 --check found pending changes`,
    )
    .action(async (options: MigrateOptions) => {
      const { runMigrate } = await import('./migrate-database.ts');
      await runMigrate(options);
    });
}
