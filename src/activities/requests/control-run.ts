import type { ActivityDeps } from '../deps.ts';
import type { ActivityRun } from '../run-activity.ts';

export type ControlDeps = Pick<
  ActivityDeps,
  'db' | 'hosts' | 'models' | 'log' | 'git' | 'agents' | 'settings' | 'webhooks'
>;

/** What carries a request out may use. */
export interface ControlRun extends ActivityRun {
  /**
   * @throws Failure once the API has told the caller that no worker answered: call it right before what
   * others can see
   */
  mustBeInTime(): void;
}
