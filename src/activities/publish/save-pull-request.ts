import { readDiff } from '@docent/client';
import type { OpenRepository, SavedPullRequest } from '../../code-hosts/host.ts';
import { linesUrl } from '@docent/code-hosts/lines-url';
import { effectiveSettings } from '../../store/projects/project-settings.ts';
import type { Published } from '@docent/git/contract';
import { reviewOf } from '../../jobs/review.ts';
import type { Queryable } from '../../store/database.ts';
import { listRunsOfJob } from '../../store/automations/automation-runs.ts';
import { countClaimsWithoutSource, listCitations } from '../../store/jobs/citations.ts';
import { listReviewRounds } from '../../store/jobs/review-rounds.ts';
import { listTurns } from '../../store/jobs/turns.ts';
import { kindsOfSources } from '../../store/projects/sources.ts';
import type { ActivityDeps } from '../deps.ts';
import { baseRefOf } from '../open/branch-target.ts';
import { allowedSecrets, hideSecrets } from '../step/outgoing-secrets.ts';
import type { Publication } from './publication.ts';
import { pullRequestText, type CitedLines } from './pull-request-text.ts';
import { turnText, type TurnText } from './turn-text.ts';

/** Opens or updates the pull request of a push. Its text covers all turns of its branch. */
export async function savePullRequest(
  { db, settings }: Pick<ActivityDeps, 'db' | 'settings'>,
  { turn, job, project }: Publication,
  repository: OpenRepository,
  pushed: Published,
  text: TurnText,
): Promise<SavedPullRequest> {
  const chain = (await listTurns(db, job.id)).filter(
    (other) => other.chainNo === turn.chainNo && (other.state === 'published' || other.no === turn.no),
  );
  const texts = await Promise.all(
    chain.map(async (part) => ({
      turn: part,
      ...(part.no === turn.no ? text : await turnText(db, part, allowedSecrets(project))),
    })),
  );
  const review = reviewOf(await listReviewRounds(db, job.id, { chainNo: turn.chainNo, publishing: turn.no }));
  const { title, body } = pullRequestText(job, texts, review, {
    changed: readDiff(pushed.pullRequestDiff).files,
    publicUrl: settings.publicUrl,
    commitSubject: project.settings.commitSubject,
    runs: await listRunsOfJob(db, job.id),
    citations: await citedLines(db, { job, project, chainNo: turn.chainNo }),
    claimsWithoutSource: await countClaimsWithoutSource(db, job.id, turn.chainNo),
  });
  const { draft, labels, reviewers } = effectiveSettings(project.settings);
  return repository.savePullRequest({
    projectId: project.id,
    jobId: job.id,
    chainNo: turn.chainNo,
    headBranch: turn.branch,
    baseBranch: baseRefOf(job, project),
    title: await hideSecrets(title, allowedSecrets(project)),
    body: await hideSecrets(body, allowedSecrets(project)),
    headCommit: pushed.commit,
    diff: pushed.pullRequestDiff,
    commits: pushed.commits,
    draft: job.publishOrder?.draft ?? job.options.draft ?? draft,
    labels,
    reviewers,
  });
}

async function citedLines(
  db: Queryable,
  { job, project, chainNo }: Pick<Publication, 'job' | 'project'> & { chainNo: number },
): Promise<CitedLines[]> {
  const kinds = await kindsOfSources(db, project.id);
  return (await listCitations(db, job.id, chainNo)).map((row) => {
    const kind = kinds.get(row.source);
    return { ...row, url: kind === undefined ? null : linesUrl(kind, row.repository, row) };
  });
}
