import { HostProblem } from '../../code-hosts/host-problem.ts';
import { RepositoryProblem } from '../../git/repository-problem.ts';
import { redact } from '../../platform/log.ts';
import type { CodeHostAccess } from '../../store/code-hosts.ts';
import type { CheckHostInput, CheckHostResult, CodeHostCandidate } from '../../workflows/contract.ts';
import type { ControlDeps } from './control-run.ts';

/** Says what a code host's credential lacks. Refusals are results: a person reads them at once. */
export async function checkHost(
  input: CheckHostInput,
  { hosts }: Pick<ControlDeps, 'hosts'>,
): Promise<CheckHostResult> {
  const problems: string[] = [];
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
  } catch (err) {
    if (!isSaidNo(err)) throw err;
    problems.push(redact(err.message));
  }
  return { ok: problems.length === 0, account, problems };
}

/** A person waits: what may pass by itself is told too, not tried for long. */
export function isSaidNo(err: unknown): err is RepositoryProblem | HostProblem {
  return err instanceof RepositoryProblem || err instanceof HostProblem;
}

function accessOf(id: string, candidate: CodeHostCandidate): CodeHostAccess {
  return { ...candidate, id, credential: Buffer.from(candidate.credential, 'base64') };
}
