import { messageOf } from '@docent/base/thrown';
import { openForReading, type CodeHosts } from '../../code-hosts/host.ts';
import { PeriodicTask } from '../../jobs/periodic-task.ts';
import {
  listCitingProjects,
  listPublishedCitations,
  recordCitationState,
  recordStated,
  type CitationRow,
} from '../../store/jobs/citations.ts';
import type { ProjectRow } from '../../store/projects/projects.ts';
import { listSources, type SourceRow } from '../../store/projects/sources.ts';
import { staleCitationOn, wantsEvent } from '../../jobs/code-trigger.ts';
import { faultPoint } from '../../platform/faults.ts';
import { CODE_SOURCE, insertTriggerEvent } from '../../store/automations/trigger-events.ts';
import { listWatchersOf } from '../../store/automations/watched-code.ts';
import type { Queryable } from '../../store/database.ts';
import type { ActivityDeps } from '../deps.ts';

type WatchDeps = Pick<ActivityDeps, 'agents' | 'db' | 'git' | 'log'> & { hosts: Pick<CodeHosts, 'get'> };

const EVERY_MS = 15 * 60_000;
/** The most citations of a project. */
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
 * One round. Safe to run twice at the same time: both find the same. If a repository cannot be read, its
 * citations stay.
 */
export async function checkCitations(deps: WatchDeps, signal: AbortSignal): Promise<void> {
  for (const project of await listCitingProjects(deps.db)) {
    const found = await listPublishedCitations(deps.db, { project, limit: MOST });
    const current: CitationRow[] = [];
    for (const [ref, merged] of Map.groupBy(found, ({ mergedInto }) => mergedInto)) {
      const rows = merged.map(({ citation }) => citation);
      const checked = await attempt(() => checkPages(deps, { project, ref, rows }, signal), { project: project.id });
      current.push(...(checked ?? rows));
    }
    for (const source of await listSources(deps.db, project.id)) {
      const rows = current.filter((row) => row.isStated && row.source === source.name);
      if (rows.length === 0) continue;
      await attempt(() => checkSource(deps, source, rows, signal), { project: project.id, source: source.name });
    }
  }

  async function attempt<T>(work: () => Promise<T>, of: object): Promise<T | null> {
    if (signal.aborted) return null;
    try {
      return await work();
    } catch (err) {
      deps.log.debug({ err: messageOf(err), ...of }, 'citations of a repository could not be checked');
      return null;
    }
  }
}

/**
 * Notes for changes that are merged whether the base branch still states their claims, and where.
 * @returns the citations as they are then
 */
async function checkPages(
  { agents, db, git, hosts }: WatchDeps,
  { project, ref, rows }: { project: ProjectRow; ref: string | null; rows: readonly CitationRow[] },
  signal: AbortSignal,
): Promise<readonly CitationRow[]> {
  if (ref === null) return rows;
  const { endpoint } = await openForReading(hosts, project);
  const commit = (await git.listBranches(endpoint, { signal })).get(ref);
  if (commit === undefined) return rows;
  const snapshotPath = await git.ensureSnapshot(endpoint, { branch: ref, commit }, { signal });
  const claims = rows.map(({ page, line, claim }) => ({ page, line, claim }));
  const places = await agents.statedClaims({ snapshotPath, docsDir: project.docsDir, claims }, { signal });
  const current: CitationRow[] = [];
  for (const [i, row] of rows.entries()) {
    const place = places[i];
    const isMoved = place && (place.page !== row.page || place.line !== row.line);
    const found = {
      isStated: Boolean(place),
      movedPage: isMoved ? place.page : null,
      movedLine: isMoved ? place.line : null,
    };
    const isKnown = (['isStated', 'movedPage', 'movedLine'] as const).every((name) => row[name] === found[name]);
    if (!isKnown) await recordStated(db, row, found);
    current.push({ ...row, ...found });
  }
  return current;
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
  const cited = rows.map(({ path, fromLine, toLine, sha256, lines }) => ({ path, fromLine, toLine, sha256, lines }));
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
  const { jobId, turnNo, no, claim, path, fromLine, toLine } = row;
  const [page, line] = [row.movedPage ?? row.page, row.movedLine ?? row.line];
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
