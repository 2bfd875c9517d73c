import { JobFailure } from '../../platform/errors.ts';
import { beginningOf } from '../../platform/ellipsis.ts';
import { faultPoint } from '../../platform/faults.ts';
import type { LimitReached } from '../../agent/limit-reached.ts';
import { pagesWithoutSecrets } from '../../agent/outgoing-secrets.ts';
import type { OpenRepository } from '../../code-hosts/host.ts';
import { RepositoryProblem } from '../../git/repository-problem.ts';
import { redact } from '../../platform/log.ts';
import { modeOf } from '../../store/job-options.ts';
import { updateJob } from '../../store/jobs.ts';
import { recordChangedPages } from '../../store/changed-pages.ts';
import { clearOverlay, listOverlay, type StoredOverlayEntry } from '../../store/overlay.ts';
import { findPendingDiff } from '../../store/pending-diffs.ts';
import { isPublishTurn } from '../../store/preview.ts';
import { beginPublishing } from '../../store/claimed-turn.ts';
import { whilePublishing } from '../../jobs/publish-lease.ts';
import { RowsBehind, updateClaimedTurn } from '../../store/turn-fence.ts';
import { closingWords } from '../turn/closing-words.ts';
import { policyOf, type ActivityDeps } from '../deps.ts';
import { pullRequestTarget } from './branch-target.ts';
import { allowedSecrets, outgoingSecrets, secretFailure } from './outgoing-secrets.ts';
import { lostPush } from './lost-push.ts';
import { targetOn, type Elsewhere, type Publication } from './publication.ts';
import { wasPushedBefore } from './pushed-before.ts';
import { rebaseOverlay } from './rebase-overlay.ts';
import { savePullRequest } from './save-pull-request.ts';
import { tellOfPush } from './tell-of-push.ts';
import { isDirect, mayPush } from './turn-target.ts';
import { commitMessageOf, wordsOf } from './turn-words.ts';
import { runActivity, type ActivityRun } from '../run-activity.ts';
import { placedBlobs } from '../turn/placed-attachments.ts';
import { endOnce, type DoneTurn, type StoppedTurn } from '../turn/end-once.ts';
import { openAfter, type OpenedTurn } from '../turn/open-next.ts';
import { located, openRepository } from '../turn/turn-context.ts';

type Published =
  | { kind: 'published'; commit: string; prLink: string | null }
  | { kind: 'unchanged' }
  /** A preview: somebody is to publish it, or not. */
  | { kind: 'ready' };

/** Others changed these files too: the agent was told and must look again. */
type Conflict = { kind: 'conflict'; files: string[] };

type PublishResult = Published | Conflict;

/** How often a push is laid over a tip that moved without a conflict, within one attempt. */
const MAX_REBASES = 20;

/** Characters of a repository's reason that people are shown. */
const MAX_REASON = 300;

interface PublishAt {
  jobId: string;
  turn: number;
  step: number;
  answered: boolean;
}

/** What became of what the agent did until it reached a limit. */
const KEPT = {
  published: 'What it did until then is in the pull request.',
  ready: 'What it did until then can be published.',
  unchanged: 'Nothing was published.',
};

/** A turn at a limit has an error, and has failed where nothing came of it. */
function endingOf(at: PublishAt & { limit: LimitReached | null }, { kind }: Published): StoppedTurn | DoneTurn {
  const { jobId, turn, step, answered, limit } = at;
  if (!limit) return { jobId, turn, outcome: kind, step, answered };
  const error = { code: limit.code, message: `${limit.message} ${KEPT[kind]} Send a message to go on.` };
  return kind === 'unchanged'
    ? { jobId, turn, outcome: 'failed', error }
    : { jobId, turn, outcome: kind, error, step, answered };
}

