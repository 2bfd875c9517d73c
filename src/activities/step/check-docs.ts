import { plural } from '@docent/base/plural';
import { causeOf } from '@docent/docs-check/checks/causes';
import { siteText } from '@docent/docs-check/read/describe-site';
import { citationsOf } from '@docent/agent/citations/turn-citations';
import { withheld } from '@docent/agent/step-runner';
import { isProblemCode } from '@docent/docs-check/checks/rules';
import { reviewOf } from '../../jobs/review.ts';
import { listReviewRounds } from '../../store/jobs/review-rounds.ts';
import { type Notice, type TranscriptEntry } from '@docent/models/conversation/transcript';
import { faultPoint } from '../../platform/faults.ts';
import { addEvent } from '../../store/jobs/job-events.ts';
import { listOverlay } from '../../store/jobs/overlay.ts';
import { claimWithJob } from '../../store/jobs/claimed-turn.ts';
import { recordCheckRound } from '../../store/jobs/check-rounds.ts';
import { recordCitations } from '../../store/jobs/citations.ts';
import { recordPendingDiff } from '../../store/jobs/pending-diffs.ts';
import { assertAnswered } from '../../store/jobs/reached.ts';
import { findPart } from '../../store/jobs/transcript.ts';
import { recordOutcome } from '../../store/jobs/outcomes.ts';
import { storableText } from '../../store/storable.ts';
import { updateClaimedTurn } from '../../store/jobs/turn-fence.ts';
import { policyOf, type ActivityDeps } from '../deps.ts';
import { allowedSecrets, hasSecrets, hideSecrets, outgoingSecrets, secretsNotice } from './outgoing-secrets.ts';
import { runActivity, type ActivityRun } from '../run-activity.ts';
import { locateTurn } from '../open/locate-turn.ts';
import type { StepAt } from '../open/turn-context.ts';
import { problemsNotice } from './step-text.ts';
import { closingText, readTurnEntries } from './turn-entries.ts';
import { located, snapshotOf } from '../open/turn-context.ts';
import { checkReviewed } from './check-reviewed.ts';
import { verifiedCitations } from './verified-citations.ts';

/** The activity after the agent's last step. */
export function createCheckActivities(deps: ActivityDeps) {
  return {
    /** {@link checkDocs} */
    async checkDocs(input: CheckAt): Promise<Checked & { ms: number }> {
      const { jobId, turn, step } = input;
      return runActivity(deps.log, { jobId, turn, step }, (run) => checkDocs(deps, input, run));
    },
  };
}

interface CheckAt extends StepAt {
  mayTell: boolean;
  /** See {@link assertAnswered}. */
  answered: boolean;
}

/** `told`: the agent has a notice to read, so another step is due. */
interface Checked {
  told: boolean;
  problems: number;
}

/**
 * Checks the docs as a build would, and scans the outgoing change for secrets. If `mayTell`, problems that
 * the change introduced become a notice to the agent, unless it knows them already; else the pull request
 * names them. A change with secrets is never published. Records its outcome once; a repeat returns it.
 */
