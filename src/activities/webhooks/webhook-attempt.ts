import { faultPoint } from '../../platform/faults.ts';
import {
  claimDelivery,
  giveUpDelivery,
  recordAttempt,
  type AttemptEnd,
  type DeliveryRow,
} from '../../store/webhooks/webhook-deliveries.ts';
import type { ActivityDeps } from '../deps.ts';
import type { SentMessage } from './webhook-sender.ts';

const SECOND = 1_000;
const HOUR = 3_600_000;
/** After the attempts that failed, as Standard Webhooks recommends: over a day in total. */
export const WEBHOOK_PAUSES_MS: readonly number[] = [
  5 * SECOND,
  300 * SECOND,
  1_800 * SECOND,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  10 * HOUR,
];
/** A receiver may ask to be left alone for so long, not longer. */
const MAX_RETRY_AFTER_MS = 24 * HOUR;
/** Spreads retries, so that a receiver that was down does not get all of them at the same time. */
const JITTER = 0.1;

export type AttemptResult =
  | { kind: 'over'; state: string }
  | { kind: 'busy'; waitMs: number }
  /** Another attempt was begun while this one took too long. */
  | { kind: 'late' }
  | { kind: AttemptEnd['kind']; pauseMs: number; status: number | null; ms: number; problem: string; attempt: number };

/**
 * Claims, sends and records one attempt. Safe to run concurrently: one sends. After a crash before recording,
 * sends again under the same id.
 * @param once whether it is the only attempt
 */
export async function attemptDelivery(
  { db, webhooks, settings }: Pick<ActivityDeps, 'db' | 'webhooks' | 'settings'>,
  deliveryId: string,
  { once = false } = {},
): Promise<AttemptResult> {
  const claim = await claimDelivery(db, deliveryId, { bounded: !once });
  if (claim.kind !== 'claimed') return claim;
  const { delivery, webhook } = claim;
  if (!webhook.enabled && delivery.type !== 'ping') {
    await giveUpDelivery(db, delivery, 'The webhook is disabled.');
    return { kind: 'over', state: 'failed' };
  }
  faultPoint('webhook-claimed');
  const sent = await webhooks.send(delivery, webhook);
  faultPoint('webhook-sent');
  const end = endOf(sent, delivery, once ? [] : (settings.webhookPausesMs ?? WEBHOOK_PAUSES_MS));
  const { startedAt, ms, status, problem, response } = sent;
  const isRecorded = await recordAttempt(db, delivery, { startedAt, ms, status, problem, response }, end);
  faultPoint('webhook-recorded');
  if (!isRecorded) return { kind: 'late' };
  const pauseMs = end.kind === 'again' ? end.pauseMs : 0;
  return { kind: end.kind, pauseMs, status, ms, problem: problem ?? '', attempt: delivery.attempts };
}

function endOf(sent: SentMessage, delivery: DeliveryRow, pausesMs: readonly number[]): AttemptEnd {
  const { problem, status, isFinal, retryAfterMs } = sent;
  if (problem === null) return { kind: 'delivered' };
  if (status === 410) {
    return { kind: 'failed', problem: 'The receiver returned 410 (gone), so the webhook was disabled.', disable: true };
  }
  const no = delivery.attempts - delivery.attemptsBefore;
  const pauseMs = pausesMs[no - 1];
  if (isFinal || pauseMs === undefined) return { kind: 'failed', problem, disable: false };
  const jittered = pauseMs * (1 + (Math.random() * 2 - 1) * JITTER);
  return { kind: 'again', pauseMs: Math.round(Math.max(jittered, Math.min(retryAfterMs, MAX_RETRY_AFTER_MS))) };
}
