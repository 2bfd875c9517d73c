import { spawn } from 'node:child_process';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface GitHttpServer {
  /** `http://127.0.0.1:<port>`, without a slash at its end; repositories are at `/<path below the root>`. */
  url: string;
  /** What was asked so far: method, path with query, and headers. */
  requests: { method: string; path: string; headers: IncomingMessage['headers'] }[];
  /** Takes a request instead of git: answer it and return true. */
  intercept: ((request: IncomingMessage, response: ServerResponse) => boolean) | null;
  close: () => Promise<void>;
}

/** Serves the repositories below a folder with the real `git http-backend`, pushes included. */
export async function startGitHttpServer(root: string): Promise<GitHttpServer> {
  const server: Server = createServer((request, response) => {
    serving.requests.push({ method: request.method ?? '', path: request.url ?? '', headers: request.headers });
    if (!serving.intercept?.(request, response)) runBackend(root, request, response);
  });
  const serving: GitHttpServer = {
    url: '',
    requests: [],
    intercept: null,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  serving.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return serving;
}

/** One CGI call (RFC 3875). */
export function runBackend(root: string, request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? '/', 'http://host');
  const header = (name: string) => String(request.headers[name] ?? '');
  const backend = spawn('git', ['-c', 'http.receivepack=true', '-c', 'safe.directory=*', 'http-backend'], {
    env: {
      PATH: process.env.PATH ?? '',
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_PROTOCOL: header('git-protocol'),
      PATH_INFO: decodeURIComponent(url.pathname),
      QUERY_STRING: url.search.slice(1),
      REQUEST_METHOD: request.method ?? 'GET',
      CONTENT_TYPE: header('content-type'),
      CONTENT_LENGTH: header('content-length'),
      HTTP_CONTENT_ENCODING: header('content-encoding'),
      REMOTE_USER: 'test',
      REMOTE_ADDR: '127.0.0.1',
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  backend.stdin.on('error', () => {});
  request.pipe(backend.stdin);
  response.on('close', () => backend.kill());
  let head: Buffer | null = Buffer.alloc(0);
  backend.stdout.on('data', (chunk: Buffer) => {
    if (head === null) {
      response.write(chunk);
      return;
    }
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf('\r\n\r\n');
    if (end === -1) return;
    let status = 200;
    for (const line of head.toString('latin1', 0, end).split('\r\n')) {
      const [name = '', value = ''] = line.split(/: ?(.*)/s);
      if (name.toLowerCase() === 'status') status = parseInt(value, 10);
      else response.setHeader(name, value);
    }
    response.writeHead(status);
    response.write(head.subarray(end + 4));
    head = null;
  });
  backend.on('close', () => {
    if (head !== null && !response.headersSent) response.writeHead(500);
    response.end();
  });
}
