import { findJob, listTurnDiffs } from '../../store/jobs.ts';
import { findNewestPullRequest } from '../../store/pull-requests.ts';
import type { Handler } from '../contract/handler.ts';
import { missingJob } from './missing-job.ts';

export const getJobDiff: Handler<'getJobDiff'> = async ({ path }, { db }) => {
  const job = await findJob(db, path.projectId, path.id);
  if (!job) throw await missingJob(db, path);
  const turns = await listTurnDiffs(db, job.id);
  const pullRequest = await findNewestPullRequest(db, job.id);
  return {
    status: 200,
    body: {
      turns: turns.map(({ turnNo, branch, commit, diff }) => ({ turn: turnNo, branch, commit, diff })),
      diff: pullRequest?.diff ?? '',
    },
  };
};
