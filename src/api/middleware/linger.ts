import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { Context } from 'koa';

/** How long the rest of an answered request is read. */
const LINGER_MS = 5_000;

/**
 * Handles a request that is answered before it has arrived completely. The answer announces that the
 * connection closes, but it only closes after the rest was read, or after a few seconds: a sender whose
 * connection is reset never sees the answer (RFC 9112, 9.6).
 */
export function lingerForRest(ctx: Context): void {
  const { req, body } = ctx;
  if (req.complete) return;
  ctx.set('Connection', 'close');
  req.resume();
  const rest = restOf(req);
  if (typeof body !== 'string' && !Buffer.isBuffer(body)) return;
  const { length } = ctx;
  // Sends the whole answer now, and its end, at which Node closes the connection, later.
  ctx.body = Readable.from(answerUntil(body, rest));
  if (length !== undefined) ctx.length = length;
}

async function* answerUntil(body: string | Buffer, end: Promise<void>): AsyncGenerator<Buffer> {
  yield Buffer.from(body);
  await end;
}

/** Resolves when the request has ended in any way. Ends one that continues for too long. */
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
