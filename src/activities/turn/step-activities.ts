import { causeOf } from '@docent/docs-check/checks/causes';
import { siteInWords } from '@docent/docs-check/read/describe-site';
import { withheld } from '../../agent/step-runner.ts';
import type { ToolCall } from '../../agent/tools/tool-call.ts';
import { isProblemCode } from '@docent/docs-check/checks/rules';
import { reviewOf } from '../../jobs/review.ts';
import { listReviewRounds } from '../../store/review-rounds.ts';
import { readEntries, type TranscriptEntry } from '../../agent/transcript.ts';
import { faultPoint } from '../../platform/faults.ts';
import { addEvent } from '../../store/job-events.ts';
import { changeOverlay, listOverlay, overlayChanges } from '../../store/overlay.ts';
import { modeOf } from '../../store/job-options.ts';
import { claimWithJob } from '../../store/claimed-turn.ts';
import { recordCheckRound } from '../../store/check-rounds.ts';
import { recordPendingDiff } from '../../store/pending-diffs.ts';
import { assertAnswered } from '../../store/reached.ts';
import { beginPart, recordResults } from '../../store/steps.ts';
import { findPart } from '../../store/transcript.ts';
import { recordOutcome } from '../../store/outcomes.ts';
import { findLastChange } from '../../store/turns.ts';
import { updateClaimedTurn } from '../../store/turn-fence.ts';
import { policyOf, type ActivityDeps } from '../deps.ts';
import {
  allowedSecrets,
  hasSecrets,
  hideSecrets,
  outgoingSecrets,
  secretsNotice,
} from '../publish/outgoing-secrets.ts';
import { keepTrying } from '../keep-trying.ts';
import { runActivity, type ActivityRun } from '../run-activity.ts';
import { locateTurn } from './locate-turn.ts';
import { attachmentsFor } from './placed-attachments.ts';
import { closingWords } from './closing-words.ts';
import type { StepAt } from './step-at.ts';
import { problemsNotice } from './step-words.ts';
import { toolsEvent } from './step-events.ts';
import { wasTold } from './told-before.ts';
import { readTurnEntries } from './turn-entries.ts';
import { located, snapshotOf } from './turn-context.ts';

/** The second half of a step, and the check of the docs. Each records its outcome once; run again, it returns what was recorded. */
export function createStepActivities(deps: ActivityDeps) {
  const { db, agents, log } = deps;

  return {
    /** Carries out the tool calls of the step's answer on the workspace: results and changed files are recorded together. */
    async runTools({ jobId, turn: turnNo, step }: StepAt): Promise<{ errors: number; ms: number }> {
      return runActivity(log, { jobId, turn: turnNo, step }, async (run) => {
        const begun = await beginPart(db, { jobId, turnNo, stepNo: step, part: 'tools' });
        if (begun.recorded) return errorsOf(begun.recorded);
        const startedAt = performance.now();
        const { claim, project, job } = begun;
        const at = located(claim);
        const calls = callsIn(begun.answer ?? []);
        const before = await listOverlay(db, jobId);
        const ran = await agents.runStep(
          {
            snapshotPath: await snapshotOf(deps, begun, at, run),
            overlay: before,
            policy: policyOf(deps.settings, project),
            site: project.settings.site,
            calls,
            ...(await attachmentsFor(db, jobId, calls, before)),
            allowedSecrets: allowedSecrets(project),
            ...(modeOf(job) === 'ask' ? { looksOnly: true } : {}),
            ...(calls.some(({ name }) => name === 'undo') ? { lastChange: await findLastChange(db, jobId) } : {}),
          },
          { signal: run.signal },
        );
        faultPoint('tools-run');
        const { results, state, diff } = ran;
        const entries: TranscriptEntry[] = [{ role: 'tool', results, ...(state === null ? {} : { state }) }];
        const changes = overlayChanges(before, ran.overlay);
        const event = toolsEvent(step, ran.results);
        const outcome = () => ({ stepNo: step, entries, activityMs: performance.now() - startedAt, event });
        const kept = await keepTrying(run, () => {
          // One statement where there is no more to it: most steps only look.
          if (!changes) return recordResults(db, claim, outcome());
          return db.transaction(async (tx) => {
            const recorded = await recordResults(tx, claim, outcome());
            // Another attempt's results come with its own changes.
            if (recorded.first) await changeOverlay(tx, jobId, turnNo, changes);
            if (recorded.first && diff) {
              await recordPendingDiff(tx, { jobId, turnNo, stepNo: step, baseCommit: at.baseCommit }, diff);
            }
            return recorded;
          });
        });
        faultPoint('tools-recorded');
        return errorsOf(kept.entries);
      });
    },

    /** {@link checkDocs} */
    async checkDocs(input: CheckAt): Promise<Checked & { ms: number }> {
      const { jobId, turn, step } = input;
      return runActivity(log, { jobId, turn, step }, (run) => checkDocs(deps, input, run));
    },
  };
}

