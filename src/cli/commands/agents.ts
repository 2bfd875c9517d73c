import { Command } from 'commander';
import { CliFailure, EXIT } from '@docent/base/terminal/failures';
import { print, table } from '@docent/base/terminal/terminal-text';
import { withHome } from './storage-options.ts';

/** `docent agents …`: the addresses by which AI agents are verified. */
export function agentsCommand(): Command {
  const agents = new Command('agents').description('update the addresses by which AI agents are verified');
  withHome(agents.command('update'))
    .description('read the addresses of AI agents from their operators; a list that cannot be used stays as it is')
    .option('--accept-drops', 'also take a list that drops most of its addresses')
    .action(update);
  return agents;
}

async function update(
  { json, acceptDrops = false }: { json?: boolean; acceptDrops?: boolean },
  command: Command,
): Promise<void> {
  const { agentListFetch, updateAgentLists } = await import('../../analytics/ingest/agent-lists.ts');
  const { readEnvironment } = await import('../../roles/environment.ts');
  const { findStorage } = await import('./storage.ts');
  const { config } = readEnvironment(process.env);
  const { database } = findStorage(command);
  try {
    const lists = await updateAgentLists(database.db, agentListFetch(config.privateHosts), { acceptDrops });
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
    if (failed > 0) throw new CliFailure(`${failed} lists stay as they were: see the problems above.`, EXIT.failed);
  } finally {
    await database.close();
  }
}
