import type { Client, ParamsOption } from 'openapi-fetch';
import type { components, paths } from './generated/openapi.ts';

type QueryOf<Route extends keyof paths> = paths[Route] extends { get: { parameters: { query?: infer Query } } }
  ? NonNullable<Query>
  : never;

/** A route with pages by `cursor` or by `offset`. */
export type PagedRoute = {
  [Route in keyof paths]: QueryOf<Route> extends never
    ? never
    : Extract<keyof QueryOf<Route>, 'cursor' | 'offset'> extends never
      ? never
      : Route;
}[keyof paths];

type Operation<Route extends PagedRoute> = NonNullable<paths[Route]['get']>;

/** One page: the body of an answer. */
export type PageOf<Route extends PagedRoute> =
  Operation<Route> extends { responses: { 200: { content: { 'application/json': infer Body } } } } ? Body : never;

/** One entry of a page's list. */
export type ItemOf<Route extends PagedRoute> = {
  [Name in keyof PageOf<Route>]: PageOf<Route>[Name] extends readonly (infer Item)[] ? Item : never;
}[keyof PageOf<Route>];

type PageOptions = { signal?: AbortSignal; headers?: HeadersInit };
/** The options of `client.GET`. `params` is optional if none is required. */
type Options<Route extends PagedRoute> =
  object extends ParamsOption<Operation<Route>>
    ? [options?: ParamsOption<Operation<Route>> & PageOptions]
    : [options: ParamsOption<Operation<Route>> & PageOptions];

/** The server answered with an error instead of a page. */
export class PageRefused extends Error {
  readonly status: number;
  readonly body: components['schemas']['Error'] | undefined;

  constructor(message: string, status: number, body: components['schemas']['Error'] | undefined) {
    super(message);
    this.name = 'PageRefused';
    this.status = status;
    this.body = body;
  }
}

/** The common fields of all pages. */
interface Page {
  nextCursor?: string | null;
  hasMore?: boolean;
  version?: string;
}
type Get = (
  route: string,
  options: PageOptions & { params: { query: Record<string, unknown> } },
) => Promise<{ data?: Page; error?: components['schemas']['Error']; response: Response }>;

/**
 * The pages of a list, from the one at `cursor` or `offset` to the last one. Each is requested when it is
 * needed; `limit` is its size. Pages by `offset` have one `version`, so that no entry is missing or repeated.
 * Nothing is retried.
 * @throws PageRefused for an error answer
 */
export async function* pages<Route extends PagedRoute>(
  client: Pick<Client<paths, 'application/json'>, 'GET'>,
  route: Route,
  ...[options]: Options<Route>
): AsyncGenerator<PageOf<Route>, void, undefined> {
  const get = client.GET as unknown as Get;
  const params: { query?: Record<string, unknown> } | undefined = options?.params;
  let query: Record<string, unknown> | null = { ...params?.query };
  while (query !== null) {
    const { data, error, response } = await get(route, { ...options, params: { ...params, query } });
    if (data === undefined) {
      const reason = error?.error ?? `The server answered with status ${response.status}.`;
      throw new PageRefused(reason, response.status, error);
    }
    yield data as PageOf<Route>;
    query = queryAfter(query, data);
  }
}

/**
 * The entries of a list, over all of its pages: see {@link pages}.
 * @throws PageRefused for an answer that is an error
 */
export async function* items<Route extends PagedRoute>(
  client: Pick<Client<paths, 'application/json'>, 'GET'>,
  route: Route,
  ...options: Options<Route>
): AsyncGenerator<ItemOf<Route>, void, undefined> {
  for await (const page of pages(client, route, ...options)) yield* listIn(page as Page) as ItemOf<Route>[];
}

/** Null after the last page. */
function queryAfter(query: Record<string, unknown>, page: Page): Record<string, unknown> | null {
  if (typeof page.nextCursor === 'string') return { ...query, cursor: page.nextCursor };
  const { length } = listIn(page);
  if (page.version === undefined || !page.hasMore || length === 0) return null;
  return { ...query, offset: Number(query.offset ?? 0) + length, version: page.version };
}

/** Each page has one list. */
function listIn(page: Page): unknown[] {
  return Object.values(page).find((value) => Array.isArray(value)) ?? [];
}
