import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Webhook } from 'standardwebhooks';

/** A delivery whose sender knows the secret. */
export interface VerifiedDelivery {
  scheme: 'standard-webhooks' | 'github' | 'gitlab' | 'bearer';
  /** The same for every repeat of the delivery; null if the sender names none. */
  deliveryId: string | null;
  /** The kind of event, as the sender names it. */
  event: string | null;
}

const MAX_ID = 256;

/**
 * Verifies one delivery by [Standard Webhooks](https://www.standardwebhooks.com), GitHub's
 * `X-Hub-Signature-256`, GitLab's `X-Gitlab-Token`, or `Authorization: Bearer`. The first of these that is
 * present decides.
 * @param secret the whole text, including `whsec_`
 * @returns null if the signature is wrong, or older than five minutes in schemes with a time
 */
export function verifyDelivery(headers: IncomingHttpHeaders, body: Buffer, secret: string): VerifiedDelivery | null {
  const one = (name: string) => {
    const value = headers[name];
    return typeof value === 'string' && value !== '' && value.length <= MAX_ID ? value : null;
  };
  const named = (...names: string[]) => names.map(one).find((value) => value !== null) ?? null;
  /** A long id is one anyway: without it, each repeat would start a run. */
  const idOf = (...names: string[]) => {
    const id = names.map((name) => headers[name]).find((value) => typeof value === 'string' && value !== '');
    if (typeof id !== 'string') return null;
    return id.length <= MAX_ID ? id : `sha256:${sha256(id).toString('hex')}`;
  };

  if (headers['webhook-signature'] !== undefined) {
    const event = named('x-gitlab-event');
    if (!isStandard(headers, body, secret)) return null;
    return { scheme: 'standard-webhooks', deliveryId: idOf('webhook-id'), event };
  }
  const signed = one('x-hub-signature-256');
  if (signed !== null) {
    const wanted = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
    if (!isSame(signed, wanted)) return null;
    // The delivery's id is not signed: a copy under another id must start nothing.
    const deliveryId = `sha256:${sha256(body).toString('hex')}`;
    return { scheme: 'github', deliveryId, event: named('x-github-event', 'x-gitea-event') };
  }
  const token = one('x-gitlab-token');
  if (token !== null) {
    if (!isSame(token, secret)) return null;
    const deliveryId = idOf('idempotency-key', 'x-gitlab-event-uuid');
    return { scheme: 'gitlab', deliveryId, event: one('x-gitlab-event') };
  }
  const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
  if (bearer === undefined || !isSame(bearer, secret)) return null;
  const event = named('x-github-event', 'x-gitea-event', 'x-gitlab-event');
  return { scheme: 'bearer', deliveryId: idOf('idempotency-key', 'webhook-id'), event };
}

function isStandard(headers: IncomingHttpHeaders, body: Buffer, secret: string): boolean {
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>, { jsonParse: false });
    return true;
  } catch {
    return false;
  }
}

function isSame(given: string, wanted: string): boolean {
  return timingSafeEqual(sha256(given), sha256(wanted));
}

function sha256(text: string | Buffer): Buffer {
  return createHash('sha256').update(text).digest();
}
