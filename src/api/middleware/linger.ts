import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { Context } from 'koa';

/** How long the rest of a request that was answered already is taken in. */
const LINGER_MS = 5_000;

/**
 * Sees to a request that was answered before all of it had come. The caller is told that the connection ends,
 * but it is closed only when the rest was taken in, or after a few seconds: whoever is reset while sending
 * never sees the answer (RFC 9112, 9.6).
 */
export function lingerForRest(ctx: Context): void {
  const { req, body } = ctx;
  if (req.complete) return;
  ctx.set('Connection', 'close');
  req.resume();
  const rest = restOf(req);
  if (typeof body !== 'string' && !Buffer.isBuffer(body)) return;
  const { length } = ctx;
  // All of the answer goes out now; its end, with which Node closes the connection, comes later.
  ctx.body = Readable.from(answerUntil(body, rest));
  if (length !== undefined) ctx.length = length;
}

async function* answerUntil(body: string | Buffer, end: Promise<void>): AsyncGenerator<Buffer> {
  yield Buffer.from(body);
  await end;
}

/** Resolves when the request has ended, in whichever way; one that goes on for too long is ended. */
function restOf(req: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      req.socket?.destroy();
      resolve();
    }, LINGER_MS);
    const done = () => {
      clearTimeout(timer);
      resolve();
    };
    req.once('end', done);
    req.once('close', done);
  });
}
