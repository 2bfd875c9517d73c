import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type Koa from 'koa';
import { AppError, type ErrorCode } from '../platform/errors.ts';
import { errorBody } from './contract/error-body.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { hostInUrl } from '@docent/base/net/ip-address';
import { DRAINING, LEAVING } from './app.ts';

/** How long a client may take to send its headers. */
const HEADERS_MS = 10_000;
/** Longer than the usual 60 s of proxies, so that the proxy is the one to close. */
const KEEP_ALIVE_MS = 65_000;
const DEADLINE_MS = 10_000;

export interface ListeningServer {
  /** The actual port, even if 0 was requested. */
  readonly port: number;
  /** Its address, e.g. `http://127.0.0.1:4000`. */
  readonly url: string;
  /**
   * Makes `/readyz` return 503 for `drainMs` while everything else is served as before, so that load
   * balancers notice; `hurry` ends that early. Then stops taking connections, waits for running requests, and
   * closes the rest at the deadline (default 10 s). Safe to call more than once.
   */
  close(options?: { drainMs?: number; hurry?: AbortSignal; deadlineMs?: number }): Promise<void>;
}

/**
 * Serves the app. Rejects with `EADDRINUSE`, `EACCES`.
 * @param at.headersMs time for a client's headers
 * @param at.homePath the first page, as browsers see it
 */
export async function listen(
  app: Koa,
  at: { host: string; port: number; headersMs?: number; homePath?: () => string },
): Promise<ListeningServer> {
  const { headersMs = HEADERS_MS, homePath = () => '/' } = at;
  const serve = app.callback();
  /** The last request on a connection. */
  const served = new WeakMap<Duplex, { req: IncomingMessage; res: ServerResponse; isBroken?: boolean }>();
  const server = createServer(
    {
      headersTimeout: headersMs,
      // Body readers have their own time limits: a stream of events may last for hours.
      requestTimeout: 0,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: Math.min(2_000, headersMs / 4),
    },
    (req, res) => {
      served.set(req.socket, { req, res });
      void serve(req, res);
    },
  );
  server.on('clientError', (err: Error & { code?: string }, socket) => {
    const current = served.get(socket);
    if (!current || current.req.complete || err.code === 'ECONNRESET')
      return answerBrokenRequest(err, socket, homePath());
    const { req, res, isBroken } = current;
    current.isBroken = true;
    // The body reader answers, with the work done before the failure.
    if (req.listenerCount('error') > 0) req.emit('error', err);
    else if (res.headersSent) socket.destroy();
    else if (!isBroken) answerBrokenRequest(err, socket, homePath());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(at.port, at.host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : at.port;
  let closing: Promise<void> | undefined;
  return {
    port,
    url: `http://${hostInUrl(at.host)}:${port}`,
    close: ({ drainMs = 0, hurry, deadlineMs = DEADLINE_MS } = {}) => {
      app.emit(LEAVING);
      closing ??= leave(drainMs, hurry).then(() => {
        app.emit(DRAINING);
        return drain(server, deadlineMs);
      });
      return closing;
    },
  };
}

async function leave(drainMs: number, hurry: AbortSignal | undefined): Promise<void> {
  if (drainMs <= 0 || hurry?.aborted) return;
  await sleep(drainMs, undefined, { signal: hurry }).catch((err: unknown) => {
    if (!hurry?.aborted) throw err;
  });
}

async function drain(server: Server, deadlineMs: number): Promise<void> {
  const deadline = setTimeout(() => server.closeAllConnections(), deadlineMs);
  try {
    await new Promise<void>((resolve) => {
      // Closes idle connections too; answers on the others carry "Connection: close".
      server.close(() => resolve());
    });
  } finally {
    clearTimeout(deadline);
  }
}

const BROKEN: Record<string, { status: string; code: ErrorCode; error: string }> = {
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    code: 'bad_request',
    error: 'The request line and headers have more than 16 KB.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: '408 Request Timeout',
    code: 'request_timeout',
    error: 'The request did not arrive in time.',
  },
};

/** Invalid HTTP never becomes a request; it gets the same envelope. */
function answerBrokenRequest(err: Error & { code?: string }, socket: Duplex, homePath: string): void {
  if (err.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, code, error } = BROKEN[err.code ?? ''] ?? {
    status: '400 Bad Request',
    code: 'bad_request',
    error: 'This is not a well-formed HTTP request.',
  };
  const requestId = randomUUID();
  const body = JSON.stringify(errorBody(new AppError(code, error), requestId, homePath));
  socket.end(
    [
      `HTTP/1.1 ${status}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${requestId}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
