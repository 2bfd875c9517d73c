import type { DocentClient } from '../../packages/client/src/index.ts';
import { startReceiver } from './webhook-receiver.ts';

/**
 * Stands for the address of the docs' reader, and makes what the docs name: a webhook, and a delivery of it.
 */
export class DocsWebhooks {
  readonly #receiver: Awaited<ReturnType<typeof startReceiver>>;

  private constructor(receiver: Awaited<ReturnType<typeof startReceiver>>) {
    this.#receiver = receiver;
  }

  static async start(): Promise<DocsWebhooks> {
    return new DocsWebhooks(await startReceiver());
  }

  close(): Promise<void> {
    return this.#receiver.close();
  }

  replaced(text: string): string {
    return text.replaceAll('https://example.com/hooks/docent', this.#receiver.url);
  }

  /** The variables of a shell that a block names; none if it names none. */
  async variablesFor(text: string, client: DocentClient, projectId: string): Promise<Record<string, string>> {
    if (!/\$(?:WEBHOOK|DELIVERY)_ID/.test(text)) return {};
    const params = { path: { projectId } };
    const { data: known } = await client.GET('/v1/projects/{projectId}/webhooks', { params });
    const webhookId = known?.webhooks[0]?.id ?? (await this.#add(client, projectId));
    const path = { projectId, webhookId };
    const { data } = await client.POST('/v1/projects/{projectId}/webhooks/{webhookId}/test', { params: { path } });
    return { WEBHOOK_ID: webhookId, DELIVERY_ID: data?.id ?? '' };
  }

  async #add(client: DocentClient, projectId: string): Promise<string> {
    const params = { path: { projectId } };
    const body = { url: this.#receiver.url };
    const { data, error } = await client.POST('/v1/projects/{projectId}/webhooks', { params, body });
    if (!data) throw new Error(`The webhook was refused: ${error.error}`);
    return data.id;
  }
}
