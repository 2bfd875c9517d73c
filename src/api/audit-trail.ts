import type { Context } from 'koa';
import { setTimeout as sleep } from 'node:timers/promises';
import { withEllipsis } from '@docent/base/ellipsis';
import { messageOf } from '@docent/base/thrown';
import { printable } from '@docent/base/one-line';
import type { Logger } from '../platform/log.ts';
import { AddressLimit } from '../platform/net/address-limit.ts';
import { insertIntent, recordOutcomes, type AuditIntent, type AuditOutcome } from '../store/access/audit-log.ts';
import type { Db, Queryable } from '../store/database.ts';
import { storableText } from '../store/storable.ts';
import type { Operation } from './contract/operations.ts';
import { actorOf } from './middleware/actor.ts';
import type { Principal } from './middleware/authenticate.ts';

/** What the audit log records about a request. Other parts do not need it. */
export interface AuditFacts {
  /** Its row in the audit log; null while there is none. */
  id: number | null;
  createdId: string | null;
  /** The names of the body's fields. */
  sentFields: string[];
  /** Ids of the affected resources: from the path, possibly malformed, until a handler knows them. */
  concerns: Readonly<Record<string, string>>;
}

/** The logged fields of a request. `RequestContext` has them all. */
interface AuditedRequest {
  readonly id: string;
  readonly operation: Operation | null;
  readonly principal: Principal | null;
  readonly path: Readonly<Record<string, string>>;
  readonly userAgent: string | null;
  readonly errorCode: string | null;
  readonly createdJobId: string | null;
  readonly audit: AuditFacts;
}

/** Page views and words of readers: they are counted, and are not actions of people. */
const NOT_AUDITED: ReadonlySet<string> = new Set([
  'postEvents',
  'collectView',
  'collectFeedback',
  'collectSearch',
  // The inbox keeps deliveries.
  'receiveDelivery',
  'receiveHostDelivery',
]);
/** Refusals per minute that are recorded for one caller, and for all unknown callers together. */
const REFUSALS_PER_MINUTE = 60;
const MAX_USER_AGENT = 300;
const MAX_FIELDS = 50;
const FIELD = /^[A-Za-z]\w{0,39}$/;
/** Outcomes that wait for the database, at most. */
const MAX_WAITING = 10_000;
/** Outcomes that are written together. */
const TOGETHER = 500;
const RETRY_MS = 1_000;

/** A browser comes back from the identity provider with GET, and is signed in. */
const AUDITED_GETS: ReadonlySet<string> = new Set(['finishOpenIdSignIn']);

/** Whether requests of an operation are logged: all that may change something. */
export function isAudited({ id, method }: Pick<Operation, 'id' | 'method'>): boolean {
  return method === 'get' ? AUDITED_GETS.has(id) : !NOT_AUDITED.has(id);
}

/**
 * Records who changed what. A row is written before each write, and gets its outcome afterwards. A row
 * without an outcome means that the process died or the database was down for long: the outcome is unknown.
 * Requests refused for their caller (401, 403) are recorded, within limits; malformed ones are not.
 */
export class AuditTrail {
  readonly #db: Db;
  readonly #log: Logger;
  readonly #refusals = new AddressLimit({ perMinute: REFUSALS_PER_MINUTE });
  readonly #waiting: (AuditOutcome & { id: number })[] = [];
  #writing: Promise<void> | undefined;
  #isClosing = false;

  constructor(db: Db, log: Logger) {
    this.#db = db;
    this.#log = log;
  }

