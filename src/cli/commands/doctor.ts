import { Command } from 'commander';
import type { DoctorCommandOptions } from './run-doctor.ts';

/** `docent doctor`. What it needs is heavy, and loaded when it runs. */
export function doctorCommand(): Command {
  return new Command('doctor')
    .description('what is wrong with an installation on this machine, and what to do; changes nothing')
    .option('--home <folder>', 'home of a `docent start` (default: DOCENT_HOME, else that of npm start)')
    .option('--network', 'also ask whether code hosts and model providers can be reached')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Works while parts are down: it looks at files, the database and Temporal by itself, with the settings of the roles.
What runs tells more of itself: docent health.

Exit codes: 0 nothing is wrong, 1 something is, 2 wrong usage`,
    )
    .action(async (options: DoctorCommandOptions) => {
      const { runDoctor } = await import('./run-doctor.ts');
      await runDoctor(options);
    });
}
