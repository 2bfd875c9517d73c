import type { ActivityDeps } from '../deps.ts';
import { runActivity, tryLater } from '../run-activity.ts';
import { attemptDelivery } from './webhook-attempt.ts';

export type WebhookActivities = ReturnType<typeof createWebhookActivities>;

/** The activity of the workflow that delivers one message. */
export function createWebhookActivities(deps: Pick<ActivityDeps, 'db' | 'webhooks' | 'settings' | 'log'>) {
  return {
    /** Makes the next attempt. Throws a failed one with its pause. The history has no message or address. */
    async deliverMessage({ deliveryId }: { deliveryId: unknown }): Promise<{ state: string; words: string }> {
      return runActivity(deps.log, {}, async () => {
        if (typeof deliveryId !== 'string') return { state: 'removed', words: 'no such delivery' };
        const result = await attemptDelivery(deps, deliveryId);
        switch (result.kind) {
          case 'over':
            return { state: result.state, words: `was ${result.state} before` };
          case 'busy':
            throw tryLater('Waiting: other messages are being sent to this receiver.', 'WebhookWaits', result.waitMs);
          case 'late':
            throw tryLater('Another attempt has started.', 'WebhookWaits', 1_000);
          case 'again':
            throw tryLater(`Attempt ${result.attempt}: ${result.problem}`, 'WebhookNotAccepted', result.pauseMs);
          case 'delivered':
            return { state: 'delivered', words: `attempt ${result.attempt}: ${result.status}, ${result.ms} ms` };
          case 'failed':
            return { state: 'failed', words: `attempt ${result.attempt}: ${result.problem}` };
        }
      });
    },
  };
}
