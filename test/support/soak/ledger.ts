import { spec, type Method } from '../../../src/api/contract/spec.ts';

/** One request of a soak, as the contract knows it. */
export interface Call {
  method: Method;
  /** As in the contract: `/v2/agent/{projectId}/job/{id}`. */
  route: string;
  path?: Record<string, string>;
  query?: Record<string, string | number | boolean | undefined>;
  headers?: Record<string, string>;
  /** Sent as JSON, bytes as they are. */
  body?: unknown;
  /** Instead of the operator's token. */
  token?: string;
  /** What it may be answered with in calm weather. */
  expect: readonly number[];
}

/** Every answer of a soak: which the contract does not know, and which no one expected. */
export class Ledger {
  readonly undocumented: string[] = [];
  readonly unexpected: string[] = [];
  /** Answers by operation and status. */
  readonly answers = new Map<string, number>();
  readonly #urls: readonly string[];
  readonly #token: string;
  #turn = 0;

  constructor(urls: readonly string[], token: string) {
    this.#urls = urls;
    this.#token = token;
  }

  get total(): number {
    return [...this.answers.values()].reduce((sum, n) => sum + n, 0);
  }

  /** The API whose turn it is. */
  get url(): string {
    return this.#urls[this.#turn++ % this.#urls.length] ?? '';
  }

  /** Writes down what is not an answer but is wrong anyway. */
  wrong(sentence: string): void {
    this.unexpected.push(sentence);
  }

  /** Sends it to one API after the other, and writes the answer down. The body is left to the caller. */
  async send(call: Call, signal: AbortSignal = AbortSignal.timeout(30_000)): Promise<Response> {
    const { method, route, body } = call;
    const isBytes = body instanceof Uint8Array;
    const response = await fetch(this.url + addressOf(call), {
      method: method.toUpperCase(),
      headers: {
        authorization: `Bearer ${call.token ?? this.#token}`,
        ...(body === undefined || isBytes ? {} : { 'content-type': 'application/json' }),
        ...call.headers,
      },
      ...(body === undefined ? {} : { body: isBytes ? (body as BodyInit) : JSON.stringify(body) }),
      redirect: 'manual',
      signal,
    });
    const operation = spec.paths[route]?.[method];
    const name = `${operation?.operationId ?? `${method} ${route}`} ${response.status}`;
    this.answers.set(name, (this.answers.get(name) ?? 0) + 1);
    if (!operation?.responses[String(response.status)]) this.undocumented.push(`${name}: ${await peek(response)}`);
    if (!call.expect.includes(response.status)) this.unexpected.push(`${name}: ${await peek(response)}`);
    return response;
  }

  /** The same for an answer in JSON. @returns null if it was not among the expected ones */
  async ask<Answer>(call: Call): Promise<Answer | null> {
    const response = await this.send(call);
    const text = await response.text();
    return call.expect.includes(response.status) && text !== '' ? (JSON.parse(text) as Answer) : null;
  }
}

function addressOf({ route, path = {}, query = {} }: Call): string {
  const address = route.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''));
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
  return search.size === 0 ? address : `${address}?${search}`;
}

async function peek(response: Response): Promise<string> {
  return (await response.clone().text()).slice(0, 300);
}
