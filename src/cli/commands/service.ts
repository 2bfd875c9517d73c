import { Command } from 'commander';
import type { StartOptions } from '../../start/start.ts';
import { wholeNumber } from '@docent/cli/parsing';

/** `docent start`, `docent api` and `docent worker`, whose heavy modules load when they run. */
export function serviceCommands(): Command[] {
  const start = new Command('start')
    .description('run everything on this machine: PostgreSQL, Temporal, worker and API')
    .option('--home <folder>', 'folder for all data (default: DOCENT_HOME, else .docent in a checkout, else ~/.docent)')
    .option(
      '--port <port>',
      'port of the API; 0 for any free one (default: DOCENT_PORT, else 4000)',
      wholeNumber(0, 65_535),
    )
    .option('--ui-port <port>', 'port of the Temporal Web UI (default: 8233, or any free one)', wholeNumber(1, 65_535))
    .option('--verbose', 'show all log lines, not only warnings; logs/docent.log in the home has all of them')
    .option('--json', 'print the running services as one line of JSON, and all log lines as JSON')
    .addHelpText(
      'after',
      `
Runs until Ctrl-C. Projects, keys and jobs are kept in the home for the next start.
DATABASE_URL and TEMPORAL_ADDRESS replace the embedded PostgreSQL and Temporal.`,
    )
    .action(async (options: StartOptions) => {
      const { runStart } = await import('../../start/start.ts');
      await runStart(options);
    });
  const api = new Command('api')
    .description('run an API process, with DATABASE_URL and TEMPORAL_ADDRESS; you can run several')
    .action(async () => {
      const { runRole } = await import('../../roles/role.ts');
      const { startApi } = await import('../../roles/api.ts');
      await runRole('api', startApi);
    });
  const worker = new Command('worker')
    .description('run a worker process, with DATABASE_URL and TEMPORAL_ADDRESS; you can run several')
    .action(async () => {
      const { runRole } = await import('../../roles/role.ts');
      const { startWorker } = await import('../../roles/worker.ts');
      await runRole('worker', startWorker);
    });
  return [start, api, worker];
}
