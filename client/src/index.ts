import createClient, { type Client } from 'openapi-fetch';
import type { components, paths } from './generated/openapi.ts';

export type { components, operations, paths } from './generated/openapi.ts';

/** An agent job, as the API shows it. */
export type Job = components['schemas']['Job'];
/** What every error answers: a sentence, a stable code, and the request's id. */
export type ApiError = components['schemas']['Error'];

export type DocentClient = Client<paths>;

export interface DocentClientOptions {
  /** Where the API is, e.g. `http://127.0.0.1:4000`. */
  baseUrl: string;
  /** An API key, or the operator token. A server-side secret: never ship it to browsers of people who must not have it. */
  apiKey: string;
  /** Instead of the platform's own. */
  fetch?: (request: Request) => Promise<Response>;
}

/**
 * A typed client for every operation. Calls resolve to `{ data, error, response }`: they reject only where no answer came.
 */
export function createDocentClient({ baseUrl, apiKey, fetch }: DocentClientOptions): DocentClient {
  return createClient<paths>({
    baseUrl: baseUrl.replace(/\/+$/, ''),
    headers: { Authorization: `Bearer ${apiKey}` },
    ...(fetch ? { fetch } : {}),
  });
}
