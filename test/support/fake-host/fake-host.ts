import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { WorkFile } from '../git-fixture.ts';
import { runBackend } from '../git-http-server.ts';
import type { ApiDescription, Json, Operation } from './api-description.ts';
import { FakeRepository } from './fake-repository.ts';

/** What a credential may do at a fake host. */
export interface FakeToken {
  account: string;
  /** Of a classic GitHub token, or a GitLab or Gitea one. Absent: a fine-grained GitHub token. */
  scopes?: string[];
  contents: 'none' | 'read' | 'write';
  pulls: 'none' | 'read' | 'write';
}

export interface FakeRequest {
  method: string;
  /** Below the API's base. */
  path: string;
  query: URLSearchParams;
  body: Json;
  /** As sent: without `Bearer` and the like. */
  credential: string;
  token: FakeToken | null;
  /** What kind of answer is wanted. */
  accept: string;
  /** Of the host's description; makes answers that hold to it. */
  operation: Operation | null;
}

export interface FakeAnswer {
  status: number;
  /** A text is sent as it is, if the headers give its type. */
  body?: unknown;
  headers?: Record<string, string>;
}

/** One kind of code host. */
export interface FakeKind {
  name: 'github' | 'gitlab' | 'gitea';
  apiBase: string;
  /** Null if the host publishes none that can be had. */
  description: () => ApiDescription | null;
  /** The path as the description has it. */
  describedPath?(path: string): string;
  /** Who git's user and password are. */
  gitCredential(user: string, password: string): string | null;
  answer(request: FakeRequest, host: FakeHost): FakeAnswer;
  /** Whether its API gives answers an entity tag, and answers 304 to who has them. */
  tagsAnswers: boolean;
  /** Whether git is sent on from an old name, or served under it. */
  redirectsGit: boolean;
}

/** Makes requests go wrong. */
export interface Fault {
  /**
   * `GET /repos/acme/docs/pulls`, of the API below its base or of git: `POST
   * /acme/docs.git/git-receive-pack`.
   */
  on: RegExp;
  /** `after`: the request is carried out, and its answer lost. */
  when: 'before' | 'after';
  /** `hang` never answers, `reset` breaks the connection. */
  answer: FakeAnswer | 'hang' | 'reset';
  times: number;
}

/** A code host on this machine: one of the real API shapes, and real git over HTTP. */
export class FakeHost {
  readonly kind: FakeKind;
  readonly root = mkdtempSync(path.join(tmpdir(), 'docent-host-'));
  readonly repositories: FakeRepository[] = [];
  readonly tokens = new Map<string, FakeToken>();
  /** Old paths that no one else has taken since, and whose they were. */
  readonly moved = new Map<string, FakeRepository>();
  #lastId = 0;
  readonly requests: string[] = [];
  /** Those of them that were answered with 304. */
  readonly unchanged: string[] = [];
  /** How requests or answers broke the host's own description. */
  readonly violations: string[] = [];
  readonly #faults: Fault[] = [];
  readonly #afterwards: { on: RegExp; left: number; act: () => void }[] = [];
  readonly #server: Server;
  url = '';