  /**
   * Await it before the write. Rejects if the database is not writable: then do nothing.
   * @param tx the write's transaction, if only that knows the caller
   */
  async begin(request: AuditedRequest, address: string | null, tx?: Queryable): Promise<void> {
    if (request.audit.id !== null || !request.operation || !isAudited(request.operation)) return;
    request.audit.id = await insertIntent(tx ?? this.#db, intentOf(request, address), { isWithin: tx !== undefined });
  }

  /** Records the outcome of the request, in the background. Never throws. */
  end(request: AuditedRequest, ctx: Context, address: () => string | null): void {
    if (!request.operation || !isAudited(request.operation)) return;
    const outcome = {
      status: ctx.status,
      errorCode: request.errorCode,
      replayed: ctx.response.get('Idempotent-Replayed') === 'true',
      createdId: request.createdJobId ?? request.audit.createdId,
    };
    if (request.audit.id === null) {
      // A browser without a session is redirected to a page with the reason.
      const isRefused = ctx.status === 401 || ctx.status === 403 || request.errorCode === 'unauthorized';
      if (isRefused) this.#keepRefusal(request, address(), outcome);
      return;
    }
    if (this.#waiting.length >= MAX_WAITING) {
      this.#log.warn({ auditId: request.audit.id }, 'the audit queue is full: the result of a write stays unknown');
      return;
    }
    this.#waiting.push({ id: request.audit.id, ...outcome });
    this.#writing ??= this.#write().finally(() => (this.#writing = undefined));
  }

  /** Writes the pending rows, within `withinMs`. Add nothing afterwards. */
  async close(withinMs: number): Promise<void> {
    this.#isClosing = true;
    const done = new AbortController();
    const late = sleep(withinMs, undefined, { signal: done.signal }).catch(() => {});
    await Promise.race([this.#writing, late]);
    done.abort();
    const left = this.#waiting.length;
    if (left > 0)
      this.#log.warn({ left }, 'stopped before the results of the last writes were stored in the audit log');
  }

  async #write(): Promise<void> {
    let isReported = false;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, TOGETHER);
      try {
        await recordOutcomes(this.#db, batch);
        this.#waiting.splice(0, batch.length);
      } catch (err) {
        if (!isReported)
          this.#log.warn({ err }, 'results of writes cannot be stored in the audit log right now; retrying');
        isReported = true;
        if (this.#isClosing) return;
        await sleep(RETRY_MS, undefined, { ref: false });
      }
    }
  }

  #keepRefusal(request: AuditedRequest, address: string | null, outcome: AuditOutcome): void {
    const intent = intentOf(request, address);
    if (this.#refusals.take(intent.actorId ?? intent.actorKind) > 0) return;
    insertIntent(this.#db, intent, { outcome }).catch((err: unknown) => {
      this.#log.warn({ reason: messageOf(err) }, 'a rejected request could not be stored in the audit log');
    });
  }
}

function intentOf(request: AuditedRequest, address: string | null): AuditIntent {
  const { operation } = request;
  const { projectId = null, prId: _secret, ...ids } = request.audit.concerns;
  const target = Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, plain(id, MAX_USER_AGENT)]));
  return {
    ...actorFields(request.principal),
    operation: operation?.id ?? '',
    projectId: projectId === null ? null : plain(projectId, MAX_USER_AGENT),
    target,
    changed: request.audit.sentFields,
    address,
    userAgent: request.userAgent === null ? null : plain(request.userAgent, MAX_USER_AGENT),
    requestId: request.id,
  };
}

function actorFields(
  principal: Principal | null,
): Pick<AuditIntent, 'actorKind' | 'actorId' | 'actorName' | 'actorKeyId'> {
  if (!principal) return { actorKind: 'anonymous', actorId: null, actorName: null, actorKeyId: null };
  const { kind, id, name } = actorOf(principal);
  const actorKeyId = kind === 'token' && principal.kind === 'key' ? principal.key.id : null;
  return { actorKind: kind, actorId: id, actorName: kind === 'operator' ? null : name, actorKeyId };
}

/** The names of a body's fields: names alone, and none that could hold something else. */
export function fieldNames(body: unknown): string[] {
  if (typeof body !== 'object' || body === null || Array.isArray(body) || Buffer.isBuffer(body)) return [];
  return Object.keys(body)
    .filter((name) => FIELD.test(name))
    .slice(0, MAX_FIELDS);
}

/** Untrusted text on one line, without control sequences for terminals. */
function plain(text: string, most: number): string {
  return withEllipsis(printable(storableText(text.slice(0, most * 2)), '\uFFFD'), most);
}
