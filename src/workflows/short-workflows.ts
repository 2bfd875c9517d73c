import { proxyActivities } from '@temporalio/workflow';
import type { HostActivities } from '../activities/host-activities.ts';
import type { ModelCheckActivities } from '../activities/check-model.ts';
import type {
  ChangePullRequestInput,
  ChangePullRequestResult,
  CheckHostInput,
  CheckHostResult,
  CheckModelInput,
  CheckModelResult,
  CheckRepositoryInput,
  CheckRepositoryResult,
} from './contract.ts';

const host = proxyActivities<HostActivities>({
  startToCloseTimeout: '30 seconds',
  scheduleToCloseTimeout: '60 seconds',
  retry: { initialInterval: '500 milliseconds', maximumInterval: '5 seconds' },
});

/** Says whether Docent can work with a repository. Somebody waits for the answer: the API when a project is made. */
export async function checkRepository(input: CheckRepositoryInput): Promise<CheckRepositoryResult> {
  return host.checkRepository(input);
}

/** Says what a code host's credential lacks. */
export async function checkHost(input: CheckHostInput): Promise<CheckHostResult> {
  return host.checkHost(input);
}

/** Merges or closes a pull request of a host that has no page of its own for it. */
export async function changePullRequest(input: ChangePullRequestInput): Promise<ChangePullRequestResult> {
  return host.changePullRequest(input);
}

const models = proxyActivities<ModelCheckActivities>({
  startToCloseTimeout: '10 seconds',
  scheduleToCloseTimeout: '25 seconds',
});

/** Says whether the workers have what a model needs: keys and addresses are known to them alone. */
export async function checkModel(input: CheckModelInput): Promise<CheckModelResult> {
  return models.checkModel(input);
}
