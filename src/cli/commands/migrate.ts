import { Command } from 'commander';
import type { MigrateOptions } from './migrate-database.ts';

/** `docent migrate`. What it needs is heavy, and loaded when it runs. */
export function migrateCommand(): Command {
  return new Command('migrate')
    .description("bring the database's schema up to date with this version")
    .option('--check', 'change nothing; end with 5 where something is to be done')
    .option('--sql', 'change nothing; print the statements that would run')
    .option('--force', 'take away also what running processes of an older version still use: they end with an error')
    .option('--home <folder>', 'home of a `docent start` on this machine; not with DATABASE_URL')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Roles do this by themselves when they start, unless DOCENT_MIGRATE=never. One process at a time works, others wait.
What is interrupted goes on when the command is repeated.

Exit codes: 0 up to date, 1 not everything could be done, 2 wrong usage, 4 no database, 5 --check found something to do`,
    )
    .action(async (options: MigrateOptions) => {
      const { runMigrate } = await import('./migrate-database.ts');
      await runMigrate(options);
    });
}
