import type { ActivityDeps } from '../deps.ts';
import type { ActivityRun } from '../run-activity.ts';

export type ControlDeps = Pick<
  ActivityDeps,
  'db' | 'hosts' | 'models' | 'log' | 'git' | 'agents' | 'settings' | 'webhooks'
>;

/** The context for carrying out a request. */
export interface ControlRun extends ActivityRun {
  /** Call it right before visible changes. @throws Failure once the API reported a timeout to the caller */
  assertInTime(): void;
}
