import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { LookupAddress } from 'node:dns';
import type { AddressInfo } from 'node:net';
import { createGuardedFetch, type GuardedFetch } from '@docent/base/net/guarded-fetch';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A real web server of this machine, which replaces all servers of the internet: each name leads to it. */
export class WebServer {
  /** Of each request: method, name of the server, path, and when it came. Milliseconds. */
  readonly asked: { method: string; host: string; path: string; at: number; headers: IncomingMessage['headers'] }[] =
    [];
  /** How many were under way at once, at most: of all, and by server. */
  readonly atOnce = new Map<string, number>();
  readonly #open = new Map<string, number>();
  readonly #server: Server;
  readonly #pages: Record<string, Answer | number>;

  private constructor(pages: Record<string, Answer | number>) {
    this.#pages = pages;
    this.#server = createServer((request, response) => this.#answer(request, response));
  }

  /** @param pages answers, or statuses, by path; all others are 404 */
  static async start(pages: Record<string, Answer | number>): Promise<WebServer> {
    const web = new WebServer(pages);
    await new Promise<void>((resolve) => web.#server.listen(0, '127.0.0.1', resolve));
    return web;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** The address of a page at a server of this name. */
  at(path: string, host = 'docs.acme.dev'): string {
    return `http://${host}:${this.port}${path}`;
  }

  /**
   * Reaches this server alone. Names that begin with `gone` are unknown, and `inside` is in a private
   * network.
   */
  get fetch(): GuardedFetch {
    return createGuardedFetch({
      allowed: ['127.0.0.1'],
      timeoutMs: null,
      maxBytes: null,
      resolve(hostname, callback) {
        if (hostname.startsWith('gone')) {
          callback(Object.assign(new Error(`getaddrinfo ENOTFOUND ${hostname}`), { code: 'ENOTFOUND' }), []);
          return;
        }
        const found: LookupAddress = { address: hostname.startsWith('inside') ? '10.1.2.3' : '127.0.0.1', family: 4 };
        callback(null, [found]);
      },
    });
  }

  /** `METHOD path`, in the order in which they came. */
  get lines(): string[] {
    return this.asked.map(({ method, path }) => `${method} ${path}`);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const { method = '', url = '', headers } = request;
    const host = (headers.host ?? '').replace(/:\d+$/, '');
    this.asked.push({ method, host, path: url, at: performance.now(), headers });
    for (const name of ['', host]) {
      const open = (this.#open.get(name) ?? 0) + 1;
      this.#open.set(name, open);
      this.atOnce.set(name, Math.max(open, this.atOnce.get(name) ?? 0));
      response.on('close', () => this.#open.set(name, this.#open.get(name)! - 1));
    }
    const answer = this.#pages[url] ?? 404;
    if (typeof answer === 'number') response.writeHead(answer).end('a body');
    else answer(request, response);
  }
}

export const redirect =
  (status: number, location: string): Answer =>
  (_request, response) =>
    void response.writeHead(status, { location }).end();
