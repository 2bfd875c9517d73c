import { HostProblem } from '@docent/code-hosts/host-problem';
import type { RepositoryIdentity } from '../../code-hosts/host.ts';
import { RepositoryProblem } from '@docent/git/repository-problem';
import { redact } from '../../platform/log.ts';
import type { CodeHostAccess } from '../../store/hosts/code-hosts.ts';
import { listRepositoriesOn } from '../../store/hosts/host-repositories.ts';
import type { CheckHostInput, CheckHostResult, CodeHostCandidate, SavedHostHook } from '../../workflows/contract.ts';
import type { ControlDeps } from './control-run.ts';

/** What a code host's credential lacks. Refusals are results for a waiting person. */
export async function checkHost(
  input: CheckHostInput,
  { hosts, db }: Pick<ControlDeps, 'hosts' | 'db'>,
): Promise<CheckHostResult> {
  const problems: string[] = [];
  let saved: SavedHostHook[] = [];
  let account: string | null = null;
  try {
    const host =
      input.candidate === null
        ? await hosts.get(input.host)
        : await hosts.connect(accessOf(input.host, input.candidate));
    const found = await host.checkAccount();
    account = found.name === null ? null : redact(found.name);
    problems.push(...found.problems.map(redact));
    if (input.repository !== null) await host.check({ repository: input.repository, repositoryId: null }, input.ref);
    if (input.hookUrl) saved = await saveHooks(input.host, input.hookUrl, { hosts, db });
  } catch (err) {
    if (!isExpectedRefusal(err)) throw err;
    problems.push(redact(err.message));
  }
  return { ok: problems.length === 0, account, problems, ...(input.hookUrl ? { hooks: saved } : {}) };
}

/** How many webhooks are saved at the same time. */
const TOGETHER = 8;

/** Saves the webhooks of all repositories of projects and sources on the host. Safe to repeat. */
async function saveHooks(
  hostId: string,
  url: string,
  { hosts, db }: Pick<ControlDeps, 'hosts' | 'db'>,
): Promise<SavedHostHook[]> {
  const host = await hosts.get(hostId);
  const secret = await hosts.hookSecret(hostId);
  if (secret === null) return [];
  const save = async (which: RepositoryIdentity): Promise<SavedHostHook> => {
    try {
      return { repository: which.repository, result: await host.saveHook(which, { url, secret }), problem: null };
    } catch (err) {
      if (!isExpectedRefusal(err)) throw err;
      return { repository: which.repository, result: 'failed', problem: redact(err.message) };
    }
  };
  const repositories = await listRepositoriesOn(db, hostId);
  const saved: SavedHostHook[] = [];
  for (let from = 0; from < repositories.length; from += TOGETHER) {
    saved.push(...(await Promise.all(repositories.slice(from, from + TOGETHER).map(save))));
  }
  return saved;
}

/** A person waits: temporary errors are reported, too, instead of retried for long. */
export function isExpectedRefusal(err: unknown): err is RepositoryProblem | HostProblem {
  return err instanceof RepositoryProblem || err instanceof HostProblem;
}

function accessOf(id: string, candidate: CodeHostCandidate): CodeHostAccess {
  return { ...candidate, id, credential: Buffer.from(candidate.credential, 'base64') };
}
