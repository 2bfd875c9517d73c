import type { SourceAt } from '@docent/agent/sources/source';
import type { ToolCall } from '@docent/models/conversation/tool-call';
import { openForReading } from '../../code-hosts/host.ts';
import { Failure } from '@docent/base/failure';
import { redact } from '../../platform/log.ts';
import { RepositoryProblem } from '@docent/git/repository-problem';
import type { ProjectRow } from '../../store/projects/projects.ts';
import type { TurnSource } from '../../store/schema.ts';
import { listSources, noteSource, type SourceRow } from '../../store/projects/sources.ts';
import type { TurnRow } from '../../store/jobs/turn-fence.ts';
import type { ActivityDeps } from '../deps.ts';
import type { ActivityRun } from '../run-activity.ts';

type SourceDeps = Pick<ActivityDeps, 'db' | 'git' | 'hosts'>;

/** The project's sources at their branches' tips, which all steps of the turn read. */
export async function findTurnSources(
  deps: SourceDeps,
  { id }: Pick<ProjectRow, 'id'>,
  run: ActivityRun,
): Promise<TurnSource[]> {
  const rows = await listSources(deps.db, id);
  return Promise.all(
    rows.map(async (row) => {
      const { name, host, repository, repositoryId, ref, paths } = row;
      const source = { name, host, repository, repositoryId, ref, paths };
      try {
        return { ...source, ...(await tipOf(deps, row, run)), problem: null };
      } catch (err) {
        return { ...source, commit: null, problem: sentenceOf(err, run) };
      }
    }),
  );
}

/** @throws RepositoryProblem, HostProblem */
async function tipOf(deps: SourceDeps, row: SourceRow, run: ActivityRun) {
  const { repository, repositoryId, endpoint } = await openForReading(deps.hosts, row);
  if (repository !== row.repository || repositoryId !== row.repositoryId) {
    await noteSource(deps.db, row, { repository, repositoryId });
  }
  const commit = (await deps.git.listBranches(endpoint, { signal: run.signal })).get(row.ref);
  if (commit === undefined) {
    throw new RepositoryProblem('branch_missing', `${repository} has no branch "${row.ref}".`);
  }
  return { repository, repositoryId, commit };
}

/**
 * Why a source is finally unreadable: the job continues without it.
 * @throws the error if it is temporary or unexpected
 */
function sentenceOf(err: unknown, { signal, attempt }: ActivityRun): string {
  if (signal.aborted || !(err instanceof Failure) || attempt < err.retry.attempts) throw err;
  return redact(err.message);
}

/** Sentences about the sources that the turn has to do without. */
export function absentSources(sources: readonly TurnSource[]): string[] {
  return sources.flatMap(({ name, problem }) =>
    problem === null ? [] : [`The source ${name} could not be read: ${problem}`],
  );
}

/** The turn's sources for the agent's calls; fetches their files only for calls about sources. */
export async function sourcesForCalls(
  deps: SourceDeps,
  turn: TurnRow,
  calls: readonly ToolCall[],
  run: ActivityRun,
): Promise<{ sources?: SourceAt[] }> {
  const { sources } = turn;
  if (!sources || sources.length === 0 || !calls.some(({ name }) => name.includes('sources_'))) return {};
  return { sources: await sourcesWithFiles(deps, sources, run) };
}

/** Sources with the files of their snapshots. */
export function sourcesWithFiles(
  deps: SourceDeps,
  sources: readonly TurnSource[],
  run: ActivityRun,
): Promise<SourceAt[]> {
  return Promise.all(sources.map((source) => withFiles(deps, source, run)));
}

async function withFiles(
  deps: SourceDeps,
  { name, host, repository, repositoryId, ref, paths, commit, problem }: TurnSource,
  run: ActivityRun,
): Promise<SourceAt> {
  const source = { name, repository, ref, paths, commit };
  if (commit === null) return { ...source, snapshotPath: null, problem };
  try {
    const snapshotPath = await deps.git.ensureSnapshot(
      async () => (await openForReading(deps.hosts, { host, repository, repositoryId })).endpoint,
      { branch: ref, commit },
      { signal: run.signal, known: JSON.stringify(['source', host, repository]), recent: run.attempt === 1 },
    );
    return { ...source, snapshotPath, problem: null };
  } catch (err) {
    return { ...source, snapshotPath: null, problem: sentenceOf(err, run) };
  }
}
