import type { TestWebhookInput, TestWebhookResult } from '../../workflows/contract.ts';
import type { ActivityDeps } from '../deps.ts';
import { attemptDelivery } from './webhook-attempt.ts';

/** Sends a `ping` once, now. What came of it is in its rows. Idempotent: another attempt finds it sent. */
export async function testWebhook(
  { deliveryId }: TestWebhookInput,
  deps: Pick<ActivityDeps, 'db' | 'webhooks' | 'settings'>,
): Promise<TestWebhookResult> {
  const result = await attemptDelivery(deps, deliveryId, { once: true });
  return { state: result.kind === 'over' ? result.state : result.kind };
}
