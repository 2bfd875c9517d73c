import type { WebhookEvent } from './webhook-events.ts';

/**
 * What a job was created with beside its prompt, as `options` of its row holds it. Absent: as the project or the installation says.
 * What listings look at has columns of its own: title, model, base branch and metadata.
 */
export interface JobOptions {
  /** Whether its pull requests are drafts. */
  draft?: boolean;
  /** Who is told of it alone, without secrets: what is sent is in a row of `webhooks`. */
  webhook?: { url: string; events: WebhookEvent[] };
}

/** A client's own words about a job, told back as they were given. */
export type JobMetadata = Record<string, string>;
