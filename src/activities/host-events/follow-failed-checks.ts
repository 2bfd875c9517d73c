import { messageOf } from '@docent/base/thrown';
import type { OpenRepository, PullRequestSight } from '../../code-hosts/host.ts';
import { HostProblem } from '@docent/code-hosts/host-problem';
import type { CommitCheck, HostTalk } from '@docent/code-hosts/talk';
import { messageForChecks, type FailedCheck } from '../../jobs/failed-checks.ts';
import { countCheckMessages, knownHostMessages } from '../../store/hosts/host-messages.ts';
import { findJob } from '../../store/jobs/jobs.ts';
import { effectiveSettings } from '../../store/projects/project-settings.ts';
import { findProject, type ProjectRow } from '../../store/projects/projects.ts';
import { listPullRequestsAt, type PullRequestRow } from '../../store/pull-requests/pull-requests.ts';
import { allowedSecrets, hideSecrets } from '../step/outgoing-secrets.ts';
import { acceptHostMessage, rowIdOf } from './accept-message.ts';
import { notYet, type HostEventConsumer, type HostEventDeps, type ReceivedHostEvent } from './host-event-consumer.ts';
import { seenNow } from './refresh-pull-requests.ts';

/** Other checks of the commit are waited for, so that one message has all that failed. Some never end. */
const WAIT_MS = 15 * 60_000;

/**
 * Updates the checks of Docent's pull requests, and sends the job a message about those that failed for the
 * newest commit. At most one message per commit, and no more per pull request than the project allows. Checks
 * that also fail on the base branch do not count.
 */
export const followFailedChecks: HostEventConsumer = async (received, deps) => {
  const { hostId, event } = received;
  if (event.kind !== 'check') return;
  const { branch, commit } = event.check;
  const at = { host: hostId, repositoryId: event.repository.id };
  const which = branch === null ? { headCommit: commit } : { headBranch: branch };
  for (const pullRequest of await listPullRequestsAt(deps.db, { ...at, ...which })) {
    // Once: the checks are what the message is made of, too.
    const polled = await seenNow(pullRequest.id, deps);
    const project = await findProject(deps.db, pullRequest.projectId);
    if (project && polled) await followThere(received, { ...polled, commit, pullRequest, project }, deps);
  }
};

interface Followed {
  commit: string;
  pullRequest: PullRequestRow;
  project: ProjectRow;
  seen: PullRequestSight;
  there: OpenRepository;
}

async function followThere(
  received: ReceivedHostEvent,
  { commit, pullRequest, project, seen, there }: Followed,
  deps: HostEventDeps,
): Promise<void> {
  const { db, log } = deps;
  const { jobId, baseBranch } = pullRequest;
  if (seen.state !== 'open' || seen.headCommit !== commit) return;
  const most = effectiveSettings(project.settings).failedCheckFollowUps;
  const id = rowIdOf(received, pullRequest, `checks:${received.event.repository.id}:${commit}`);
  if ((await countCheckMessages(db, pullRequest.id)) >= most || (await knownHostMessages(db, [id])).has(id)) return;
  // It has no way to act on a log.
  if ((await findJob(db, project.id, jobId))?.model === 'builtin') return;
  const { talk } = there;
  if (!talk) return;
  const checks = seen.commitChecks ?? [];
  const failed = await newlyFailed(talk, checks, baseBranch);
  if (failed.length === 0) return;
  const isWaiting = checks.some((check) => check.state === 'pending');
  if (isWaiting && Date.now() - received.receivedAt.getTime() < WAIT_MS) {
    throw notYet('Other checks of the commit have not ended.');
  }
  const hide = (words: string) => hideSecrets(words, allowedSecrets(project));
  const shown: FailedCheck[] = [];
  for (const check of failed) {
    const text = await logOf(talk, check, log);
    shown.push({ ...check, summary: await hide(check.summary), log: text === null ? null : await hide(text) });
  }
  const place = { kind: 'check', commit } as const;
  const row = { id, projectId: project.id, jobId, pullRequestId: pullRequest.id, place, thread: `checks ${commit}` };
  await acceptHostMessage({ project, jobId, prompt: messageForChecks(shown), rows: [row], isAnswered: true }, deps);
}

/** Checks that pass on the base branch. If they fail there too, the job is not the cause. */
async function newlyFailed(talk: HostTalk, checks: readonly CommitCheck[], baseBranch: string): Promise<CommitCheck[]> {
  const failed = checks.filter(({ state }) => state === 'failed');
  if (failed.length === 0) return [];
  const onBase = (await talk.checks(baseBranch)) ?? [];
  const before = new Set(onBase.filter(({ state }) => state === 'failed').map(({ name }) => name));
  return failed.filter(({ name }) => !before.has(name));
}

/** Without a log, the message names only the check. */
async function logOf(talk: HostTalk, { logId, name }: CommitCheck, log: HostEventDeps['log']): Promise<string | null> {
  if (logId === null) return null;
  try {
    return await talk.checkLog(logId);
  } catch (err) {
    if (!(err instanceof HostProblem) || err.mayPass) throw err;
    log.info({ err: messageOf(err), check: name }, 'the log of a check cannot be read');
    return null;
  }
}
