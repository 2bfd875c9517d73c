import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

/** A receiver of webhooks that checks each message, and refuses now and then. */
export class Receiver {
  /** How often each message was taken, by its id. */
  readonly taken = new Map<string, number>();
  /** Taken at least once, by type. */
  readonly types = new Map<string, number>();
  readonly wrong: string[] = [];
  refused = 0;
  readonly #server: Server;
  #secret: string | null = null;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<Receiver> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        response.statusCode = receiver.#take(
          Buffer.concat(chunks).toString(),
          request.headers as Record<string, string>,
        );
        response.end();
      });
    });
    const receiver = new Receiver(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook`;
  }

  expectSecret(secret: string): void {
    this.#secret = secret;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #take(body: string, headers: Record<string, string>): number {
    if (this.#secret === null) return 503;
    // One in twenty fails, as receivers do.
    if (Math.random() < 0.05) {
      this.refused += 1;
      return 500;
    }
    try {
      const { type } = new Webhook(this.#secret).verify(body, headers) as { type: string };
      const id = headers['webhook-id'] ?? '';
      const before = this.taken.get(id) ?? 0;
      this.taken.set(id, before + 1);
      if (before === 0) this.types.set(type, (this.types.get(type) ?? 0) + 1);
    } catch (err) {
      this.wrong.push(`${String(err)}: ${body.slice(0, 200)}`);
    }
    return 204;
  }
}
