import { proxyActivities } from '@temporalio/workflow';
import type { ControlActivities } from '../activities/requests/carry-out-request.ts';
import type { ControlRequestInput } from './contract.ts';

// Callers wait half a minute at most. A dead worker's task is retried soon.
const retry = { initialInterval: '500 milliseconds', maximumInterval: '5 seconds' } as const;
const host = proxyActivities<ControlActivities>({
  startToCloseTimeout: '30 seconds',
  scheduleToCloseTimeout: '60 seconds',
  heartbeatTimeout: '8 seconds',
  retry,
});
const models = proxyActivities<ControlActivities>({
  startToCloseTimeout: '10 seconds',
  scheduleToCloseTimeout: '25 seconds',
  heartbeatTimeout: '8 seconds',
  retry,
});

/** A local server may have to load its model first. */
const answers = proxyActivities<ControlActivities>({
  startToCloseTimeout: '26 seconds',
  scheduleToCloseTimeout: '28 seconds',
  heartbeatTimeout: '8 seconds',
  retry,
});

/** Reports whether Docent can work with a repository. The API waits for it when it creates a project. */
export async function checkRepository(input?: ControlRequestInput): Promise<void> {
  await host.carryOutRequest({ requestId: input?.requestId, kind: 'checkRepository' });
}

/** Reports what a code host's credential lacks. */
export async function checkHost(input?: ControlRequestInput): Promise<void> {
  await host.carryOutRequest({ requestId: input?.requestId, kind: 'checkHost' });
}

/** Merges or closes a pull request of a host without pages of its own. */
export async function changePullRequest(input?: ControlRequestInput): Promise<void> {
  await host.carryOutRequest({ requestId: input?.requestId, kind: 'changePullRequest' });
}

/** Reports whether the workers have what a model needs. Only workers know its keys and addresses. */
export async function checkModel(input?: ControlRequestInput): Promise<void> {
  await models.carryOutRequest({ requestId: input?.requestId, kind: 'checkModel' });
}

/** Has a model answer one small question. */
export async function testModel(input?: ControlRequestInput): Promise<void> {
  await answers.carryOutRequest({ requestId: input?.requestId, kind: 'testModel' });
}

/** Asks the code host for the state of a pull request. */
export async function refreshPullRequest(input?: ControlRequestInput): Promise<void> {
  await host.carryOutRequest({ requestId: input?.requestId, kind: 'refreshPullRequest' });
}

/** Sends a `ping` to a webhook. */
export async function testWebhook(input?: ControlRequestInput): Promise<void> {
  await answers.carryOutRequest({ requestId: input?.requestId, kind: 'testWebhook' });
}
