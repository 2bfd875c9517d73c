import { endDrafts } from '../../store/hosts/host-messages.ts';
import { listSourcesAt } from '../../store/hosts/host-repositories.ts';
import { identityOf, listProjectsAt } from '../../store/projects/projects.ts';
import { listPullRequestsOfJob } from '../../store/pull-requests/pull-requests.ts';
import { notYet, type HostEventConsumer } from './host-event-consumer.ts';

/**
 * When a person's pull request is merged, marks the draft pull requests ready that waited for it. First stops
 * their jobs from opening more drafts, so that none is missed. Safe to repeat.
 */
export const readyPullRequests: HostEventConsumer = async ({ hostId, event }, { db, hosts }) => {
  if (event.kind !== 'pull_request' || event.action !== 'merged') return;
  const at = { host: hostId, repositoryId: event.repository.id };
  let isAtWork = false;
  const readers = (await listSourcesAt(db, at)).map(({ project }) => project);
  const projects = new Map([...(await listProjectsAt(db, at)), ...readers].map((project) => [project.id, project]));
  for (const project of projects.values()) {
    const on = { type: 'pull_request', number: event.pullRequest.number } as const;
    const jobs = await endDrafts(db, { projectId: project.id, hostId, repositoryId: event.repository.id, on });
    if (jobs.length === 0) continue;
    const { talk } = await (await hosts.get(project.host)).open({ ...identityOf(project), projectId: project.id });
    for (const job of jobs) {
      isAtWork ||= job.status === 'active';
      for (const { state, number } of await listPullRequestsOfJob(db, job.id)) {
        if (state === 'open' && number !== null) await talk?.markReady(number);
      }
    }
  }
  // It may be about to open a draft.
  if (isAtWork) throw notYet('The job of a draft pull request is at work.');
};
