import { followFailedChecks } from './follow-failed-checks.ts';
import { type HostEventConsumer, notYet } from './host-event-consumer.ts';
import { refreshPullRequests } from './refresh-pull-requests.ts';
import { takeMessages } from './take-messages.ts';
import { startJobs } from './start-jobs.ts';
import { deliveryIdOf } from '@docent/code-hosts/events/host-event';
import { codeEventOf, wantsEvent } from '../../jobs/code-trigger.ts';
import { faultPoint } from '../../platform/faults.ts';
import { CODE_SOURCE, insertTriggerEvent } from '../../store/automations/trigger-events.ts';
import { listWatchersOf } from '../../store/automations/watched-code.ts';
import { endDrafts } from '../../store/hosts/host-messages.ts';
import { listSourcesAt } from '../../store/hosts/host-repositories.ts';
import { identityOf, listProjectsAt } from '../../store/projects/projects.ts';
import { listPullRequestsOfJob } from '../../store/pull-requests/pull-requests.ts';

/**
 * Writes an event for each automation that watches the repository and matches, keyed by what happened. A
 * repeated event is written once.
 */
const startAutomations: HostEventConsumer = async ({ hostId, event }, { db }) => {
  const found = codeEventOf(event);
  if (!found) return;
  const watchers = await listWatchersOf(db, { host: hostId, repositoryId: event.repository.id });
  for (const { projectId, automationId, trigger, ...watched } of watchers) {
    if (!wantsEvent(trigger, watched, found)) continue;
    await insertTriggerEvent(db, {
      source: `${CODE_SOURCE}${projectId}/${automationId}`,
      deliveryId: `${hostId}:${deliveryIdOf(event)}`,
      projectId,
      automationId,
      headers: {},
      event: found.name,
      body: Buffer.from(JSON.stringify({ repository: watched.name, ...found })),
    });
    faultPoint('event-stored');
  }
};

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

/** The order in which they receive an event. */
export const HOST_EVENT_CONSUMERS: Readonly<Record<string, HostEventConsumer>> = {
  'refresh pull requests': refreshPullRequests,
  'take messages': takeMessages,
  'start jobs': startJobs,
  'make pull requests ready': readyPullRequests,
  'follow failed checks': followFailedChecks,
  'start automations': startAutomations,
};
