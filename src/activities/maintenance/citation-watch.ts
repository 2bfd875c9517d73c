import { messageOf } from '@docent/base/thrown';
import { openForReading, type CodeHosts } from '../../code-hosts/host.ts';
import { PeriodicTask } from '../../jobs/periodic-task.ts';
import { listPublishedCitations, recordCitationState, type CitationRow } from '../../store/jobs/citations.ts';
import { listSources, type SourceRow } from '../../store/projects/sources.ts';
import { staleCitationOn, wantsEvent } from '../../jobs/code-trigger.ts';
import { faultPoint } from '../../platform/faults.ts';
import { CODE_SOURCE, insertTriggerEvent } from '../../store/automations/trigger-events.ts';
import { listWatchersOf } from '../../store/automations/watched-code.ts';
import type { Queryable } from '../../store/database.ts';
import type { ActivityDeps } from '../deps.ts';

type WatchDeps = Pick<ActivityDeps, 'agents' | 'db' | 'git' | 'log'> & { hosts: Pick<CodeHosts, 'get'> };

const EVERY_MS = 15 * 60_000;
/** The most citations per round. */
const MOST = 5_000;

/** Checks periodically whether the branches of sources still have the lines that published pages cite. */
export function citationWatch(deps: WatchDeps): PeriodicTask {
  return new PeriodicTask({
    db: deps.db,
    name: 'citations',
    everyMs: EVERY_MS,
    round: (_isNew, stopping) => checkCitations(deps, stopping),
    failed: (err) => deps.log.debug({ err: messageOf(err) }, 'citations could not be checked'),
  });
}

/**
 * One round. Safe to run twice at the same time: both find the same. If a source cannot be read, its
 * citations stay.
 */
export async function checkCitations(deps: WatchDeps, signal: AbortSignal): Promise<void> {
  const found = await listPublishedCitations(deps.db, { limit: MOST });
  const byProject = Map.groupBy(found, ({ projectId }) => projectId);
  for (const [projectId, ofProject] of byProject) {
    for (const source of await listSources(deps.db, projectId)) {
      const rows = ofProject.flatMap(({ citation }) => (isOf(citation, source) ? [citation] : []));
      if (rows.length === 0 || signal.aborted) continue;
      try {
        await checkSource(deps, source, rows, signal);
      } catch (err) {
        deps.log.debug({ err: messageOf(err), projectId, source: source.name }, 'a source could not be checked');
      }
    }
  }
}

/** If the source's name now means another repository, that one's lines prove nothing. */
function isOf(citation: CitationRow, { name, repository }: SourceRow): boolean {
  return citation.source === name && citation.repository === repository;
}

async function checkSource(
  { agents, db, git, hosts }: WatchDeps,
  at: SourceRow,
  rows: readonly CitationRow[],
  signal: AbortSignal,
): Promise<void> {
  const { name, repository, ref, paths } = at;
  const { endpoint } = await openForReading(hosts, at);
  const commit = (await git.listBranches(endpoint, { signal })).get(ref);
  if (commit === undefined) return;
  const snapshotPath = await git.ensureSnapshot(endpoint, { branch: ref, commit }, { signal });
  const source = { name, repository, ref, paths, commit, snapshotPath, problem: null };
  const cited = rows.map(({ path, fromLine, toLine, sha256 }) => ({ path, fromLine, toLine, sha256 }));
  const states = await agents.statesOfCited({ source, cited }, { signal });
  for (const [i, row] of rows.entries()) {
    const { state, newLines } = states[i]!;
    if (state === row.state && newLines === row.newLines) continue;
    await db.transaction(async (tx) => {
      const isNews = await recordCitationState(tx, row, { state, newLines });
      if (isNews) await startAutomationsOf(tx, at, { row, commit, isGone: state === 'gone' });
    });
    faultPoint('event-stored');
  }
}

/**
 * Writes an event into the inbox of each automation that stale citations of this source start. In the
 * transaction that records the state, so that a citation that becomes stale is one event.
 * @param of.commit at which it became stale
 */
async function startAutomationsOf(
  tx: Queryable,
  { projectId, name, host, repository, repositoryId }: SourceRow,
  { row, commit, isGone }: { row: CitationRow; commit: string; isGone: boolean },
): Promise<void> {
  const { jobId, turnNo, no, page, line, claim, path, fromLine, toLine } = row;
  const watchers = await listWatchersOf(tx, { host, repositoryId: repositoryId ?? repository });
  for (const { automationId, trigger, ...watched } of watchers) {
    if (watched.projectId !== projectId || watched.name !== name) continue;
    const event = staleCitationOn(watched.ref, { page, line, claim, path, fromLine, toLine, isGone });
    if (!wantsEvent(trigger, watched, event)) continue;
    await insertTriggerEvent(tx, {
      source: `${CODE_SOURCE}${projectId}/${automationId}`,
      deliveryId: `citation:${jobId}.${turnNo}.${no}@${commit}`,
      projectId,
      automationId,
      headers: {},
      event: event.name,
      body: Buffer.from(JSON.stringify({ repository: name, ...event })),
    });
  }
}