  private constructor(kind: FakeKind) {
    this.kind = kind;
    this.#server = createServer((request, response) => {
      this.#serve(request, response).catch((err: unknown) => {
        this.violations.push(`the fake broke: ${String((err as Error).stack)}`);
        response.writeHead(500).end();
      });
    });
  }

  static async start(kind: FakeKind): Promise<FakeHost> {
    const host = new FakeHost(kind);
    await new Promise<void>((resolve) => host.#server.listen(0, '127.0.0.1', resolve));
    host.url = `http://127.0.0.1:${(host.#server.address() as AddressInfo).port}`;
    return host;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    rmSync(this.root, { recursive: true, force: true, maxRetries: 5 });
  }

  addRepository(repositoryPath: string, files: Record<string, WorkFile>): FakeRepository {
    this.#lastId += 1;
    const repository = new FakeRepository(this.#lastId, repositoryPath, this.root, files);
    this.#take(repositoryPath);
    this.repositories.push(repository);
    return repository;
  }

  /** Or transfers it to another owner. */
  rename(repository: FakeRepository, to: string): void {
    this.#take(to);
    this.moved.set(repository.path, repository);
    repository.path = to;
  }

  /** As hosts do: an id that was given once is never given again. */
  delete(repository: FakeRepository): void {
    this.repositories.splice(this.repositories.indexOf(repository), 1);
    for (const [old, whose] of this.moved) if (whose === repository) this.moved.delete(old);
  }

  /** A repository that takes an old name ends its redirect. */
  #take(name: string): void {
    if (this.find(name)) throw new Error(`${name} is taken.`);
    this.moved.delete(name);
  }

  find(repositoryPath: string): FakeRepository | undefined {
    return this.repositories.find((repository) => repository.path === repositoryPath);
  }

  /** @returns the fault, whose `times` become fewer as requests meet it */
  fault(on: RegExp, fault: Partial<Fault> & Pick<Fault, 'answer'>): Readonly<Fault> {
    const made = { on, when: 'before' as const, times: 1, ...fault };
    this.#faults.push(made);
    return made;
  }

  /** Does something once the nth such request was answered, before any later one is. */
  after(on: RegExp, nth: number, act: () => void): void {
    this.#afterwards.push({ on, left: nth, act });
  }

  #actAfter(line: string): void {
    for (const one of this.#afterwards) {
      if (!one.on.test(line)) continue;
      one.left -= 1;
      if (one.left === 0) one.act();
    }
  }

  #faultFor(line: string, when: Fault['when']): Fault | undefined {
    const found = this.#faults.find((fault) => fault.times > 0 && fault.when === when && fault.on.test(line));
    if (found) found.times -= 1;
    return found;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.url);
    const isApi = url.pathname.startsWith(`${this.kind.apiBase}/`);
    const shown = isApi ? url.pathname.slice(this.kind.apiBase.length) : url.pathname;
    const line = `${request.method} ${shown}${url.search}`;
    this.requests.push(line);
    response.once('close', () => this.#actAfter(line));
    const early = this.#faultFor(line, 'before');
    if (early) return fail(request, response, early.answer);
    if (!isApi) return this.#serveGit(request, response, url, this.#faultFor(line, 'after'));
    const answer = await this.#answerApi(request, url, shown);
    const late = this.#faultFor(line, 'after');
    if (late) return fail(request, response, late.answer);
    if (this.kind.tagsAnswers && request.method === 'GET' && answer.status === 200) {
      const etag = `W/"${createHash('sha256').update(JSON.stringify(answer.body)).digest('hex')}"`;
      const isKnown = request.headers['if-none-match'] === etag;
      if (isKnown) this.unchanged.push(line);
      const headers = { ...answer.headers, etag };
      return send(response, isKnown ? { status: 304, headers } : { ...answer, headers });
    }
    send(response, answer);
  }

  async #answerApi(request: IncomingMessage, url: URL, shown: string): Promise<FakeAnswer> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    if (text !== '' && !request.headers['content-type']?.startsWith('application/json')) {
      // As Gitea says it; GitHub and GitLab read something else than JSON.
      return { status: 422, body: { message: 'Empty Content-Type' } };
    }
    const body = text === '' ? undefined : JSON.parse(text);
    const description = this.kind.description();
    const operation = description?.find(request.method ?? '', this.kind.describedPath?.(shown) ?? shown) ?? null;
    const name = `${request.method} ${shown}`;
    // GitHub sends renamed repositories on to addresses by id, which its description does not have.
    const isById = shown.startsWith('/repositories/');
    // Of GitHub's description the tests keep a part, which was recorded before these were asked for.
    const isUnrecorded =
      /\/(commits\/[0-9a-f]{40}\/(check-runs|status)|collaborators\/.+|hooks|issues\/.*(comments|reactions).*)$/.test(
        shown,
      ) && this.kind.name === 'github';
    if (description && !operation && !isById && !isUnrecorded)
      this.violations.push(`${name}: there is no such operation`);
    for (const problem of operation?.requestProblems(url.searchParams, body) ?? [])
      this.violations.push(`${name}: ${problem}`);
    const header = request.headers['private-token'] ?? request.headers.authorization ?? '';
    const credential = String(header).replace(/^(bearer|token|basic) /i, '');
    const answer = this.kind.answer(
      {
        method: request.method ?? '',
        path: shown,
        query: url.searchParams,
        body,
        credential,
        token: this.tokens.get(credential) ?? null,
        accept: request.headers.accept ?? '',
        operation,
      },
      this,
    );
    // 401 and redirects of renamed repositories are said of all operations at once; the descriptions leave
    // them out.
    if (operation && ![301, 307, 401].includes(answer.status) && typeof answer.body !== 'string') {
      for (const problem of operation.answerProblems(answer.status, answer.body))
        this.violations.push(`${name}: ${problem}`);
    }
    return answer;
  }

  #serveGit(request: IncomingMessage, response: ServerResponse, url: URL, late: Fault | undefined): void {
    const [, given = '', rest = ''] = /^\/(.+?)(?:\.git)?(\/(?:info\/refs|git-[a-z]+-pack))$/.exec(url.pathname) ?? [];
    const target = this.moved.get(given);
    if (target && this.kind.redirectsGit) {
      response.writeHead(301, { location: `${this.url}/${target.path}.git${rest}${url.search}` }).end();
      return;
    }
    const [user = '', password = ''] = basicOf(request.headers.authorization);
    const token = this.tokens.get(this.kind.gitCredential(user, password) ?? '');
    const repository = target ?? this.find(given);
    const isPush = url.search.includes('git-receive-pack') || rest === '/git-receive-pack';
    if (!token) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="fake"' }).end();
    } else if (!repository || token.contents === 'none') {
      response.writeHead(404).end();
    } else if (isPush && (token.contents !== 'write' || repository.archived)) {
      response.writeHead(403).end('Write access to repository not granted.');
    } else {
      request.url = `/${repository.id}.git${rest}${url.search}`;
      if (late) answerLost(this.root, request, response, late.answer);
      else runBackend(this.root, request, response);
    }
  }
}

