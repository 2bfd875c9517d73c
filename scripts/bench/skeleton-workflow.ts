import { proxyActivities } from '@temporalio/workflow';

const { nothing } = proxyActivities<{ nothing(): Promise<void> }>({ startToCloseTimeout: '1 minute' });

/** As many activities as a job of one turn and two steps has, none of which does anything. */
export async function skeleton(activities: number): Promise<void> {
  for (let n = 0; n < activities; n += 1) await nothing();
}
