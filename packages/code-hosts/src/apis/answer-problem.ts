import { z } from 'zod';
import { quoteServer } from '@docent/git/protocol/pkt-line';
import { retryAfterMs } from '@docent/base/net/retry-after';
import { HostProblem } from '../host-problem.ts';
import type { HostMerge } from '../remote-api.ts';

/** The purpose of a request (`open the pull request`), and its host: for messages. */
export interface Asked {
  doing: string;
  host: string;
}

/** An answer of an API that is not a success. */
export interface FailedAnswer extends Asked {
  status: number;
  headers: { get(name: string): string | null };
  /** The host's own words. */
  message: string;
}

/** A client's call with an error answer, not yet in our own words. */
export class FailedCall extends Error {
  readonly answer: Pick<FailedAnswer, 'status' | 'headers' | 'message'>;

  constructor(status: number, headers: FailedAnswer['headers'], message: string) {
    super(`${status}: ${message}`);
    this.name = 'FailedCall';
    this.answer = { status, headers, message };
  }
}

/** Null if the resource is missing. @param statuses for that; 422 also for impossible questions */
export async function orMissing<T>(asked: Promise<T>, statuses: readonly number[] = [404]): Promise<T | null> {
  try {
    return await asked;
  } catch (err) {
    if (err instanceof FailedCall && statuses.includes(err.answer.status)) return null;
    throw err;
  }
}

/**
 * Runs calls to an API whose answers are parsed by schemas, and turns errors into our own messages.
 * @throws HostProblem
 */
export async function askHost<T>(asked: Asked, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (err) {
    if (err instanceof FailedCall) throw answerProblem({ ...err.answer, ...asked });
    throw err instanceof z.ZodError ? wrongAnswer(err, asked) : err;
  }
}

/**
 * An undocumented success, as of a proxy, another address or version. It may pass, so it is retried. Quotes
 * only the field's name.
 */
function wrongAnswer({ issues: [issue] }: z.ZodError, { doing, host }: Asked): HostProblem {
  const field = issue?.path.join('.') ?? '';
  const what = field === '' ? 'something else' : `a wrong or missing "${field}"`;
  return new HostProblem(
    'host_unavailable',
    `${host} returned ${what} (${issue?.message}) for the request to ${doing}. Check its API address, ` +
      'and that Docent supports its version.',
  );
}

/** For a host that asks for a pause without a time: GitHub's advice for its secondary limits. */
const DEFAULT_PAUSE_MS = 60_000;

/** The problem that a host does not see a branch that was just pushed. */
export function laggingProblem({ host, status, message }: Omit<FailedAnswer, 'doing'>, head: string): HostProblem {
  const said = quoteServer(message);
  return new HostProblem(
    'host_refused',
    `${host} does not see the branch "${head}" yet (${status}), so no pull request was opened. The commits are on the branch. Send a message to open the pull request later.${said === '' ? '' : ` It says: ${said}`}`,
    { mayPass: true },
  );
}

/** A merge that the host does not do. @param said its own words */
export function mergeRefusal(host: string, said: string, isConflict: boolean): HostMerge {
  const reason = `${host} does not merge it: ${said.slice(0, 300)}`;
  return { refused: isConflict ? 'merge_conflict' : 'merge_refused', reason };
}

/** The problem that an unexpected answer indicates. */
export function answerProblem(answer: FailedAnswer): HostProblem {
  const { doing, host, status, message } = answer;
  // A proxy's HTML page is not worth quoting.
  const said = message.trimStart().startsWith('<') ? '' : quoteServer(message);
  const quoted = said === '' ? '' : ` It says: ${said}`;
  const pause = pauseOf(answer);
  if (pause !== null) {
    return new HostProblem(
      'host_rate_limited',
      `The rate limit of ${host} is reached. It accepts requests again in ${Math.ceil(pause / 1_000)} seconds.${quoted}`,
      { retryAfterMs: pause },
    );
  }
  if (status === 401) {
    return new HostProblem(
      'host_unauthorized',
      `${host} does not accept the credential (401). It is wrong, expired or revoked. Set a new one with \`docent host update\`.${quoted}`,
    );
  }
  if (status === 403) {
    return new HostProblem(
      'host_forbidden',
      `The credential may not ${doing} on ${host} (403). Run \`docent host check\` to see what it lacks.${quoted}`,
    );
  }
  if (status === 404 || status === 410) {
    return new HostProblem(
      'repository_missing',
      `${host} has no such repository for this credential (${status}), to ${doing}. It was moved or ` +
        `deleted, or the credential cannot see it.${quoted}`,
    );
  }
  if (status === 408 || status === 409 || status >= 500) {
    const retryAfterMs = retryAfter(answer) ?? undefined;
    return new HostProblem('host_unavailable', `${host} failed to ${doing} (${status}).${quoted}`, { retryAfterMs });
  }
  return new HostProblem('host_refused', `${host} refused to ${doing} (${status}).${quoted}`);
}

/**
 * A rate limit's pause in milliseconds; null for other answers. Primary limits name their reset, secondary
 * ones (403, 429) a pause or nothing.
 */
function pauseOf(answer: FailedAnswer): number | null {
  const { status, headers, message } = answer;
  // GitHub's limit on how fast content is made looks like a failed validation.
  if (status === 422 && /submitted too quickly/i.test(message)) return retryAfter(answer) ?? DEFAULT_PAUSE_MS;
  if (status !== 403 && status !== 429) return null;
  const requestedMs = retryAfter(answer);
  if (requestedMs !== null) return requestedMs;
  const remaining = headers.get('x-ratelimit-remaining') ?? headers.get('ratelimit-remaining');
  const reset = Number(headers.get('x-ratelimit-reset') ?? headers.get('ratelimit-reset'));
  if (remaining === '0' && reset > 0) return Math.max(1_000, reset * 1_000 - Date.now());
  return status === 429 || /rate limit|abuse detection/i.test(message) ? DEFAULT_PAUSE_MS : null;
}

/** `Retry-After` in seconds or as a date (RFC 9110, 10.2.3), in milliseconds. */
export function retryAfter({ headers }: Pick<FailedAnswer, 'headers'>): number | null {
  const ms = retryAfterMs(headers.get('retry-after'));
  return ms === null ? null : Math.max(1_000, ms);
}
