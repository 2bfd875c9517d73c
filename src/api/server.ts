import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type Koa from 'koa';
import type { ErrorCode } from '../errors.ts';
import { DRAINING } from './app.ts';

/** How long a client may take to send its headers, and its whole request. */
const HEADERS_MS = 10_000;
const REQUEST_MS = 60_000;
/** Longer than the usual 60 s of proxies, so that the proxy is the one to close. */
const KEEP_ALIVE_MS = 65_000;
const DEADLINE_MS = 10_000;

export interface ListeningServer {
  /** The port, also where 0 was asked for. */
  readonly port: number;
  /** Where it listens, e.g. `http://127.0.0.1:4000`. */
  readonly url: string;
  /**
   * Stops taking connections, lets requests that are being answered end, and closes what is left after the deadline (default 10 s).
   * May be called more than once.
   */
  close(options?: { deadlineMs?: number }): Promise<void>;
}

/** Serves the app. Rejects when the address cannot be had (`EADDRINUSE`, `EACCES`). */
export async function listen(app: Koa, at: { host: string; port: number }): Promise<ListeningServer> {
  const server = createServer(
    {
      headersTimeout: HEADERS_MS,
      requestTimeout: REQUEST_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: 2_000,
    },
    app.callback(),
  );
  server.on('clientError', answerBrokenRequest);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(at.port, at.host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const { port } = server.address() as AddressInfo;
  let closing: Promise<void> | undefined;
  return {
    port,
    url: `http://${at.host.includes(':') ? `[${at.host}]` : at.host}:${port}`,
    close: ({ deadlineMs = DEADLINE_MS } = {}) => {
      closing ??= drain(server, deadlineMs);
      app.emit(DRAINING);
      return closing;
    },
  };
}

async function drain(server: Server, deadlineMs: number): Promise<void> {
  const deadline = setTimeout(() => server.closeAllConnections(), deadlineMs);
  try {
    await new Promise<void>((resolve) => {
      // Closes idle connections too; the others are told "Connection: close" with their answers.
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

/** What is no HTTP never becomes a request; it gets the same envelope. */
function answerBrokenRequest(err: Error & { code?: string }, socket: Duplex): void {
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
  const body = JSON.stringify({ error, code, requestId });
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
