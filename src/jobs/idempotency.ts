import { and, eq, lt, sql } from 'drizzle-orm';
import { AppError } from '../platform/errors.ts';
import type { Db, Queryable } from '../store/database.ts';
import { sqlStateOf } from '../store/database-problem.ts';
import { idempotencyKeys } from '../store/schema.ts';

/** How long a first answer is kept. */
const LIFE = sql`interval '24 hours'`;
/** How long a repeat waits for the first request to end. */
const WAIT_SECONDS = 10;
const LOCK_TIMEOUT = '55P03';

export interface IdempotentRequest {
  /** A project's id, or `*` for routes outside projects. */
  owner: string;
  /** operationId, with the resource's id if the route has one. */
  route: string;
  key: string;
  /** SHA-256 of the body. */
  bodyHash: Buffer;
}

export interface Answer {
  status: number;
  /** JSON. */
  body: unknown;
}

export type Once<A extends Answer> = A & { replayed: boolean };

/**
 * Runs `work` in a transaction, at most once per key. Its response is stored in the same transaction and
 * returned to repeats. A repeat that arrives during the work waits for it. If the work throws, nothing is
 * stored, not even the key.
 *
 * `work` may return a `storedBody` to replay instead of the body: secrets are shown once and never stored.
 * @param request null only runs the work in a transaction
 * @throws AppError `idempotency_key_reused` (422) for another body, `idempotency_in_progress` (409) after 10
 *   s of waiting
 */
export async function once<A extends Answer>(
  db: Db,
  request: IdempotentRequest | null,
  work: (tx: Queryable) => Promise<A & { storedBody?: A['body'] }>,
): Promise<Once<A>> {
  return db.transaction(async (tx) => {
    if (request && !(await reserve(tx, request))) {
      const stored = await findAnswer<A>(tx, request);
      if (stored) return stored;
      throw inProgress();
    }
    const answer = await work(tx);
    if (request) {
      // As text: jsonb would put the fields of the repeated answer into another order.
      const response = JSON.stringify(answer.storedBody === undefined ? answer.body : answer.storedBody);
      await tx.update(idempotencyKeys).set({ status: answer.status, response }).where(sameKey(request));
    }
    return { ...answer, storedBody: undefined, replayed: false };
  });
}

/**
 * A repeat's answer, without waiting, to skip slow checks before the transaction.
 * @throws AppError `idempotency_key_reused` (422)
 */
export async function findAnswer<A extends Answer>(q: Queryable, request: IdempotentRequest): Promise<Once<A> | null> {
  const [row] = await q
    .select()
    .from(idempotencyKeys)
    .where(and(sameKey(request), sql`${idempotencyKeys.createdAt} >= now() - ${LIFE}`));
  if (!row || row.status === null) return null;
  if (!row.bodyHash.equals(request.bodyHash)) {
    throw new AppError(
      'idempotency_key_reused',
      'This Idempotency-Key was already used with another body. Use a new key for a new request.',
    );
  }
  return { status: row.status, body: parsed(row.response), replayed: true } as unknown as Once<A>;
}

/** Deletes expired keys. Returns how many. */
export async function deleteOldIdempotencyKeys(q: Queryable): Promise<number> {
  const { rowCount } = await q.delete(idempotencyKeys).where(lt(idempotencyKeys.createdAt, sql`now() - ${LIFE}`));
  return rowCount ?? 0;
}

/** Reserves a new or expired key. False if it is taken. Waits for concurrent transactions. */
async function reserve(tx: Queryable, request: IdempotentRequest): Promise<boolean> {
  await tx.execute(sql.raw(`SET LOCAL lock_timeout = '${WAIT_SECONDS}s'`));
  try {
    const taken = await tx
      .insert(idempotencyKeys)
      .values(request)
      .onConflictDoUpdate({
        target: [idempotencyKeys.owner, idempotencyKeys.route, idempotencyKeys.key],
        set: { bodyHash: request.bodyHash, status: null, response: null, createdAt: sql`now()` },
        setWhere: sql`${idempotencyKeys.createdAt} < now() - ${LIFE}`,
      })
      .returning({ key: idempotencyKeys.key });
    // The work waits for locks of its own.
    await tx.execute(sql`SET LOCAL lock_timeout TO DEFAULT`);
    return taken.length > 0;
  } catch (err) {
    if (sqlStateOf(err) === LOCK_TIMEOUT) throw inProgress(err);
    throw err;
  }
}

/** A JSON text inside jsonb comes back as text or, from a driver that is too eager, parsed already. */
function parsed(response: unknown): unknown {
  return typeof response === 'string' ? JSON.parse(response) : response;
}

function inProgress(cause?: unknown): AppError {
  return new AppError(
    'idempotency_in_progress',
    'The first request with this Idempotency-Key is still running. Repeat it in a moment.',
    { cause, retryAfterSeconds: 2 },
  );
}

function sameKey(request: IdempotentRequest) {
  return and(
    eq(idempotencyKeys.owner, request.owner),
    eq(idempotencyKeys.route, request.route),
    eq(idempotencyKeys.key, request.key),
  );
}
