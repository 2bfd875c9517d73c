import { followFailedChecks } from './follow-failed-checks.ts';
import type { HostEventConsumer } from './host-event-consumer.ts';
import { readyPullRequests } from './ready-pull-requests.ts';
import { refreshPullRequests } from './refresh-pull-requests.ts';
import { takeMessages } from './take-messages.ts';
import { startJobs } from './start-jobs.ts';
import { startAutomations } from './start-automations.ts';

/** The order in which they receive an event. */
export const HOST_EVENT_CONSUMERS: Readonly<Record<string, HostEventConsumer>> = {
  'refresh pull requests': refreshPullRequests,
  'take messages': takeMessages,
  'start jobs': startJobs,
  'make pull requests ready': readyPullRequests,
  'follow failed checks': followFailedChecks,
  'start automations': startAutomations,
};
