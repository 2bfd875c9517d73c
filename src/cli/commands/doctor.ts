import { Command } from 'commander';
import type { DoctorCommandOptions } from './run-doctor.ts';

/** `docent doctor`. Its dependencies are heavy, and loaded when it runs. */
export function doctorCommand(): Command {
  return new Command('doctor')
    .description('diagnose an installation on this machine and suggest fixes; changes nothing')
    .option('--home <folder>', 'home of `docent start` (default: DOCENT_HOME, else that of npm start)')
    .option('--network', 'also check that code hosts and model providers are reachable')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Works while Docent is down: it checks files, the database and Temporal directly, with the same settings.
For the health of a running installation, use docent health.

Exit codes: 0 no problems, 1 problems found, 2 invalid usage`,
    )
    .action(async (options: DoctorCommandOptions) => {
      const { runDoctor } = await import('./run-doctor.ts');
      await runDoctor(options);
    });
}
