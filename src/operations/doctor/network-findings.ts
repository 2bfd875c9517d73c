import { stat } from 'node:fs/promises';
import { networkReason } from '@docent/base/net/network-reason';
import { listCodeHosts } from '../../store/hosts/code-hosts.ts';
import type { Database } from '../../store/database.ts';
import { listProjects } from '../../store/projects/projects.ts';
import { DOCS, ok, wrong, type Finding } from '../../platform/health.ts';

const ASK_MS = 5_000;
const MOST = 100;

export async function repositoryFindings({ db }: Database): Promise<Finding[]> {
  const projects = (await listProjects(db, { limit: MOST })).filter(({ host }) => host === 'local');
  const gone: string[] = [];
  for (const { id, repository } of projects) {
    if ((await stat(repository).catch(() => null)) === null) gone.push(`${repository} (${id})`);
  }
  if (gone.length === 0) return [ok('repositories', 'All local repositories are available.')];
  const what = `Missing local repositories: ${gone.slice(0, 5).join(', ')}.`;
  return [
    wrong('repositories', {
      what,
      todo: 'Restore them, mount their disk, or choose another repository with `docent project update`.',
      docs: DOCS.hosts,
    }),
  ];
}

/** Whether code hosts and models answer at all. Sends no secrets. */
export async function networkFindings(
  database: Database,
  models: readonly { name: string; url: string }[],
): Promise<Finding[]> {
  const hosts = await listCodeHosts(database.db, { limit: MOST });
  const targets = [...hosts.map(({ id, apiUrl }) => ({ name: `code host ${id}`, url: apiUrl })), ...models];
  return Promise.all(targets.map(({ name, url }) => answers(name, url)));
}

async function answers(name: string, url: string): Promise<Finding> {
  const host = URL.canParse(url) ? new URL(url).host : url;
  try {
    const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(ASK_MS) });
    await response.body?.cancel();
    return ok('network', `The ${name} (${host}) is reachable.`);
  } catch (err) {
    const what = `The ${name} (${host}) is not reachable: ${networkReason(err)}`;
    return wrong('network', {
      what,
      todo: 'Check the address, the proxy and the firewall.',
      docs: DOCS.hosts,
    });
  }
}
