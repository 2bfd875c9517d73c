import { setTimeout as sleep } from 'node:timers/promises';
import type { Ledger } from './ledger.ts';

export interface Call {
  method: 'get' | 'post' | 'patch';
  /** As in the contract. */
  route: string;
  id?: string;
  /** Instead of the operator's. */
  token?: string;
  query?: string;
  body?: unknown;
  /** With one, a repeat is harmless. */
  key?: string;
  /** Distinguishes visitors. */
  userAgent?: string;
  /** Final answers other than 2xx. */
  over?: readonly number[];
}

const PAUSE_MS = 300;
const TRIES = 3_000;
/** Temporary: the API, or a service that it needs, is down or full, or the same key is in progress. */
const PASSING = [408, 409, 429, 503, 507];

/** Sends requests with plain `fetch` to the APIs in turn, and records each answer. */
export class Client {
  readonly #urls: readonly string[];
  readonly #token: string;
  readonly #ledger: Ledger;
  #turn = 0;

  constructor(urls: readonly string[], token: string, ledger: Ledger) {
    this.#urls = urls;
    this.#token = token;
    this.#ledger = ledger;
  }

  /** Sends it until it has a final answer. @returns its status and body; null without one */
  async insist(call: Call): Promise<{ status: number; body: unknown } | null> {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const answer = await this.#once(call);
      if (answer && (answer.status < 300 || call.over?.includes(answer.status))) return answer;
      if (answer && !PASSING.includes(answer.status)) {
        this.#ledger.complaints.push(`${call.method} ${call.route}: ${answer.status} ${JSON.stringify(answer.body)}`);
        return null;
      }
      await sleep(PAUSE_MS);
    }
    this.#ledger.complaints.push(`${call.method} ${call.route} was never answered.`);
    return null;
  }

  async #once(call: Call): Promise<{ status: number; body: unknown } | null> {
    const { method, route, key } = call;
    const url = this.#urls[this.#turn++ % this.#urls.length] ?? '';
    const path = route.replace('{projectId}', this.#ledger.projectId).replace(/\{(id|automationId)\}/, call.id ?? '');
    try {
      const response = await fetch(`${url}${path}${call.query ?? ''}`, {
        method: method.toUpperCase(),
        headers: {
          authorization: `Bearer ${call.token ?? this.#token}`,
          ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(key === undefined ? {} : { 'idempotency-key': key }),
          ...(call.userAgent === undefined ? {} : { 'user-agent': call.userAgent }),
        },
        ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
        signal: AbortSignal.timeout(60_000),
      });
      const text = await response.text();
      const body = (text === '' ? null : JSON.parse(text)) as Record<string, unknown> | null;
      const { status } = response;
      const isError = status >= 400;
      this.#ledger.answered({
        method,
        route,
        status,
        code: isError ? String(body?.code ?? '') : null,
        hasRetryAfter: response.headers.has('retry-after'),
        isWhole: !isError || [body?.error, body?.code, body?.requestId].every((each) => typeof each === 'string'),
      });
      return { status, body };
    } catch {
      // No one listens, the connection broke, or the answer broke off.
      this.#ledger.unanswered += 1;
      return null;
    }
  }
}
