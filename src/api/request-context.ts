import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import type { Quota } from '../platform/errors.ts';
import type { Logger } from '../platform/log.ts';
import type { AuditFacts } from './audit-trail.ts';
import type { Operation } from './contract/operations.ts';
import { callerOf } from './middleware/actor.ts';
import type { Principal } from './middleware/authenticate.ts';
import type { PersonPrincipal } from './middleware/sign-ins.ts';
import type { ApiServices } from './services.ts';

const EMPTY = Buffer.alloc(0);

/** One request, from its first middleware to its log line. Costly parts are computed on demand. */
export class RequestContext {
  readonly id: string;
  readonly startedAt = performance.now();
  operation: Operation | null = null;
  path: Readonly<Record<string, string>> = {};
  principal: Principal | null = null;
  idempotencyKey: string | null = null;
  /** The bytes of the body, or what else makes a request with an Idempotency-Key the same. */
  rawBody: Buffer = EMPTY;
  /** The job that a request without one in its path made. */
  createdJobId: string | null = null;
  /** The request's facts for the audit log. */
  readonly audit: AuditFacts = { id: null, createdId: null, sentFields: [], concerns: {} };
  /** The limit that the request counts against, and how much of it is left. */
  quota: Quota | null = null;
  /** The code of the error that it was answered with. */
  errorCode: string | null = null;
  /** Additional fields of an error's answer: the work done before the error. */
  errorFields: () => object = () => ({});
  /**
   * Asks again whether the caller may do this: a request can outlive its key.
   * @throws AppError as at the beginning
   */
  authorizeAgain: () => Promise<void> = async () => {};
  /**
   * The signed-in person, for public operations.
   * @throws AppError `forbidden_origin` as for any other
   */
  identify: () => Promise<PersonPrincipal | null> = async () => null;
  readonly #ctx: Context;
  readonly #services: ApiServices;
  #log: Logger | undefined;
  #signal: AbortSignal | undefined;
  #gone: AbortSignal | undefined;

  constructor(id: string, ctx: Context, services: ApiServices) {
    this.id = id;
    this.#ctx = ctx;
    this.#services = services;
  }

  /** A logger with the request and, once known, its project and job. Not before the path is read. */
  get log(): Logger {
    this.#log ??= this.#services.log.child(this.logFields());
    return this.#log;
  }

  /** The fields of a log line about the request. Never a pull request's id: it gives access to the page. */
  logFields(): Record<string, string> {
    const jobId = this.operation?.access.kind === 'key' ? (this.path.id ?? this.createdJobId) : null;
    return {
      requestId: this.id,
      ...(this.operation ? { operation: this.operation.id } : {}),
      ...(this.path.projectId ? { projectId: this.path.projectId } : {}),
      ...(jobId ? { jobId } : {}),
    };
  }

  /** `operator`, or the id of a person, operator's session or API key. Not for public routes. */
  get caller(): string {
    if (!this.principal) throw new Error('The request is not authenticated.');
    return callerOf(this.principal);
  }

  /** Aborts when the caller has gone or the server stops. */
  get signal(): AbortSignal {
    this.#signal ??= AbortSignal.any([this.gone, this.#services.draining]);
    return this.#signal;
  }

  /** Aborts when the connection of the caller has ended, or the answer. */
  get gone(): AbortSignal {
    if (!this.#gone) {
      const gone = new AbortController();
      this.#ctx.res.once('close', () => gone.abort());
      this.#gone = gone.signal;
    }
    return this.#gone;
  }

  /** The query as it was sent, without what defaults add. */
  get sentQuery(): string {
    return this.#ctx.querystring;
  }

  /** The token of the Authorization header, or null. */
  get bearer(): string | null {
    const header = this.#ctx.req.headers.authorization;
    return header === undefined ? null : (/^Bearer +(\S+) *$/i.exec(header)?.[1] ?? null);
  }

  /** Has the answer bring the browser a cookie. @param header the value of `Set-Cookie` */
  addCookie(header: string): void {
    this.#ctx.append('Set-Cookie', header);
  }

  /** The request as it comes in, for a handler that reads the body itself. */
  get incoming(): IncomingMessage {
    return this.#ctx.req;
  }

  /** The caller's `User-Agent`. */
  get userAgent(): string | null {
    return this.#ctx.req.headers['user-agent'] ?? null;
  }

  /** Entity tags, one of which must match the resource to change; undefined without a condition. */
  get ifMatch(): string | undefined {
    return this.#ctx.req.headers['if-match'];
  }

  /** The path of this server's first page, as browsers see it. */
  get homePath(): string {
    return this.#services.pathOf('/');
  }

  /** The whole URL of a path of this server. */
  urlOf(path: string): string {
    return this.#services.urlOf(path);
  }

  /** Whether errors are RFC 9457 problems: only if the caller names that type. */
  get wantsProblem(): boolean {
    const type = 'application/problem+json';
    return this.#ctx.get('Accept').toLowerCase().includes(type) && this.#ctx.accepts(type) === type;
  }

  /** Whether the caller prefers a stream of events to JSON. */
  get wantsEvents(): boolean {
    return this.#ctx.accepts(['json', 'text/event-stream']) === 'text/event-stream';
  }

  /** Whether the caller only wants the headers. */
  get isHead(): boolean {
    return this.#ctx.method === 'HEAD';
  }

  /** Whether the caller prefers a table to JSON. */
  get wantsCsv(): boolean {
    return this.#ctx.accepts(['json', 'csv']) === 'csv';
  }

  /** Whether the caller prefers a patch to JSON. */
  get wantsPatch(): boolean {
    return this.#ctx.accepts(['json', 'text/x-diff']) === 'text/x-diff';
  }

  /**
   * Whether the caller, usually a browser, prefers a page to JSON: for operations with pages, and for errors
   * at any address that is opened without a key. Programs without a key get JSON unless they ask for HTML
   * first.
   */
  get wantsHtml(): boolean {
    const { operation } = this;
    if (operation?.isPage) return this.#ctx.accepts(['html', 'json']) === 'html';
    const isOpened = ['GET', 'HEAD'].includes(this.#ctx.method) && this.bearer === null;
    return isOpened && operation?.access.kind !== 'public' && this.#ctx.accepts(['json', 'html']) === 'html';
  }
}
