import type { SessionRow } from '../../store/jobs/sessions.ts';
import type { components } from '@docent/client';

type Session = components['schemas']['Session'];

/** Why a job failed that cannot get at its repository. */
const HOST_CODES = /^(repository_|branch_missing$|host_|push_refused$|credential_unreadable$|address_refused$)/;

/** A job in version 1's deprecated routes, which leave out empty fields, except the branch. */
export function presentSession(row: SessionRow): Session {
  const { job } = row;
  const messageToUser = job.status === 'active' ? job.progress : (job.summary ?? job.errorMessage);
  return {
    sessionId: job.id,
    subdomain: job.projectId,
    branch: job.branch,
    haulted: job.status !== 'active',
    haultReason: haultReason(row),
    ...(job.status === 'active' || job.prLink === null ? {} : { pullRequestLink: job.prLink }),
    ...(messageToUser ? { messageToUser } : {}),
    todos: [],
    title: job.title,
    createdAt: job.createdAt.toISOString(),
  };
}

function haultReason({ job, turnState }: SessionRow): Session['haultReason'] {
  if (job.status === 'active') return 'processing';
  if (job.errorCode !== null) return HOST_CODES.test(job.errorCode) ? 'github_missconfigured' : 'error';
  // Stopped at work, or before it began.
  return turnState === null || turnState === 'cancelled' || turnState === 'archived' ? 'interrupted' : 'completed';
}