/** Pushes a turn's work and opens or updates its pull request. */
export function createPublishActivities(deps: ActivityDeps) {
  const { db, git, log } = deps;

  /**
   * Idempotent: the commit is made of what the rows hold, so every attempt makes the same one and finds it on the branch; the
   * pull request is looked up by its branch. Nothing is pushed once the job is archived, because a push holds a lease that archiving waits for.
   * Unless others changed the same files, the turn is ended, too: see {@link endOnce}.
   * @param at.answered see {@link assertAnswered}
   * @param at.limit the limit that the turn ends at
   * @returns `next`: what is next, where the job is still there
   */
  async function publishTurn(
    at: PublishAt & { limit: LimitReached | null },
  ): Promise<(Conflict | { kind: 'ended'; result: Published; next?: OpenedTurn }) & { ms: number }> {
    const { jobId, turn, step } = at;
    return runActivity(log, { jobId, turn, step }, async (run) => {
      const result = await publish(at, run);
      if (result.kind === 'conflict') return result;
      const ended = await endOnce(deps, endingOf(at, result), run.log);
      return { kind: 'ended' as const, result, ...(ended && { next: await openAfter(deps, ended) }) };
    });
  }

  async function publish(at: PublishAt, run: ActivityRun): Promise<PublishResult> {
    const { jobId, turn: turnNo, step } = at;
    const begun = await beginPublishing(db, { jobId, turnNo, stepNo: step }, at.answered);
    if (begun.recorded === 'commit') return { kind: 'published', commit: begun.commit, prLink: null };
    if (begun.recorded === 'conflict') return { kind: 'conflict', files: [] };
    const { claim, job, project } = begun;
    const loaded = { claim, job, project, run };
    let turn = located(claim);
    const mode = modeOf(job);
    if (mode === 'ask') return { kind: 'unchanged' };
    if (mode === 'preview' && !isPublishTurn(job, turnNo)) return holdBack({ ...loaded, turn });
    for (let round = 0; round < MAX_REBASES; round += 1) {
      const publication: Publication = { ...loaded, turn };
      const tried = await tryOnce(publication);
      if (tried.kind !== 'moved' && tried.kind !== 'turned-away') return tried;
      const rebased = await rebaseOverlay(deps, publication, step, tried);
      if (rebased.kind === 'conflict') return rebased;
      turn = rebased.turn;
    }
    throw new JobFailure('conflict_unresolved', `The branch moved ${MAX_REBASES} times while Docent tried to push.`);
  }

  /** What the turn changed stays in the rows: the check before has written down what it is. */
  async function holdBack(publication: Publication): Promise<PublishResult> {
    const { claim } = publication;
    const { jobId, no: turnNo } = claim;
    const overlay = await listOverlay(db, jobId);
    if (overlay.length === 0) return { kind: 'unchanged' };
    const diff = await findPendingDiff(db, jobId);
    if (!diff || diff.turnNo !== turnNo) throw new RowsBehind(jobId, turnNo);
    await mustHaveNoSecrets(publication, overlay, await closingWords(db, jobId, turnNo));
    if (diff.files > 0) return { kind: 'ready' };
    // The same as others have made meanwhile.
    await db.transaction(async (tx) => {
      await updateClaimedTurn(tx, claim, {});
      await clearOverlay(tx, jobId);
    });
    return { kind: 'unchanged' };
  }

  /** One push on the turn's present target, and its record, under the lease that archiving waits for. */
  async function tryOnce(publication: Publication): Promise<PublishResult | Elsewhere> {
    const { claim, turn, job, project, run } = publication;
    const { jobId, no: turnNo } = claim;
    const attempt = async (signal: AbortSignal, confirm: () => Promise<void>): Promise<PublishResult | Elsewhere> => {
      if (isDirect(turn) && !mayPush(project)) {
        return { kind: 'turned-away', why: 'The project does not allow pushes to its base branch any more' };
      }
      const repository = await openRepository(deps, project);
      const again = await wasPushedBefore(db, git, claim, targetOn(repository.endpoint, turn), signal);
      const overlay = again ? [] : await listOverlay(db, jobId);
      const existing = isDirect(turn)
        ? null
        : await repository.findPullRequest(pullRequestTarget(publication, turn.branch));
      if (existing && existing.state !== 'open') return { kind: 'moved' };
      const words = await wordsOf(db, turn, allowedSecrets(project));
      const message = await commitMessageOf(turn, words, overlay, allowedSecrets(project));
      // What was pushed before has been looked at before it was.
      if (!again) await mustHaveNoSecrets(publication, overlay, words.own);
      await confirm();
      const pushed = await git.commitAndPush(
        repository.endpoint,
        {
          branch: turn.branch,
          expectedTip: turn.expectedTip,
          isFirstAttempt: run.attempt === 1,
          parent: turn.baseCommit,
          chainBase: turn.chainBaseCommit,
          changes: overlay,
          blobs: await placedBlobs(db, job.id, overlay),
          message,
          author: deps.settings.commitAuthor,
          timestamp: Math.floor(turn.commitTime.getTime() / 1_000),
          policy: policyOf(deps.settings, project),
        },
        { signal },
      );
      if (pushed.status === 'stale') return { kind: 'moved' };
      if (pushed.status === 'refused' && isDirect(turn)) {
        const reason = beginningOf(redact(pushed.reason).replace(/\s+/g, ' ').trim(), MAX_REASON);
        return { kind: 'turned-away', why: `The repository refused the push to ${turn.branch} (${reason})` };
      }
      if (pushed.status === 'refused') {
        throw new JobFailure('push_refused', `The repository refused the push to ${turn.branch}: ${pushed.reason}`);
      }
      const there =
        pushed.status === 'empty'
          ? await lostPush(deps, publication, repository, again ? null : existing, signal)
          : pushed;
      if (!there) {
        await db.transaction(async (tx) => {
          await updateClaimedTurn(tx, claim, {});
          if (existing && existing.link !== job.prLink) {
            await updateJob(tx, jobId, { branch: turn.branch, prLink: existing.link });
          }
          await clearOverlay(tx, jobId);
        });
        return { kind: 'unchanged' };
      }
      faultPoint('commit-pushed');
      const now = await stillThere(publication, repository);
      // A push takes its time, and a process may be paused in it: a late one leaves the pull request to who took over.
      await confirm();
      const commitMessage = pushed.status === 'empty' ? (there.commits.at(-1)?.message ?? message) : message;
      const repositoryUrl = repository.repositoryId === null ? job.repositoryUrl : repository.repository;
      if (isDirect(turn)) {
        const text = `Pushed commit ${there.commit.slice(0, 12)} to ${turn.branch}.`;
        await db.transaction(async (tx) => {
          await updateClaimedTurn(tx, claim, { commit: there.commit, commitMessage, diff: there.diff, remark: text });
          await clearOverlay(tx, jobId);
          await updateJob(tx, jobId, { branch: turn.branch, repositoryUrl }, { type: 'published', turnNo, text });
        });
        run.log.info({ commit: there.commit, branch: turn.branch, status: pushed.status, job: job.id }, 'published');
        return { kind: 'published', commit: there.commit, prLink: null };
      }
      const saved = await savePullRequest(deps, publication, now, there, words);
      faultPoint('pull-request-saved');
      // Merged or closed between the look and the push: the commit is on a branch that nobody will look at again.
      if (saved.state !== 'open') return { kind: 'moved' };
      const verb = existing ? 'Updated' : 'Opened';
      const text = [
        `${verb} the pull request ${saved.link} with commit ${there.commit.slice(0, 12)} on ${turn.branch}.`,
        ...saved.notes.map(redact),
      ].join(' ');
      const pages = await pagesWithoutSecrets(there.pages, allowedSecrets(project));
      await db.transaction(async (tx) => {
        await updateClaimedTurn(tx, claim, { commit: there.commit, commitMessage, diff: there.diff });
        await clearOverlay(tx, jobId);
        await recordChangedPages(tx, { jobId, of: 'pull_request' }, pages);
        const at = { branch: turn.branch, prLink: saved.link };
        const data = { commit: there.commit, ...at };
        await updateJob(tx, jobId, { ...at, repositoryUrl }, { type: 'published', turnNo, text, data });
        await tellOfPush(tx, project.id, turn);
      });
      run.log.info({ commit: there.commit, branch: turn.branch, status: pushed.status, job: job.id }, 'published');
      return { kind: 'published', commit: there.commit, prLink: saved.link };
    };
    const result = await whilePublishing(db, claim, run.signal, attempt);
    if (result.kind === 'published') faultPoint('publish-recorded');
    return result;
  }

  /**
   * The repository, asked for once more after a push: a name that changed hands just before it has got the push, and the next
   * attempt pushes to where the repository is now.
   */
  async function stillThere({ project, run }: Publication, pushedTo: OpenRepository): Promise<OpenRepository> {
    const now = await openRepository(deps, project, pushedTo);
    if (now.repository === pushedTo.repository) return now;
    run.log.warn({ pushedTo: pushedTo.repository, now: now.repository }, 'the repository was renamed during a push');
    throw new RepositoryProblem(
      'unreachable',
      `${pushedTo.repository} was renamed to ${now.repository} while Docent pushed to it.`,
    );
  }

  /** The last look before a push, whatever was told to the agent before, on the base that is pushed to. @throws JobFailure `secret_found` */
  async function mustHaveNoSecrets(
    { turn, job, project, run }: Publication,
    overlay: StoredOverlayEntry[],
    closing: string | null,
  ): Promise<void> {
    const found = await outgoingSecrets(deps, { job, project, turn, overlay, closing }, run);
    if (found.length > 0) throw secretFailure(found, project);
  }

  return { publishTurn };
}
