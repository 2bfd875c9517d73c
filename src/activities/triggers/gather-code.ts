import { codeMaterial, diffOf, filesOf, type CodeChanges } from '../../jobs/code-material.ts';
import { wantedFiles, type CodeEvent } from '../../jobs/code-trigger.ts';
import { openForReading } from '../../code-hosts/host.ts';
import { HostProblem } from '@docent/code-hosts/host-problem';
import { RepositoryProblem } from '@docent/git/repository-problem';
import { faultPoint } from '../../platform/faults.ts';
import { redact } from '../../platform/log.ts';
import { newestRun, postponeRun, saveGathered, skipQueuedRun } from '../../store/automations/automation-runs.ts';
import type { CodeHeads } from '../../store/automations/automation-schema.ts';
import { findAutomation, lockAutomation, noteCodeHeads } from '../../store/automations/automations.ts';
import { listUnfinishedEvents } from '../../store/automations/trigger-events.ts';
import { listWatchedCode, type WatchedCode } from '../../store/automations/watched-code.ts';
import type { ActivityDeps } from '../deps.ts';

export type CodeDeps = Pick<ActivityDeps, 'db' | 'git' | 'hosts' | 'log'>;

const MAX_EVENTS = 100;
/** Pull requests of one repository that are read: the newest. */
const MAX_PULL_REQUESTS = 10;
/** How long a host that cannot be asked is left alone, in seconds. */
const PAUSE_S = 60;

/** The name of a branch among the commits that runs have seen. */
export function headOf({ name, ref }: Pick<WatchedCode, 'name' | 'ref'>, branch: string): string {
  return branch === ref ? name : `${name}@${branch}`;
}

/**
 * Reads the changes since the automation's last completed run for its queued run, or skips that. Idempotent:
 * results for outdated events are dropped.
 */
export async function gatherCode(
  deps: CodeDeps,
  at: { projectId: string; id: string },
  signal: AbortSignal,
): Promise<void> {
  const { db } = deps;
  const [automation, queued] = [await findAutomation(db, at), await newestRun(db, at, 'queued')];
  if (!queued || automation?.trigger.type !== 'code') return;
  const { trigger } = automation;
  const events = (await listUnfinishedEvents(db, { ...at, runId: queued.id }, MAX_EVENTS)).map(
    ({ body }) => JSON.parse(body.toString('utf8')) as CodeEvent & { repository: string },
  );
  const watched = await listWatchedCode(db, { projectId: at.projectId, automationId: at.id });
  const changes: CodeChanges[] = [];
  const [since, until]: [CodeHeads, CodeHeads] = [{}, {}];
  const orPostpone = (reading: Promise<CodeChanges>) =>
    reading.catch(async (err: unknown) => {
      const seconds = pauseOf(err);
      if (seconds !== null) await postponeRun(db, queued.id, seconds);
      throw err;
    });
  for (const place of watched) {
    const ofPlace = events.filter(({ repository }) => repository === place.name);
    const ofBranches = ofPlace.filter(({ name }) => name === 'pushed' || name === 'merged');
    for (const branch of new Set(ofBranches.map((event) => event.branch ?? place.ref))) {
      const key = headOf(place, branch);
      // The oldest push, if the automation has no starting commit of its own.
      const before = ofPlace.findLast((event) => event.branch === branch && event.before !== null)?.before ?? null;
      const from = automation.codeHeads[key] ?? before;
      const found = await orPostpone(changesOf(deps, place, { branch, since: from }, signal));
      const files = wantedFiles(trigger, place, found.files);
      changes.push({ ...found, files, diff: diffOf(found.diff, files) });
      if (found.since !== null) since[key] = found.since;
      if (found.until !== null) until[key] = found.until;
    }
    const ofPulls = ofPlace.filter(({ name }) => name === 'opened' || name === 'approved');
    const numbers = [...new Set(ofPulls.flatMap(({ number }) => number ?? []))];
    for (const [i, pullRequest] of numbers.entries()) {
      const isRead = i < MAX_PULL_REQUESTS;
      const found = isRead
        ? await orPostpone(pullRequestOf(deps, place, pullRequest))
        : { ...unread(place, { pullRequest }), problem: `the limit is ${MAX_PULL_REQUESTS} pull requests.` };
      const files = wantedFiles(trigger, place, found.files);
      changes.push({ ...found, files, diff: diffOf(found.diff, files) });
    }
  }
  faultPoint('code-gathered');
  const hasStale = events.some(({ citation }) => citation !== undefined);
  if (!hasStale && changes.length > 0 && changes.every(isEmpty)) {
    await db.transaction(async (tx) => {
      await lockAutomation(tx, at);
      const summary = 'No file that the automation is about has changed.';
      const isSkipped = await skipQueuedRun(tx, queued.id, { events: queued.events, summary, until });
      if (isSkipped) await noteCodeHeads(tx, at, until, 'replace');
    });
    return;
  }
  const { text, material } = codeMaterial(events.toReversed(), changes);
  await saveGathered(db, queued.id, { since, until, gathered: { events: queued.events, text, material } });
}

