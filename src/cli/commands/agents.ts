import { Command } from 'commander';
import { CliFailure, EXIT } from '@docent/base/terminal/failures';
import { print, table } from '@docent/base/terminal/terminal-text';
import { withHome } from './storage-options.ts';

/** `docent agents …`: the addresses by which AI agents are verified. */
export function agentsCommand(): Command {
  const agents = new Command('agents').description('update the addresses by which AI agents are verified');
  withHome(agents.command('update'))
    .description('read the addresses of AI agents from their operators; a list that cannot be read stays as it is')
    .action(update);
  return agents;
}

async function update({ json }: { json?: boolean }, command: Command): Promise<void> {
  const { createGuardedFetch } = await import('@docent/base/net/guarded-fetch');
  const { updateAgentLists } = await import('../../analytics/ingest/agent-lists.ts');
  const { readEnvironment } = await import('../../roles/environment.ts');
  const { findStorage } = await import('./storage.ts');
  const { config } = readEnvironment(process.env);
  const { database } = findStorage(command);
  try {
    const lists = await updateAgentLists(database.db, createGuardedFetch({ allowed: config.privateHosts }));
    print(json, { lists }, () =>
      table(
        ['RANGES', 'OPERATOR', 'LIST'],
        lists.map(({ ranges, operator, url, problem }) => [
          `${ranges ?? '–'}`,
          operator,
          problem ? `${url}: ${problem}` : url,
        ]),
        { right: [0] },
      ),
    );
    const failed = lists.filter(({ problem }) => problem !== null).length;
    if (failed > 0) throw new CliFailure(`${failed} lists stay as they were. Try again later.`, EXIT.failed);
  } finally {
    await database.close();
  }
}
