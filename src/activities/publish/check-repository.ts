import type { InstructionFile, NamedInstructions } from '../../agent/instructions.ts';
import type { SitePlace } from '../../docs-site/read/find-site.ts';
import { RepositoryProblem } from '../../git/repository-problem.ts';
import type { CheckedRepository, CodeHost } from '../../code-hosts/host.ts';
import { redact } from '../../platform/log.ts';
import type { CheckRepositoryInput, CheckRepositoryResult, FoundSite } from '../../workflows/contract.ts';
import type { ControlDeps, ControlRun } from './control-run.ts';
import { isSaidNo } from './check-host.ts';

/** Whether Docent can work with a repository, and what its docs are. Refusals are results: a person reads them at once. */
export async function checkRepository(
  input: CheckRepositoryInput,
  deps: Pick<ControlDeps, 'hosts' | 'git' | 'agents' | 'settings'>,
  run: ControlRun,
): Promise<CheckRepositoryResult> {
  try {
    const host = await deps.hosts.get(input.host);
    const { repository, repositoryId, ref } = input;
    const branchPrefix = input.branchPrefix ?? deps.settings.branchPrefix;
    const checked = await host.check({ repository, repositoryId }, ref, branchPrefix);
    const { docsDir, site, instructionFiles, styleGuides } = input;
    const docs = await docsIn(deps, host, checked, { docsDir, site, instructionFiles, styleGuides }, run);
    if (site && docs?.notThere) return { ok: false, code: 'site_missing', message: docs.notThere };
    return { ok: true, ...checked, site: docs?.site ?? null, instructions: docs?.instructions ?? null };
  } catch (err) {
    if (isSaidNo(err)) return { ok: false, code: err.code, message: redact(err.message) };
    throw err;
  }
}

/** A person waits for the answer: a repository that takes longer to fetch is looked into by its first job. */
const LOOK_MS = 15_000;

/** What the docs are and ask of agents; null where that cannot be told in time, which keeps nobody from making a project. */
async function docsIn(
  { git, agents }: Pick<ControlDeps, 'git' | 'agents'>,
  host: CodeHost,
  { repository, repositoryId, ref, commit }: CheckedRepository,
  place: SitePlace & NamedInstructions,
  run: ControlRun,
): Promise<{ site: FoundSite; notThere: string | null; instructions: InstructionFile[] } | null> {
  const signal = AbortSignal.any([run.signal, AbortSignal.timeout(LOOK_MS)]);
  try {
    const { endpoint } = await host.open({ repository, repositoryId, projectId: null });
    const snapshotPath = await git.ensureSnapshot(endpoint, { branch: ref, commit }, { signal });
    const read = await agents.readSite({ snapshotPath, ...place }, { signal });
    const { configPath, kind, folder, pages, unsure, candidates, notThere, instructions } = read;
    return { site: { kind, config: configPath, folder, pages, unsure, candidates }, notThere, instructions };
  } catch (err) {
    run.signal.throwIfAborted();
    // Its files cannot be had now, nor by any job.
    if (err instanceof RepositoryProblem && err.code !== 'unreachable' && !signal.aborted) throw err;
    run.log.warn({ err }, 'could not look at the docs of a new repository');
    return null;
  }
}
