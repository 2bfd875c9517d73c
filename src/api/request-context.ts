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

/**
 * One request, from its first middleware to its line in the log. Costly parts are made when someone asks for
 * them.
 */
export class RequestContext {
  readonly id: string;
  readonly startedAt = performance.now();
  operation: Operation | null = null;
  path: Readonly<Record<string, string>> = {};
  principal: Principal | null = null;
  idempotencyKey: string | null = null;
  /** The body's bytes as they came. */
  rawBody: Buffer = EMPTY;
  /** The job that a request without one in its path made. */
  createdJobId: string | null = null;
  /** What the audit log records about the request. */
  readonly audit: AuditFacts = { id: null, createdId: null, sentFields: [], concerns: {} };
  /** The limit that the request counts against, with what is left of it. */
  quota: Quota | null = null;
  /** The code of the error that it was answered with. */
  errorCode: string | null = null;
  /** What an error's answer says besides: what was done before the error. */
  errorFields: () => object = () => ({});
  /**
   * Asks again whether the caller may do this: a request can outlive its key.
   * @throws AppError as at the beginning
   */
  authorizeAgain: () => Promise<void> = async () => {};
  /**
   * Who is signed in, where an operation is for anyone.
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

  /**
   * A logger whose lines name the request and, once known, its project and job. Not for use before the path
   * is read.
   */
  get log(): Logger {
    this.#log ??= this.#services.log.child(this.logFields());
    return this.#log;
  }

  /**
   * What a line of the log says about the request. Never a pull request's id: whoever knows it can read the
   * page.
   */
  logFields(): Record<string, string> {
    const jobId = this.operation?.access.kind === 'key' ? (this.path.id ?? this.createdJobId) : null;
    return {
      requestId: this.id,
      ...(this.operation ? { operation: this.operation.id } : {}),
      ...(this.path.projectId ? { projectId: this.path.projectId } : {}),
      ...(jobId ? { jobId } : {}),
    };
  }

  /**
   * Who was let in: `operator`, or the id of a person, of a session of the operator's, or of an API key, its
   * tokens' too. Not for use on public routes.
   */
  get caller(): string {
    if (!this.principal) throw new Error('Nobody was let in yet.');
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

  /** What the caller's program calls itself. */
  get userAgent(): string | null {
    return this.#ctx.req.headers['user-agent'] ?? null;
  }

  /**
   * The entity tags of which one has to be that of what is changed; undefined where the caller did not ask.
   */
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

  /**
   * Whether the caller has errors sent as RFC 9457 has it: only those who name the type, whatever else they
   * take.
   */
  get wantsProblem(): boolean {
    const type = 'application/problem+json';
    return this.#ctx.get('Accept').toLowerCase().includes(type) && this.#ctx.accepts(type) === type;
  }

  /** Whether the caller would rather have a stream of events than JSON. */
  get wantsEvents(): boolean {
    return this.#ctx.accepts(['json', 'text/event-stream']) === 'text/event-stream';
  }

  /** Whether the caller wants the headers of an answer alone. */
  get isHead(): boolean {
    return this.#ctx.method === 'HEAD';
  }

  /** Whether the caller would rather have a table than JSON. */
  get wantsCsv(): boolean {
    return this.#ctx.accepts(['json', 'csv']) === 'csv';
  }

  /** Whether the caller would rather have a patch than JSON. */
  get wantsPatch(): boolean {
    return this.#ctx.accepts(['json', 'text/x-diff']) === 'text/x-diff';
  }

  /**
   * Whether the caller, a browser mostly, would rather have a page than JSON: of what answers with pages,
   * and, to say what is wrong, of any address that someone opens without a key. Programs that send none get
   * their JSON, as long as they do not ask for HTML first.
   */
  get wantsHtml(): boolean {
    const { operation } = this;
    if (operation?.isPage) return this.#ctx.accepts(['html', 'json']) === 'html';
    const isOpened = ['GET', 'HEAD'].includes(this.#ctx.method) && this.bearer === null;
    return isOpened && operation?.access.kind !== 'public' && this.#ctx.accepts(['json', 'html']) === 'html';
  }
}
