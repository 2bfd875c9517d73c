import type { OpenRepository, PullRequest } from '../../code-hosts/host.ts';
import type { CommitRequest, Published as PublishedCommit, PushOutcome } from '@docent/git/contract';
import { RepositoryProblem } from '@docent/git/repository-problem';
import { beginningOf } from '@docent/base/ellipsis';
import { jobFailure } from '../../platform/errors.ts';
import { redact } from '../../platform/log.ts';
import { listOverlay, type StoredOverlayEntry } from '../../store/jobs/overlay.ts';
import { findPullRequestByHead } from '../../store/pull-requests/pull-requests.ts';
import { listTurns } from '../../store/jobs/turns.ts';
import { policyOf, type ActivityDeps } from '../deps.ts';
import { pullRequestTarget } from '../open/branch-target.ts';
import { turnTrailer, wasPushedBefore } from '../open/pushed-before.ts';
import { openRepository } from '../open/turn-context.ts';
import { isDirect } from '../open/turn-target.ts';
import { allowedSecrets } from '../step/outgoing-secrets.ts';
import { placedBlobs } from '../step/placed-attachments.ts';
import { assertNoSecrets, type Elsewhere, type Publication } from './publication.ts';
import { titleOf } from './pull-request-text.ts';
import { commitMessageOf, turnText, type MessageRules, type TurnText } from './turn-text.ts';

/** Characters of a repository's reason that people are shown. */
const MAX_REASON = 300;

export interface PreparedPush {
  repository: OpenRepository;
  /** The open pull request of the turn's branch. */
  existing: PullRequest | null;
  /** The branch already has the turn's commit, but the rows lost it: there is nothing to add. */
  wasPushed: boolean;
  overlay: StoredOverlayEntry[];
  text: TurnText;
  message: string;
}

/** A commit that is on the turn's branch now. */
export interface PushedCommit extends PublishedCommit {
  message: string;
}

/**
 * Reads what to push and where, without changes.
 * @returns `moved` if the pull request was merged or closed
 * @throws Failure `secret_found`
 */
export async function preparePush(
  deps: ActivityDeps,
  publication: Publication,
  signal: AbortSignal,
): Promise<PreparedPush | 'moved'> {
  const { db, git } = deps;
  const { claim, turn, project } = publication;
  const repository = await openRepository(deps, project);
  const wasPushed = await wasPushedBefore(db, git, { ...turn, endpoint: repository.endpoint }, signal);
  const overlay = wasPushed ? [] : await listOverlay(db, claim.jobId);
  const existing = isDirect(turn)
    ? null
    : await repository.findPullRequest(pullRequestTarget(publication, turn.branch));
  if (existing && existing.state !== 'open') return 'moved';
  const text = await turnText(db, turn, allowedSecrets(project));
  const message = await commitMessageOf(turn, text, overlay, messageRules(deps, publication));
  // A change that was pushed before was also checked before.
  if (!wasPushed) await assertNoSecrets(deps, publication, overlay, text.own);
  return { repository, existing, wasPushed, overlay, text, message };
}

function messageRules({ settings }: ActivityDeps, { turn, job, project }: Publication): MessageRules {
  const { commitSubject, signOff } = project.settings;
  const isFirst = isDirect(turn) ? turn.no === 1 : turn.expectedTip === null;
  return {
    title: isFirst ? titleOf(job) : null,
    template: commitSubject,
    signOff: signOff ? settings.commitAuthor : null,
    allowedSecrets: allowedSecrets(project),
  };
}

/**
 * Pushes the change. Idempotent: the commit only depends on rows.
 * @returns null for no change
 * @throws Failure `push_refused`
 */
export async function push(
  deps: ActivityDeps,
  publication: Publication,
  prepared: PreparedPush,
  signal: AbortSignal,
): Promise<{ kind: 'pushed'; commit: PushedCommit } | Elsewhere | null> {
  const { turn, job, project, run } = publication;
  const { repository, overlay, message } = prepared;
  const request: CommitRequest = {
    branch: turn.branch,
    expectedTip: turn.expectedTip,
    isFirstAttempt: run.attempt === 1,
    parent: turn.baseCommit,
    chainBase: turn.chainBaseCommit,
    changes: overlay,
    blobs: await placedBlobs(deps.db, job.id, overlay),
    message,
    author: deps.settings.commitAuthor,
    signingKey: deps.settings.signingKey?.reveal(),
    timestamp: Math.floor(turn.commitTime.getTime() / 1_000),
    policy: policyOf(deps.settings, project),
  };
  const pushed = project.settings.verifiedCommits
    ? await commitOnHost(deps, publication, { repository, request }, signal)
    : await deps.git.commitAndPush(repository.endpoint, request, { signal });
  switch (pushed.status) {
    case 'stale':
      return { kind: 'moved' };
    case 'refused':
      return refused(turn, pushed.reason);
    case 'empty': {
      const lost = await lostPush(deps, publication, prepared, signal);
      return lost && { kind: 'pushed', commit: { ...lost, message: lost.commits.at(-1)?.message ?? message } };
    }
    default:
      return { kind: 'pushed', commit: { ...pushed, message } };
  }
}