/** Without a commit to compare with, a branch's changed files are unknown. */
function isEmpty({ files, since, pullRequest, problem }: CodeChanges): boolean {
  return files.length === 0 && problem === null && (since !== null || pullRequest !== null);
}

/** Throws temporary errors. Final ones are reported to the agent. */
async function changesOf(
  { git, hosts }: CodeDeps,
  place: WatchedCode,
  { branch, since }: { branch: string; since: string | null },
  signal: AbortSignal,
): Promise<CodeChanges> {
  const nothing = unread(place, { branch });
  try {
    const there = await openForReading(hosts, place);
    const tip = (await git.listBranches(there.endpoint, { signal })).get(branch);
    if (tip === undefined) return { ...nothing, problem: `it has no branch ${branch}.` };
    if (since === null || since === tip) return { ...nothing, since, until: tip };
    try {
      const files = await git.changedPaths(there.endpoint, since, { branch, commit: tip }, { signal });
      const { commits, pullRequestDiff } = await git.describeBranch(
        there.endpoint,
        { branch, tip, chainBase: since },
        { signal },
      );
      return { ...nothing, since, until: tip, commits, files, diff: pullRequestDiff };
    } catch (err) {
      // After a force-push, the previous commit may be gone.
      if (!(err instanceof RepositoryProblem) || err.code === 'unreachable') throw err;
      return {
        ...nothing,
        until: tip,
        problem: `${redact(err.message)} Read the branch from its newest commit, ${tip}.`,
      };
    }
  } catch (err) {
    return { ...nothing, problem: finalProblem(err) };
  }
}

/** What the host shows of a pull request now. Throws temporary errors. */
async function pullRequestOf({ hosts }: CodeDeps, place: WatchedCode, pullRequest: number): Promise<CodeChanges> {
  const nothing = unread(place, { pullRequest });
  try {
    const { talk } = await openForReading(hosts, place);
    const commits = (await talk?.commits(pullRequest)) ?? [];
    const diff = (await talk?.diff(pullRequest)) ?? null;
    if (diff === null) return { ...nothing, commits, problem: 'it is gone, or larger than the code host shows.' };
    return { ...nothing, commits, diff, files: filesOf(diff) };
  } catch (err) {
    return { ...nothing, problem: finalProblem(err) };
  }
}

function unread(
  { name, ref }: WatchedCode,
  { branch = ref, pullRequest = null }: { branch?: string; pullRequest?: number | null },
): CodeChanges {
  return { name, branch, pullRequest, since: null, until: null, commits: [], files: [], diff: '', problem: null };
}

/** What the agent sees of a final error. Throws temporary errors again. */
function finalProblem(err: unknown): string {
  const isFinal = err instanceof HostProblem || err instanceof RepositoryProblem;
  if (!isFinal || pauseOf(err) !== null) throw err;
  return redact(err.message);
}

/** Null if no pause helps. */
function pauseOf(err: unknown): number | null {
  if (err instanceof HostProblem) return err.mayPass ? Math.ceil((err.retryAfterMs || PAUSE_S * 1_000) / 1_000) : null;
  if (err instanceof RepositoryProblem) return err.code === 'unreachable' ? PAUSE_S : null;
  return PAUSE_S;
}