/** Lets git do its work and throws the answer away. */
function answerLost(root: string, request: IncomingMessage, response: ServerResponse, answer: Fault['answer']): void {
  const swallowed = new Proxy(response, {
    get(target, name) {
      if (name === 'write' || name === 'setHeader' || name === 'writeHead') return () => true;
      if (name === 'end') return () => fail(request, target, answer);
      const value = Reflect.get(target, name) as unknown;
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  runBackend(root, request, swallowed);
}

function fail(request: IncomingMessage, response: ServerResponse, answer: Fault['answer']): void {
  request.resume();
  if (answer === 'hang') return;
  if (answer === 'reset') request.socket.destroy();
  else send(response, answer);
}

function send(response: ServerResponse, { status, body, headers }: FakeAnswer): void {
  const isText = typeof body === 'string' && headers?.['content-type'] !== undefined;
  const text = body === undefined ? '' : isText ? body : JSON.stringify(body);
  response.writeHead(status, {
    ...(text === '' ? {} : { 'content-type': 'application/json; charset=utf-8' }),
    ...headers,
  });
  response.end(text);
}

function basicOf(header: string | undefined): string[] {
  const encoded = /^Basic (.+)$/.exec(header ?? '')?.[1];
  return encoded ? Buffer.from(encoded, 'base64').toString().split(/:(.*)/s) : [];
}
