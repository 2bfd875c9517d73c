import { readDiff } from '@docent/client';
import { discardChanges, requestPublish } from '../../jobs/publish.ts';
import { doubtsOfChange, doubtsOfMerge, reviewOf } from '../../jobs/review.ts';
import { AppError } from '../../platform/errors.ts';
import { effectiveSettings } from '../../store/projects/project-settings.ts';
import { listCheckRounds } from '../../store/jobs/check-rounds.ts';
import { countClaimsWithoutSource, listCitations } from '../../store/jobs/citations.ts';
import { findChangedPage } from '../../store/jobs/changed-pages.ts';
import { listTurnDiffs, requireJob } from '../../store/jobs/jobs.ts';
import { findPendingDiff } from '../../store/jobs/pending-diffs.ts';
import { findProject } from '../../store/projects/projects.ts';
import { findNewestPullRequest } from '../../store/pull-requests/pull-requests.ts';
import { listReviewRounds, type ReviewedChanges } from '../../store/jobs/review-rounds.ts';
import { findPart } from '../../store/jobs/transcript.ts';
import type { Handler } from '../contract/handler.ts';
import { presentCalls } from '../presenters/job-calls.ts';
import {
  presentCheckRound,
  presentCitation,
  presentFiles,
  presentPendingDiff,
  presentReview,
} from '../presenters/job-changes.ts';
import { pageOf, readStepCursor, stepCursorOf } from '../presenters/cursor.ts';
import { changeJob } from './jobs.ts';

export const publishJob: Handler<'publishJob'> = (input, services) => {
  const { path, body } = input;
  return changeJob(input, services, { reason: 'publish' }, (tx) =>
    requestPublish(tx, path.projectId, path.id, body ?? {}),
  );
};

export const discardJobChanges: Handler<'discardJobChanges'> = (input, services) =>
  changeJob(input, services, { reason: 'publish' }, (tx) => discardChanges(tx, input.path.projectId, input.path.id));

export const getJobDiff: Handler<'getJobDiff'> = async ({ path, request }, { db }) => {
  const job = await requireJob(db, path.projectId, path.id);
  const found = await findPendingDiff(db, job.id);
  const pending = found && found.files > 0 ? found : null;
  const pullRequest = await findNewestPullRequest(db, job.id);
  const diff = pullRequest?.diff ?? '';
  if (request.wantsPatch) {
    const patch = pending?.diff ?? diff;
    if (!(pending?.isCut ?? readDiff(patch).isCut)) return { status: 200, type: 'text/x-diff', text: patch };
    throw new AppError(
      'diff_incomplete',
      'The change is too large for one patch, or may contain a secret. Request application/json to see ' +
        'the stored part, or fetch the branch after it is published.',
    );
  }
  const turns = await listTurnDiffs(db, job.id);
  return {
    status: 200,
    body: {
      turns: turns.map(({ turnNo, ...turn }) => ({
        turn: turnNo,
        ...turn,
        files: turn.diff === null ? null : presentFiles(turn.diff),
      })),
      diff,
      files: presentFiles(diff),
      pending: pending && presentPendingDiff(pending, job),
    },
  };
};

export const getChangedPage: Handler<'getChangedPage'> = async ({ path, query }, { db }) => {
  const job = await requireJob(db, path.projectId, path.id);
  const page = await findChangedPage(db, { jobId: job.id, of: query.of }, query.path);
  return {
    status: 200,
    body: { path: query.path, kept: page !== null, before: page?.before ?? null, after: page?.after ?? null },
  };
};

export const listJobChecks: Handler<'listJobChecks'> = async ({ path, query }, { db, urlOf }) => {
  const after = readStepCursor(query.cursor);
  const job = await requireJob(db, path.projectId, path.id);
  const found = await listCheckRounds(db, job.id, { limit: query.limit + 1, after });
  const { rows, nextCursor } = pageOf(found, query.limit, stepCursorOf);
  return { status: 200, body: { checks: rows.map((round) => presentCheckRound(round, urlOf('/docs'))), nextCursor } };
};

export const listJobCitations: Handler<'listJobCitations'> = async ({ path }, { db }) => {
  const job = await requireJob(db, path.projectId, path.id);
  const rows = await listCitations(db, job.id);
  const claimsWithoutSource = await countClaimsWithoutSource(db, job.id);
  return { status: 200, body: { citations: rows.map(presentCitation), claimsWithoutSource } };
};

export const getJobReview: Handler<'getJobReview'> = async ({ path }, { db, urlOf }) => {
  const job = await requireJob(db, path.projectId, path.id);
  const row = await findNewestPullRequest(db, job.id);
  const review = async (of: ReviewedChanges) => reviewOf(await listReviewRounds(db, job.id, of));
  const ofPullRequest = row && (await review({ chainNo: row.chainNo }));
  const ofPending = job.status === 'active' || !job.pendingChanges ? null : await review('pending');
  const doubts = row?.state === 'open' && ofPullRequest ? doubtsOfMerge(ofPullRequest, row) : [];
  return {
    status: 200,
    body: {
      pullRequest: ofPullRequest && presentReview(ofPullRequest, doubts, urlOf('/docs')),
      pending: ofPending && presentReview(ofPending, doubtsOfChange(ofPending), urlOf('/docs')),
    },
  };
};

export const listJobCalls: Handler<'listJobCalls'> = async ({ path, query }, { db }) => {
  const job = await requireJob(db, path.projectId, path.id);
  const project = await findProject(db, path.projectId);
  const at = [job.id, query.turn, query.step] as const;
  const [answer, results] = await Promise.all([findPart(db, ...at, 'model'), findPart(db, ...at, 'tools')]);
  const { allowedSecrets: allowed } = effectiveSettings(project?.settings);
  return { status: 200, body: { calls: await presentCalls(answer ?? [], results ?? [], allowed) } };
};