interface CheckAt extends StepAt {
  mayTell: boolean;
  /** See {@link assertAnswered}. */
  answered: boolean;
}

/** `told`: the agent has something to read, so another step is due. */
interface Checked {
  told: boolean;
  problems: number;
}

/**
 * Checks the docs as a build would, and looks for secrets in what goes out. What the change introduced is told to the agent if
 * `mayTell`, and if it does not know it already; else the pull request will name the problems, and nothing is published that has
 * secrets. Records its outcome once; run again, it returns what was recorded.
 */
async function checkDocs(deps: ActivityDeps, input: CheckAt, run: ActivityRun): Promise<Checked> {
  const { db, agents } = deps;
  const { jobId, turn: turnNo, step } = input;
  const noted = await findPart(db, jobId, turnNo, step, 'note');
  if (noted) return { told: true, problems: 1 };
  // No model was asked, whose first step would have found the turn's place.
  if (step === 1 && !input.answered) await locateTurn(deps, { jobId, turn: turnNo }, run);
  await assertAnswered(db, { jobId, turnNo, stepNo: step }, input.answered);
  const overlay = await listOverlay(db, jobId);
  const closing = await closingWords(db, jobId, turnNo);
  if (overlay.length === 0 && (await hideSecrets(closing ?? '', [])) === (closing ?? '')) {
    return { told: false, problems: 0 };
  }
  const { claim, job, project } = await claimWithJob(db, { jobId, turnNo });
  const turn = located(claim);
  const secrets = await outgoingSecrets(deps, { job, project, turn, overlay, closing }, run);
  const earlier = reviewOf(await listReviewRounds(db, jobId, { chainNo: turn.chainNo })).problems;
  const { introduced, remaining, notes, site, checkedPages, earlierProblems, diff } = await agents.runChecks(
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
  ];
  const before = found.length > 0 ? await readTurnEntries(db, jobId, turnNo) : [];
  const told = input.mayTell && found.some((notice) => !wasTold(before, notice));
  await db.transaction(async (tx) => {
    await updateClaimedTurn(tx, claim, {});
    const pages = `${checkedPages} ${checkedPages === 1 ? 'page' : 'pages'} of ${siteInWords(site)}`;
    const text =
      errors.length === 0
        ? `Checked ${pages}: the change brings no new problem.`
        : `Checked ${pages}: the change brings ${errors.length} new ${errors.length === 1 ? 'problem' : 'problems'}.`;
    const shown = secrets.length > 0 ? withheld(diff) : diff;
    await recordPendingDiff(tx, { jobId, turnNo, stepNo: step, baseCommit: turn.baseCommit }, shown);
    await recordCheckRound(tx, {
      jobId,
      turnNo,
      stepNo: step,
      pages: checkedPages,
      site: siteInWords(site),
      problems: [
        ...introduced.map((problem) => ({ ...problem, cause: causeOf(problem) })),
        ...remaining.map((problem) => ({ ...problem, cause: causeOf(problem), earlier: true })),
      ],
      earlierProblems,
      notes: notes.map((note) => ({ ...note })),
      secrets: secrets.map(({ where, kind, id }) => ({ where, kind, id })),
      told,
    });
    await addEvent(tx, {
      jobId,
      type: 'checks',
      turnNo,
      text: secrets.length > 0 ? `${text} ${hasSecrets(secrets)}` : text,
      data: { step, problems: errors.length + secrets.length },
    });
    if (told) {
      await recordOutcome(tx, claim, { stepNo: step, part: 'note', entries: found });
    }
  });
  faultPoint('docs-checked');
  return { told, problems: errors.length + secrets.length };
}

function callsIn(entries: unknown[]): ToolCall[] {
  return readEntries(entries).flatMap((entry) => (entry.role === 'assistant' ? entry.toolCalls : []));
}

function errorsOf(entries: unknown[]): { errors: number } {
  const results = readEntries(entries).flatMap((entry) => (entry.role === 'tool' ? entry.results : []));
  return { errors: results.filter(({ ok }) => !ok).length };
}