/**
 * The same by a host that makes the commit. Its commits differ each time, so that of an earlier attempt is
 * known by its trailer.
 * @throws Failure `push_refused` for a host that cannot
 */
async function commitOnHost(
  { git }: ActivityDeps,
  { turn }: Publication,
  { repository, request }: { repository: OpenRepository; request: CommitRequest },
  signal: AbortSignal,
): Promise<PushOutcome> {
  const { branch, expectedTip, chainBase } = request;
  if (!repository.commit) {
    throw jobFailure(
      'push_refused',
      'The project asks for verified commits, which need GitHub and a GitHub App. Connect the host with an App, or run: ' +
        'docent project update <project> --no-verified-commits',
    );
  }
  const at = (tip: string) => git.describeBranch(repository.endpoint, { branch, tip, chainBase }, { signal });
  const tip = (await git.listBranches(repository.endpoint, { signal })).get(branch) ?? null;
  if (tip !== expectedTip) {
    const { commits } = tip === null ? { commits: [] } : await at(tip);
    const own = commits.findLast((commit) => commit.message.split('\n').includes(turnTrailer(turn)));
    return own ? { status: 'already-there', ...(await at(own.id)) } : { status: 'stale', tip };
  }
  const plan = await git.planCommit(repository.endpoint, request, { signal });
  if (!plan) return { status: 'empty' };
  const made = await repository.commit({ plan, branch, expectedTip });
  if (made.status === 'stale') return { status: 'stale', tip: null };
  if (made.status === 'refused') return made;
  return { status: 'published', ...(await at(made.commit)) };
}

/** A base branch that takes no push gets a pull request instead. @throws Failure `push_refused` */
function refused(turn: Publication['turn'], said: string): Elsewhere {
  if (!isDirect(turn)) {
    throw jobFailure('push_refused', `The repository refused the push to ${turn.branch}: ${said}`);
  }
  const reason = beginningOf(redact(said).replace(/\s+/g, ' ').trim(), MAX_REASON);
  return { kind: 'turned-away', why: `The repository refused the push to ${turn.branch} (${reason})` };
}

/** A push that was not recorded: the branch has commits that no pull request or turn knows. Or null. */
async function lostPush(
  { db, git }: ActivityDeps,
  { turn, job, project }: Publication,
  { repository, existing, wasPushed }: PreparedPush,
  signal: AbortSignal,
): Promise<PublishedCommit | null> {
  if (turn.expectedTip === null || isDirect(turn)) return null;
  const turns = await listTurns(db, job.id);
  const isKnown = existing !== null && !wasPushed && job.prLink !== null;
  const row = isKnown ? await findPullRequestByHead(db, project.id, turn.branch) : null;
  if (row && turns.some(({ commit }) => commit === turn.expectedTip)) return null;
  const at = { branch: turn.branch, tip: turn.expectedTip, chainBase: turn.chainBaseCommit };
  const found = await git.describeBranch(repository.endpoint, at, { signal });
  const newest = found.commits.at(-1);
  if (!newest) return null;
  const trailer = newest.message.trimEnd().split('\n').at(-1);
  const isOurs = turns.some(({ no, commit }) => commit === null && trailer === turnTrailer({ jobId: job.id, no }));
  return row === null || isOurs ? found : null;
}

/** Asks for the repository after a push: after a rename, the next attempt pushes to the right one. */
export async function assertNotRenamed(
  deps: ActivityDeps,
  { project, run }: Publication,
  pushedTo: OpenRepository,
): Promise<OpenRepository> {
  const now = await openRepository(deps, project, pushedTo);
  if (now.repository === pushedTo.repository) return now;
  run.log.warn({ pushedTo: pushedTo.repository, now: now.repository }, 'the repository was renamed during a push');
  throw new RepositoryProblem(
    'unreachable',
    `${pushedTo.repository} was renamed to ${now.repository} while Docent pushed to it.`,
  );
}