async function checkDocs(deps: ActivityDeps, input: CheckAt, run: ActivityRun): Promise<Checked> {
  const { db, agents } = deps;
  const { jobId, turn: turnNo, step } = input;
  const noted = await findPart(db, jobId, turnNo, step, 'note');
  if (noted) return { told: true, problems: 1 };
  // No model was asked, so no first step has located the turn.
  if (step === 1 && !input.answered) await locateTurn(deps, { jobId, turn: turnNo }, run);
  await assertAnswered(db, { jobId, turnNo, stepNo: step }, input.answered);
  const overlay = await listOverlay(db, jobId);
  const closing = await closingText(db, jobId, turnNo);
  if (overlay.length === 0 && (await hideSecrets(closing ?? '', [])) === (closing ?? '')) {
    await checkReviewed(deps, input, run);
    await checkCitedWithoutChange(deps, input, run);
    return { told: false, problems: 0 };
  }
  const { claim, job, project } = await claimWithJob(db, { jobId, turnNo });
  const turn = located(claim);
  const secrets = await outgoingSecrets(deps, { job, project, turn, overlay, closing }, run);
  const citations = await verifiedCitations(deps, { job, project, turn, overlay }, run);
  const earlier = reviewOf(await listReviewRounds(db, jobId, { chainNo: turn.chainNo })).problems;
  const { introduced, remaining, notes, site, checkedPages, earlierProblems, diff, addresses } = await agents.runChecks(
    {
      snapshotPath: await snapshotOf(deps, { job, project }, turn, run),
      overlay,
      policy: policyOf(deps.settings, project),
      site: project.settings.site,
      instructionFiles: [...(project.settings.instructionFiles ?? []), ...(project.settings.styleGuides ?? [])],
      allowedSecrets: allowedSecrets(project),
      earlier: earlier.flatMap((problem) => (isProblemCode(problem.code) ? { ...problem, code: problem.code } : [])),
    },
    { signal: run.signal },
  );
  const errors = introduced.filter((problem) => problem.severity === 'error');
  const found = [
    ...(errors.length > 0 ? [problemsNotice(errors)] : []),
    ...(secrets.length > 0 ? [secretsNotice(secrets)] : []),
    ...(citations?.notice ? [citations.notice] : []),
  ];
  const before = found.length > 0 ? await readTurnEntries(db, jobId, turnNo) : [];
  const told = input.mayTell && found.some((notice) => !wasNotified(before, notice));
  await db.transaction(async (tx) => {
    await updateClaimedTurn(tx, claim, {});
    if (citations) await recordCitations(tx, claim, citations.verified);
    const pages = `${checkedPages} ${checkedPages === 1 ? 'page' : 'pages'} of ${siteText(site)}`;
    const text =
      errors.length === 0
        ? `Checked ${pages}: no new problems.`
        : `Checked ${pages}: ${errors.length} new ${errors.length === 1 ? 'problem' : 'problems'}.`;
    const shown = secrets.length > 0 ? withheld(diff) : diff;
    await recordPendingDiff(tx, { jobId, turnNo, stepNo: step, baseCommit: turn.baseCommit }, shown);
    await recordCheckRound(tx, {
      jobId,
      turnNo,
      stepNo: step,
      pages: checkedPages,
      site: siteText(site),
      problems: [
        ...introduced.map((problem) => ({ ...problem, cause: causeOf(problem) })),
        ...remaining.map((problem) => ({ ...problem, cause: causeOf(problem), earlier: true })),
      ],
      earlierProblems,
      notes: notes.map((note) => ({ ...note })),
      secrets: secrets.map(({ where, kind, id }) => ({ where, kind, id })),
      addresses: addresses.map((page) => ({
        path: storableText(page.path),
        addresses: page.addresses.map((address) => storableText(address)),
      })),
      told,
    });
    await addEvent(tx, {
      jobId,
      type: 'checks',
      turnNo,
      text: [text, ...(secrets.length > 0 ? [hasSecrets(secrets)] : []), ...citedText(citations)].join(' '),
      data: { step, problems: errors.length + secrets.length },
    });
    if (told) {
      await recordOutcome(tx, claim, { stepNo: step, part: 'note', entries: found });
    }
  });
  faultPoint('docs-checked');
  return { told, problems: errors.length + secrets.length };
}

/** A turn that finds statements still true can cite their current lines, without a change. Safe to repeat. */
async function checkCitedWithoutChange(deps: ActivityDeps, { jobId, turn: turnNo }: StepAt, run: ActivityRun) {
  if (citationsOf(await readTurnEntries(deps.db, jobId, turnNo)).cited.length === 0) return;
  const { claim, job, project } = await claimWithJob(deps.db, { jobId, turnNo });
  const found = await verifiedCitations(deps, { job, project, turn: located(claim), overlay: [] }, run);
  // What an answer states without a source is on no page.
  const verified = { held: found?.verified.held ?? [], without: 0, earlier: [] };
  await deps.db.transaction((tx) => recordCitations(tx, claim, verified));
}

function citedText(found: Awaited<ReturnType<typeof verifiedCitations>>): string[] {
  if (!found) return [];
  const { held, without } = found.verified;
  return [
    ...(held.length > 0 ? [`${plural(held.length, 'claim')} with a verified source.`] : []),
    ...(without > 0 ? [`${plural(without, 'claim')} without a source.`] : []),
  ];
}

/** Whether the agent got this notice in the turn and changed nothing since: repeating it is useless. */
function wasNotified(turn: readonly TranscriptEntry[], notice: Notice): boolean {
  const isSame = (entry: TranscriptEntry) =>
    entry.role === 'notice' &&
    entry.kind === notice.kind &&
    (notice.kind === 'problems'
      ? JSON.stringify(entry.problems) === JSON.stringify(notice.problems)
      : entry.text === notice.text);
  const at = turn.findLastIndex(isSame);
  if (at === -1) return false;
  const since = turn.slice(at + 1).flatMap((entry) => (entry.role === 'tool' ? entry.results : []));
  return !since.some((result) => result.ok && result.changed.length > 0);
}
