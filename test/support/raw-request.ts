import { connect, type Socket } from 'node:net';
import { patienceMs } from './patience.ts';

/** A request over a bare socket, sent as slowly and as badly as a test likes. */
export class RawRequest {
  readonly socket: Socket;
  #received = '';
  readonly #closed: Promise<void>;
  isClosed = false;

  constructor(url: string) {
    const { hostname, port } = new URL(url);
    this.socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    this.socket.on('data', (chunk: Buffer) => (this.#received += chunk.toString()));
    this.socket.on('error', () => {}); // What matters is what came before it.
    this.#closed = new Promise((resolve) =>
      this.socket.once('close', () => {
        this.isClosed = true;
        resolve();
      }),
    );
    // The other side has nothing more to say.
    this.socket.once('end', () => this.socket.end());
  }

  /** The request line and headers of a body that comes in chunks. */
  begin(path: string, headers: Record<string, string>): this {
    const all = { Host: '127.0.0.1', 'Transfer-Encoding': 'chunked', ...headers };
    const names = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    this.socket.write(`POST ${path} HTTP/1.1\r\n${names.join('')}\r\n`);
    return this;
  }

  chunk(body: string | Buffer): this {
    const bytes = Buffer.from(body);
    this.socket.write(`${bytes.length.toString(16)}\r\n`);
    this.socket.write(bytes);
    this.socket.write('\r\n');
    return this;
  }

  end(): this {
    this.socket.write('0\r\n\r\n');
    return this;
  }

  /** What was received so far. */
  get received(): string {
    return this.#received;
  }

  /** The whole answer, as soon as it is there, even while the connection stays open. */
  async answer(withinMs = patienceMs()): Promise<{ status: number; headers: string; json: Record<string, unknown> }> {
    const deadline = performance.now() + withinMs;
    for (;;) {
      const [headers = '', body] = this.#received.split('\r\n\r\n');
      const length = Number(/^content-length: (\d+)/im.exec(headers)?.[1] ?? NaN);
      if (body !== undefined && Buffer.byteLength(body) >= length) {
        return { status: Number(headers.split(' ')[1]), headers, json: JSON.parse(body) as Record<string, unknown> };
      }
      if (this.isClosed || performance.now() > deadline) {
        throw new Error(`No answer came, ${this.isClosed ? 'the connection is closed' : 'still'}: ${this.#received}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** When the server, or both, have closed the connection. */
  closed(): Promise<void> {
    return this.#closed;
  }
}
