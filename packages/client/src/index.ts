import createClient, { type Client, type ClientOptions } from 'openapi-fetch';
import type { components, operations, paths } from './generated/openapi.ts';

export type { components, operations, paths };
export {
  followJob,
  FollowRefused,
  FollowUnreachable,
  type FollowJobOptions,
  type JobStreamEvent,
} from './follow-job.ts';
export { readDiff, type Diff, type DiffFile, type DiffHunk, type DiffLine } from './diff.ts';
export { WEBHOOK_EVENTS, type WebhookEvent } from './webhook-events.ts';
export { items, PageRefused, pages, type ItemOf, type PagedRoute, type PageOf } from './pages.ts';

type Schemas = components['schemas'];
export type Job = Schemas['Job'];
export type JobStatus = Schemas['JobStatus'];
export type JobEvent = Schemas['JobEvent'];
export type JobDiff = Schemas['JobDiff'];
export type Project = Schemas['Project'];
export type NewProject = Schemas['NewProject'];
export type ProjectChange = Schemas['ProjectChange'];
export type Key = Schemas['Key'];
export type CreatedKey = Schemas['CreatedKey'];
export type NewKey = Schemas['NewKey'];
export type KeyScope = Schemas['KeyScope'];
/** The body of every error. */
export type ApiError = Schemas['Error'];
export type ErrorCode = Schemas['ErrorCode'];

export type DocentClient = Client<paths, 'application/json'>;

export interface DocentClientOptions extends Omit<ClientOptions, 'baseUrl'> {
  /** The server's address, e.g. `http://127.0.0.1:4000`. A path prefix is kept. */
  baseUrl: string;
  /**
   * An API key, or the operator token. A secret: it does not belong in a page. Without it, a proxy must add
   * it.
   */
  apiKey?: string;
}

/**
 * A client of the Docent API: `client.GET('/v2/agent/{projectId}/job/{id}', { params: { path: { projectId, id
 * } } })`.
 *
 * Every call resolves to `{ data, error, response }`; API errors are in `error`. It only rejects without an
 * answer. Nothing is retried: send an `Idempotency-Key` with a POST to be able to repeat it.
 */
export function createDocentClient({ baseUrl, apiKey, headers, ...options }: DocentClientOptions): DocentClient {
  const client = createClient<paths, 'application/json'>({ ...options, baseUrl: baseUrl.replace(/\/+$/, ''), headers });
  if (apiKey !== undefined) {
    client.use({
      onRequest({ request }) {
        if (!request.headers.has('Authorization')) request.headers.set('Authorization', `Bearer ${apiKey}`);
      },
    });
  }
  return client;
}
