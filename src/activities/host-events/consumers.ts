import { followFailedChecks } from './follow-failed-checks.ts';
import type { HostEventConsumer } from './host-event-consumer.ts';
import { refreshPullRequests } from './refresh-pull-requests.ts';
import { takeMessages } from './take-messages.ts';
import { startJobs } from './start-jobs.ts';
import { startAutomations } from './start-automations.ts';

/** In the order in which they see an event. */
export const HOST_EVENT_CONSUMERS: Readonly<Record<string, HostEventConsumer>> = {
  'refresh pull requests': refreshPullRequests,
  'take messages': takeMessages,
  'start jobs': startJobs,
  'follow failed checks': followFailedChecks,
  'start automations': startAutomations,
};
