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
  readonly #refused = new Set<string>();
  readonly #server: Server;
  readonly #secrets: string[] = [];

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

  get refused(): number {
    return this.#refused.size;
  }

  /** From now on messages may be signed with this secret, too. */
  expectSecret(secret: string): void {
    this.#secrets.push(secret);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #take(body: string, headers: Record<string, string>): number {
    if (this.#secrets.length === 0) return 503;
    // One in twenty fails, as receivers do; once, as the pause after a second failure is longer than a soak
    // waits.
    const called = headers['webhook-id'] ?? '';
    if (Math.random() < 0.05 && !this.#refused.has(called)) {
      this.#refused.add(called);
      return 500;
    }
    try {
      const { type } = this.#verified(body, headers);
      const before = this.taken.get(called) ?? 0;
      this.taken.set(called, before + 1);
      if (before === 0) this.types.set(type, (this.types.get(type) ?? 0) + 1);
    } catch (err) {
      this.wrong.push(`${String(err)}: ${body.slice(0, 200)}`);
    }
    return 204;
  }

  /** @throws for a message that is signed with none of the secrets */
  #verified(body: string, headers: Record<string, string>): { type: string } {
    for (const secret of this.#secrets.slice(1)) {
      try {
        return new Webhook(secret).verify(body, headers) as { type: string };
      } catch {
        // Signed before it came.
      }
    }
    return new Webhook(this.#secrets[0] ?? '').verify(body, headers) as { type: string };
  }
}
