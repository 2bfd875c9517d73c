import { createDocentClient } from '@docent/client';
import { BASE } from '../shell/address.ts';
import { connection } from './connection.ts';
import { Problem, problemOfAnswer } from './problem.ts';
import { session } from './session.ts';
import { sharedToken } from './shared-token.ts';

const GATEWAY = new Set([502, 503, 504]);
const SIGNS = /\/v1\/sign-(?:in|out)$/;
const hearers = new Set<() => void>();

/** Calls when this tab has signed in or out. */
export function onSignInOrOut(hear: () => void): void {
  hearers.add(hear);
}

/** The generated client for this server. The browser's cookie authenticates it. */
export const api = createDocentClient({
  baseUrl: new URL(BASE, location.origin).href,
  credentials: 'same-origin',
  fetch: async (request) => {
    if (sharedToken.current !== null) request.headers.set('Authorization', `Bearer ${sharedToken.current}`);
    let response = await answerTo(request);
    // A server that runs twice may have lost one of the two: reading again does no harm.
    if (!response && request.method === 'GET' && !connection.isLost.peek()) response = await answerTo(request);
    if (response) return response;
    if (connection.isLost.peek())
      throw new Problem('The server cannot be reached. Nothing that you typed is lost.', { code: 'unreachable' });
    throw new Problem('The server did not answer this request. Nothing that you typed is lost. Try again.', {
      code: 'unanswered',
    });
  },
});

/**
 * Null without an answer; then `connection` says whether the server answers at all.
 * @throws what `fetch` throws when the request is aborted
 */
async function answerTo(request: Request): Promise<Response | null> {
  try {
    const response = await fetch(request);
    // A proxy answers for a server that is away; the server's own answers have an id.
    if (!GATEWAY.has(response.status) || response.headers.has('X-Request-Id')) {
      connection.reached();
      if (response.ok && request.method === 'POST' && SIGNS.test(request.url)) for (const hear of hearers) hear();
      return response;
    }
  } catch (thrown) {
    if (request.signal.aborted) throw thrown;
  }
  await connection.check();
  request.signal.throwIfAborted();
  return null;
}

/**
 * The answer of an `api` call.
 * @throws Problem for an error answer, or no answer
 */
export async function answerOf<T>(call: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<T> {
  const { data, error, response } = await call;
  if (response.ok) return data as T;
  const problem = problemOfAnswer(error, response);
  if (response.status !== 401 || session.caller.peek() === null || SIGNS.test(response.url)) throw problem;
  session.ended();
  throw new Problem('Your session has ended. Sign in again.', { code: 'session_ended', status: 401 });
}

/** The same with the tag of the state, to send with a change: other people's changes are not overwritten. */
export async function taggedAnswerOf<T>(call: Parameters<typeof answerOf<T>>[0]): Promise<{ data: T; tag: string }> {
  const data = await answerOf(call);
  return { data, tag: (await call).response.headers.get('ETag') ?? '' };
}

/**
 * A new `Idempotency-Key`: one per action of a person, so that a repeat after a lost answer does not do it
 * twice.
 */
export function onceKey(): string {
  return crypto.randomUUID();
}
