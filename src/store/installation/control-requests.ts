import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import { Failure } from '@docent/base/failure';
import type { Queryable } from '../database.ts';
import { newId } from '../ids.ts';
import { controlRequests, type ControlKind } from '../schema.ts';
import { storable } from '../storable.ts';

/** 32 characters of five bits: impossible to guess. */
const ID_LENGTH = 32;
/** How long requests can be looked up, with their callers and times. */
const KEPT = sql`interval '30 days'`;

/** Candidate credentials are removed, though encrypted, once they were tried or no longer can be. */
const INPUT_KEPT = sql`${controlRequests.input} - 'candidate'`;

export const REQUEST_UNKNOWN = 'RequestUnknown';

/** The request does not exist or has expired; nothing was done. Final. */
export function requestUnknown(kind: ControlKind): Failure {
  return new Failure(
    `No pending request exists for this ${kind}, so nothing was done. Use the API: ` +
      'this workflow does nothing when it is started manually.',
    { code: REQUEST_UNKNOWN, attempts: 1 },
  );
}

export interface NewControlRequest {
  kind: ControlKind;
  input: unknown;
  /** `operator`, or the id of an API key. */
  requestedBy: string;
  /** How long it may be started, in milliseconds. */
  lifeMs: number;
}

/** Writes the request of an authenticated caller, and deletes old ones. Returns its id. */
export async function addControlRequest(q: Queryable, request: NewControlRequest): Promise<string> {
  const { kind, input, requestedBy, lifeMs } = request;
  const id = newId(ID_LENGTH);
  const expiresAt = sql`now() + ${lifeMs} * interval '1 millisecond'`;
  await q.insert(controlRequests).values({ id, kind, input: storable(input), requestedBy, expiresAt });
  await q.delete(controlRequests).where(sql`${controlRequests.createdAt} < now() - ${KEPT}`);
  await q
    .update(controlRequests)
    .set({ input: INPUT_KEPT })
    .where(sql`${controlRequests.expiresAt} < now() AND ${controlRequests.input}->>'candidate' IS NOT NULL`);
  return id;
}

export type Claim =
  /** `leftMs`: the time within which it may be started. */
  | { kind: 'claimed'; input: unknown; leftMs: number }
  /** An earlier attempt has recorded its outcome, which counts. */
  | { kind: 'done' }
  /** The request does not exist, or it has expired. */
  | { kind: 'none' };

/** Takes a request. Other attempts may, too, until it has an outcome: carrying it out must be idempotent. */
export async function claimControlRequest(q: Queryable, id: string, kind: ControlKind): Promise<Claim> {
  const same = and(eq(controlRequests.id, id), eq(controlRequests.kind, kind));
  const [claimed] = await q
    .update(controlRequests)
    .set({
      claimedAt: sql`coalesce(${controlRequests.claimedAt}, now())`,
      attempts: sql`${controlRequests.attempts} + 1`,
    })
    .where(and(same, isNull(controlRequests.result), gt(controlRequests.expiresAt, sql`now()`)))
    .returning({
      input: controlRequests.input,
      leftMs: sql<number>`(extract(epoch FROM ${controlRequests.expiresAt} - now()) * 1000)::float8`,
    });
  if (claimed) return { kind: 'claimed', ...claimed };
  const [row] = await q.select({ result: controlRequests.result }).from(controlRequests).where(same);
  return row && row.result !== null ? { kind: 'done' } : { kind: 'none' };
}

/** The first recorded outcome counts: a later one changes nothing. */
export async function recordControlResult(q: Queryable, id: string, result: object): Promise<void> {
  await q
    .update(controlRequests)
    .set({ input: INPUT_KEPT, result: storable(result), finishedAt: sql`now()` })
    .where(and(eq(controlRequests.id, id), isNull(controlRequests.result)));
}

/** The outcome, or null while there is none. */
export async function findControlResult(q: Queryable, id: string): Promise<unknown> {
  const [row] = await q
    .select({ result: controlRequests.result })
    .from(controlRequests)
    .where(eq(controlRequests.id, id));
  return row?.result ?? null;
}
