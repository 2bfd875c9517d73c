import { Option, type Command } from 'commander';
import { CliFailure } from '@docent/base/terminal/failures';

/* Shared by commands on an installation's files, before they open them: see storage.ts, which is heavy. */

/** Adds the options by which a command finds the files of a project. */
export function withStorage(command: Command): Command {
  return withHome(command.requiredOption('--project <id>', 'project'));
}

/** Adds the options by which a command finds the files of an installation. */
export function withHome(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--home <folder>',
        'home of `docent start` on this machine (default: DOCENT_HOME, else that of npm start); not with DATABASE_URL',
      ),
    )
    .option('--json', 'print JSON');
}

/** @throws CliFailure if another process is at the files */
export function mine<T>(result: T | null): T {
  if (result !== null) return result;
  throw new CliFailure('Another process is using the files of this project. Try again in a minute.');
}
