import { Webhook } from 'standardwebhooks';
import { AddressRefused } from '@docent/base/net/address-guard';
import { createGuardedFetch } from '@docent/base/net/guarded-fetch';
import { networkReason } from '@docent/base/net/network-reason';
import { concealInLogs, redact } from '../../platform/log.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import { VERSION } from '../../platform/version.ts';
import type { AttemptRow, DeliveryRow } from '../../store/webhooks/webhook-deliveries.ts';
import { readDeliveryData, type DeliveryData } from '../../store/webhooks/webhook-outbox.ts';
import { secretsOf, type WebhookRow } from '../../store/webhooks/webhooks.ts';
import { isExpected } from '../../platform/errors.ts';

/** A message is sent and answered within this time. */
const TIMEOUT_MS = 15_000;
/** As much of an answer as is kept. */
const KEPT_BYTES = 1_024;

/** The outcome of sending a message once. */
export interface SentMessage extends Omit<AttemptRow, 'deliveryId' | 'no'> {
  /** How long the receiver asked to be left alone, in milliseconds. */
  retryAfterMs: number;
  /** No attempt will go better until someone changes something. */
  isFinal: boolean;
}

export interface WebhookSender {
  send(delivery: DeliveryRow, webhook: WebhookRow): Promise<SentMessage>;
}

export interface WebhookSenderOptions {
  secrets: SecretBox;
  /** DOCENT_PRIVATE_HOSTS: destinations allowed besides the internet. */
  privateHosts: readonly string[];
  /** `data` of a message, as the API shows the resource. */
  present: (data: DeliveryData) => object;
}

/** One attempt by https://www.standardwebhooks.com, without redirects. Failures are results. */
export function createWebhookSender({ secrets, privateHosts, present }: WebhookSenderOptions): WebhookSender {
  // Reads only the beginning of a response.
  const guarded = createGuardedFetch({ allowed: privateHosts, timeoutMs: TIMEOUT_MS, maxBytes: null });

  return {
    async send(delivery, webhook) {
      const startedAt = new Date();
      const from = performance.now();
      const end = (result: Partial<SentMessage>): SentMessage => ({
        startedAt,
        ms: Math.round(performance.now() - from),
        status: null,
        problem: null,
        response: null,
        retryAfterMs: 0,
        isFinal: false,
        ...result,
      });
      try {
        const body = payloadOf(delivery, present);
        const headers = headersOf(delivery.id, startedAt, body, signingSecrets(secrets, webhook, startedAt));
        const answer = await guarded(webhook.url, { method: 'POST', headers, body, redirect: 'manual' });
        const { status } = answer;
        const response = redact(await beginningOfBody(answer));
        return end({ status, response, problem: problemOf(status), retryAfterMs: retryAfterOf(answer, startedAt) });
      } catch (err) {
        if (err instanceof AddressRefused) return end({ problem: err.message, isFinal: true });
        if (isExpected(err, 'secret_key')) {
          return end({ problem: `The secret of the webhook cannot be read. ${err.message}` });
        }
        const isLate = err instanceof Error && err.name === 'TimeoutError';
        const reason = isLate ? `no answer within ${TIMEOUT_MS / 1_000} s` : networkReason(err);
        return end({ problem: redact(`${new URL(webhook.url).host} could not be reached: ${reason}.`).slice(0, 500) });
      }
    },
  };
}

/** The body of a message, the same in every attempt. */
export function payloadOf(
  { type, createdAt, data }: Pick<DeliveryRow, 'type' | 'createdAt' | 'data'>,
  present: WebhookSenderOptions['present'],
): string {
  return JSON.stringify({ type, timestamp: createdAt.toISOString(), data: present(readDeliveryData(data)) });
}

function signingSecrets(box: SecretBox, webhook: WebhookRow, now: Date): string[] {
  const found = secretsOf(box, webhook, now);
  found.forEach(concealInLogs);
  return found;
}

/** While a secret is being replaced, both sign. A job's own webhook may have none. */
function headersOf(id: string, at: Date, body: string, signing: readonly string[]): Record<string, string> {
  const signatures = signing.map((secret) => new Webhook(secret).sign(id, at, body));
  return {
    'content-type': 'application/json',
    'user-agent': `Docent/${VERSION}`,
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    ...(signatures.length > 0 ? { 'webhook-signature': signatures.join(' ') } : {}),
  };
}

function problemOf(status: number): string | null {
  if (status >= 200 && status <= 299) return null;
  if (status >= 300 && status <= 399) {
    return `The receiver returned ${status}, a redirect. Docent does not follow redirects. Use the final URL.`;
  }
  return `The receiver returned ${status}.`;
}

/** A response that breaks off has already sent its status. */
async function beginningOfBody(answer: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  try {
    // Leaving the loop ends the answer.
    for await (const part of answer.body ?? []) {
      parts.push(part);
      bytes += part.length;
      if (bytes >= KEPT_BYTES) break;
    }
  } catch {
    // Cut short, by the receiver or by our time limit.
  }
  return Buffer.concat(parts).subarray(0, KEPT_BYTES).toString('utf8');
}

/** Seconds, or a date (RFC 9110). */
function retryAfterOf({ headers }: Response, now: Date): number {
  const said = headers.get('retry-after');
  if (said === null) return 0;
  const ms = /^\d+$/.test(said) ? Number(said) * 1_000 : Date.parse(said) - now.getTime();
  return Number.isFinite(ms) && ms > 0 ? ms : 0;
}
