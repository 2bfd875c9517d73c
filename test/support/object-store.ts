import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  buildObjectStore,
  makeBucket,
  OBJECT_STORE,
  OBJECT_STORE_KEYS,
  objectStoreArgs,
} from '../../scripts/object-store.ts';
import { freePort } from './free-port.ts';

/** Whether tests of it can run: it is there, or can be built. In CI it must be. */
export const hasObjectStore = existsSync(OBJECT_STORE) || process.env.CI !== undefined || hasGo();

/** What becomes of a request on its way to the store; null for nothing. */
export type Fault = (request: { method: string; url: string }) => null | 'hang' | 'cut' | 'spoil' | number;

/** A real S3 server on a folder, and a proxy before it that can be asked to fail. */
export class ObjectStore {
  /** Where clients ask. */
  readonly url: string;
  readonly #folder: string;
  readonly #port: number;
  readonly #proxy: Server;
  #child: ChildProcess | null = null;
  fault: Fault = () => null;
  /** Requests that came, by method. */
  readonly seen: string[] = [];

  private constructor(folder: string, port: number, proxy: Server) {
    this.#folder = folder;
    this.#port = port;
    this.#proxy = proxy;
    this.url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  }

  static async start(): Promise<ObjectStore> {
    await buildObjectStore();
    Object.assign(process.env, OBJECT_STORE_KEYS, { AWS_EC2_METADATA_DISABLED: 'true' });
    const folder = await mkdtemp(path.join(tmpdir(), 'docent-objects-'));
    await makeBucket(folder);
    let store: ObjectStore | undefined;
    const proxy = createServer((from, to) => store?.pass(from, to));
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    store = new ObjectStore(folder, await freePort(), proxy);
    await store.up();
    return store;
  }

  async up(): Promise<void> {
    const at = `127.0.0.1:${this.#port}`;
    this.#child = spawn(OBJECT_STORE, objectStoreArgs(this.#folder, this.#port), {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    for (let tries = 0; tries < 200; tries += 1) {
      const isUp = await fetch(`http://${at}/`).then(
        () => true,
        () => false,
      );
      if (isUp) return;
      await sleep(50);
    }
    throw new Error('The object store does not answer.');
  }

  async down(): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (!child) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  async close(): Promise<void> {
    await this.down();
    this.#proxy.closeAllConnections();
    this.#proxy.close();
    await rm(this.#folder, { recursive: true, force: true });
  }

  pass(from: IncomingMessage, to: ServerResponse): void {
    const { method = '', url = '' } = from;
    this.seen.push(`${method} ${url}`);
    const fault = this.fault({ method, url });
    if (fault === 'hang') return;
    if (fault === 'cut') {
      from.socket.destroy();
      return;
    }
    if (typeof fault === 'number') {
      from.resume();
      const body = `<Error><Code>${fault === 403 ? 'AccessDenied' : 'InternalError'}</Code><Message>told to</Message></Error>`;
      from.once('end', () => to.writeHead(fault, { 'content-type': 'application/xml' }).end(body));
      return;
    }
    const onward = request(
      { host: '127.0.0.1', port: this.#port, method, path: url, headers: from.headers },
      (answer) => {
        to.writeHead(answer.statusCode ?? 500, answer.headers);
        if (fault !== 'spoil') return answer.pipe(to);
        answer.on('data', (chunk: Buffer) => {
          const spoilt = Buffer.from(chunk);
          spoilt[spoilt.length >> 1]! ^= 1;
          to.write(spoilt);
        });
        answer.on('end', () => to.end());
        return undefined;
      },
    );
    onward.on('error', () => to.destroy());
    from.pipe(onward);
  }
}

function hasGo(): boolean {
  try {
    execFileSync('go', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
