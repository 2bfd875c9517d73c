import type { SiteSurvey } from '@docent/agent/survey-site';
import type { InstructionFile, NamedInstructions } from '@docent/agent/instructions';
import type { SitePlace } from '@docent/docs-check/read/find-site';
import { openSnapshot } from '@docent/git/snapshot/snapshot';
import { RepositoryProblem } from '@docent/git/repository-problem';
import type { CheckedRepository, CodeHost } from '../../code-hosts/host.ts';
import { redact } from '../../platform/log.ts';
import { MAX_AUTOMATIONS } from '../../store/automations/automations.ts';
import type { CheckRepositoryInput, CheckRepositoryResult, FoundFile, FoundSite } from '../../workflows/contract.ts';
import type { ControlDeps, ControlRun } from './control-run.ts';
import { isExpectedRefusal } from './check-host.ts';

/** Whether Docent can work with a repository, and its docs. Refusals are results for a waiting person. */
export async function checkRepository(
  input: CheckRepositoryInput,
  deps: Pick<ControlDeps, 'hosts' | 'git' | 'agents' | 'settings'>,
  run: ControlRun,
): Promise<CheckRepositoryResult> {
  try {
    const host = await deps.hosts.get(input.host);
    const { repository, repositoryId, ref } = input;
    if (input.access === 'read') {
      const source = await host.checkReadable({ repository, repositoryId }, ref);
      const found = { ok: true, ...source, site: null, instructions: null } as const;
      if (input.readFolder === undefined) return found;
      return { ...found, files: await filesIn(deps, host, { ...source, folder: input.readFolder }, run) };
    }
    const branchPrefix = input.branchPrefix ?? deps.settings.branchPrefix;
    const checked = await host.check({ repository, repositoryId }, ref, branchPrefix);
    const { docsDir, site, instructionFiles, styleGuides, survey } = input;
    const place = { docsDir, site, instructionFiles, styleGuides, survey };
    const docs = await docsIn(deps, host, checked, place, run);
    if (docs?.notThere && (site || docs.docsFolder)) return { ok: false, code: 'site_missing', message: docs.notThere };
    const found = { site: docs?.site ?? null, instructions: docs?.instructions ?? null };
    return { ok: true, ...checked, ...found, ...(survey ? { survey: docs?.survey ?? null } : {}) };
  } catch (err) {
    if (isExpectedRefusal(err)) return { ok: false, code: err.code, message: redact(err.message) };
    throw err;
  }
}

/** A person waits for the answer: a repository that takes longer to fetch is looked into by its first job. */
const FETCH_MS = 15_000;
/** The part of it for the checks to read pages. */
const SURVEY_MS = 8_000;

/** One more than a project may have automations: then the folder has too many. */
const MAX_FILES = MAX_AUTOMATIONS + 1;
const MAX_FILE_BYTES = 64 * 1_024;

/**
 * The files of a folder at a commit, in the order of their names, at most {@link MAX_FILES}. Also what is there
 * instead of the folder or one above it, such as a symbolic link.
 */
async function filesIn(
  { git }: Pick<ControlDeps, 'git'>,
  host: CodeHost,
  at: CheckedRepository & { folder: string },
  { signal }: ControlRun,
): Promise<FoundFile[]> {
  const { repository, repositoryId, ref, commit, folder } = at;
  const { endpoint } = await host.open({ repository, repositoryId, projectId: null });
  const base = openSnapshot(await git.ensureSnapshot(endpoint, { branch: ref, commit }, { signal }));
  return base
    .files()
    .filter(({ path }) => path.startsWith(`${folder}/`) || `${folder}/`.startsWith(`${path}/`))
    .slice(0, MAX_FILES)
    .map(({ path, size, kind }) => {
      const isText = (kind === 'text' || kind === 'executable-text') && size <= MAX_FILE_BYTES;
      const isFile = kind !== 'symlink' && kind !== 'submodule';
      return { path, kind: isFile ? 'file' : kind, text: isText ? base.readText(path) : null };
    });
}

type Docs = {
  site: FoundSite;
  notThere: string | null;
  docsFolder: string | null;
  instructions: InstructionFile[];
  survey: SiteSurvey | null;
};

/** The repository's docs and their instructions. Null if that takes too long, which is not an error. */
async function docsIn(
  { git, agents }: Pick<ControlDeps, 'git' | 'agents'>,
  host: CodeHost,
  { repository, repositoryId, ref, commit }: CheckedRepository,
  { survey: asksChecks, ...place }: SitePlace & NamedInstructions & { survey?: boolean | undefined },
  run: ControlRun,
): Promise<Docs | null> {
  const signal = AbortSignal.any([run.signal, AbortSignal.timeout(FETCH_MS)]);
  try {
    const { endpoint } = await host.open({ repository, repositoryId, projectId: null });
    const snapshotPath = await git.ensureSnapshot(endpoint, { branch: ref, commit }, { signal });
    const read = await agents.readSite({ snapshotPath, ...place }, { signal });
    const { configPath, kind, folder, pages, unsure, candidates, notThere, docsFolder, instructions } = read;
    const site = { kind, config: configPath, folder, pages, unsure, candidates, ...(docsFolder && { docsFolder }) };
    const survey = asksChecks ? await surveyOf(agents, { snapshotPath, ...place }, { run, signal }) : null;
    return { site, notThere, docsFolder, instructions, survey };
  } catch (err) {
    run.signal.throwIfAborted();
    // Its files are unavailable now, and would be to any job.
    if (err instanceof RepositoryProblem && err.code !== 'unreachable' && !signal.aborted) throw err;
    run.log.warn({ err }, 'could not read the docs of a new repository');
    return null;
  }
}

/** What the checks find. Null if they take too long or fail: the other results are returned anyway. */
async function surveyOf(
  agents: ControlDeps['agents'],
  { snapshotPath, docsDir, site }: SitePlace & { snapshotPath: string },
  { run, signal }: { run: ControlRun; signal: AbortSignal },
): Promise<SiteSurvey | null> {
  try {
    return await agents.surveySite({ snapshotPath, docsDir, site, readMs: SURVEY_MS }, { signal });
  } catch (err) {
    run.signal.throwIfAborted();
    run.log.warn({ err }, 'could not check the docs of a repository');
    return null;
  }
}
