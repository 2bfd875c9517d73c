import { Command } from 'commander';
import { CliFailure, EXIT } from '@docent/base/terminal/failures';
import { print, table } from '@docent/base/terminal/terminal-text';
import { withHome } from './storage-options.ts';

/** `docent agents …`: the addresses and keys by which AI agents are verified. */
export function agentsCommand(): Command {
  const agents = new Command('agents').description('update the addresses and keys that verify AI agents');
  withHome(agents.command('update'))
    .description(
      'read the addresses and keys of AI agents from their operators; if a new list cannot be used, the old one is kept',
    )
    .option('--accept-drops', 'also accept a list that drops most of its addresses')
    .action(update);
  return agents;
}

async function update(
  { json, acceptDrops = false }: { json?: boolean; acceptDrops?: boolean },
  command: Command,
): Promise<void> {
  const { directoriesAt } = await import('@docent/access-log/agents/signatures');
  const { agentListFetch, updateAgentKeys, updateAgentLists } = await import('../../analytics/ingest/agent-lists.ts');
  const { readEnvironment } = await import('../../roles/environment.ts');
  const { findStorage } = await import('./storage.ts');
  const { config } = readEnvironment(process.env);
  const { database } = findStorage(command);
  try {
    const fetch = agentListFetch(config.privateHosts);
    const lists = await updateAgentLists(database.db, fetch, { acceptDrops });
    const directories = await updateAgentKeys(database.db, fetch, directoriesAt(config.signatureAgents));
    print(json, { lists, directories }, () =>
      [
        table(
          ['RANGES', 'LIST'],
          lists.map((list) => shown(list.ranges, list)),
          { right: [0] },
        ),
        table(
          ['KEYS', 'DIRECTORY'],
          directories.map((directory) => shown(directory.keys, directory)),
          { right: [0] },
        ),
      ].join('\n\n'),
    );
    const failed = [...lists, ...directories].filter(({ problem }) => problem !== null).length;
    if (failed > 0) throw new CliFailure(`${failed} lists could not be updated: see the problems above.`, EXIT.failed);
  } finally {
    await database.close();
  }
}

const shown = (count: number | null, { url, problem }: { url: string; problem: string | null }) => [
  `${count ?? '–'}`,
  problem ? `${url}: ${problem}` : url,
];
