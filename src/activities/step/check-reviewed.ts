import { messageOf } from '@docent/base/thrown';
import { causeOf } from '@docent/docs-check/checks/causes';
import { siteText } from '@docent/docs-check/read/describe-site';
import { HostProblem } from '@docent/code-hosts/host-problem';
import { addedLines } from '../../jobs/review-findings.ts';
import { recordCheckRound } from '../../store/jobs/check-rounds.ts';
import { claimWithJob } from '../../store/jobs/claimed-turn.ts';
import { updateClaimedTurn } from '../../store/jobs/turn-fence.ts';
import type { ProjectRow } from '../../store/projects/projects.ts';
import { policyOf, type ActivityDeps } from '../deps.ts';
import { located, openRepository, snapshotOf, type StepAt } from '../open/turn-context.ts';
import type { ActivityRun } from '../run-activity.ts';

/**
 * Checks the docs for a job that reviews a pull request of its repository: the problems on lines that the
 * pull request adds become a check round of the turn. Pull requests of forks are not checked, because their
 * files are not here. Safe to repeat.
 */
export async function checkReviewed(
  deps: ActivityDeps,
  { jobId, turn: turnNo, step }: StepAt,
  run: ActivityRun,
): Promise<void> {
  const { claim, job, project } = await claimWithJob(deps.db, { jobId, turnNo });
  const number = job.options.cause?.reviews;
  if (number === undefined || job.options.ref === undefined) return;
  const lines = addedLines((await diffOf(deps, project, number)) ?? '');
  if (lines.length === 0) return;
  const { onLines, site, checkedPages } = await deps.agents.runChecks(
    {
      snapshotPath: await snapshotOf(deps, { job, project }, located(claim), run),
      overlay: [],
      policy: policyOf(deps.settings, project),
      site: project.settings.site,
      lines,
    },
    { signal: run.signal },
  );
  await deps.db.transaction(async (tx) => {
    await updateClaimedTurn(tx, claim, {});
    await recordCheckRound(tx, {
      jobId,
      turnNo,
      stepNo: step,
      pages: checkedPages,
      site: siteText(site),
      problems: onLines.map((problem) => ({ ...problem, cause: causeOf(problem) })),
      earlierProblems: 0,
      notes: [],
      secrets: [],
      told: false,
    });
  });
}

/** Null if the host does not show it: the review has no docs checks then. */
async function diffOf(deps: ActivityDeps, project: ProjectRow, number: number): Promise<string | null> {
  try {
    const { talk } = await openRepository(deps, project);
    return talk && (await talk.diff(number));
  } catch (err) {
    if (!(err instanceof HostProblem) || err.mayPass) throw err;
    deps.log.info({ err: messageOf(err), number }, 'the diff of a reviewed pull request cannot be read');
    return null;
  }
}
