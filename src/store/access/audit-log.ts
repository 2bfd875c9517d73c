import { and, desc, eq, gte, lt, or, sql } from 'drizzle-orm';
import { auditLog, WITHOUT_ID } from './audit-schema.ts';
import type { Queryable } from '../database.ts';
import { PLANNED_ANEW } from '../statement-names.ts';

export type AuditRow = typeof auditLog.$inferSelect;

/** The facts about a write before it is carried out. */
export type AuditIntent = Pick<
  AuditRow,
  | 'actorKind'
  | 'actorId'
  | 'actorName'
  | 'actorKeyId'
  | 'operation'
  | 'projectId'
  | 'target'
  | 'changed'
  | 'address'
  | 'userAgent'
  | 'requestId'
>;

export type AuditOutcome = Pick<AuditRow, 'status' | 'errorCode' | 'replayed' | 'createdId'>;

/** The commit need not wait for the disk: the write's own later commit flushes this row, too. */
const WITHOUT_WAITING = sql`SELECT set_config('synchronous_commit', 'off', true) AS off`;

/**
 * Notes an intended write and returns the row's id.
 * @param options.isWithin runs in the write's own transaction, which waits for the disk
 */
export async function insertIntent(
  q: Queryable,
  intent: AuditIntent,
  { outcome, isWithin = false }: { outcome?: AuditOutcome; isWithin?: boolean } = {},
): Promise<number> {
  const { rows } = await q.execute<{ id: string }>(sql`
    WITH quick AS MATERIALIZED (${isWithin ? sql`SELECT 1` : WITHOUT_WAITING})
    INSERT INTO audit_log (actor_kind, actor_id, actor_name, actor_key_id, operation, project_id, target, changed, address, user_agent,
      request_id, status, error_code)
    SELECT ${intent.actorKind}::text, ${intent.actorId}::text, ${intent.actorName}::text, ${intent.actorKeyId}::text,
      ${intent.operation}::text, ${intent.projectId}::text, ${JSON.stringify(intent.target)}::jsonb, ${sql.param(intent.changed)}::text[],
      ${intent.address}::text, ${intent.userAgent}::text, ${intent.requestId}::text, ${outcome?.status ?? null}::integer,
      ${outcome?.errorCode ?? null}::text
    FROM quick
    RETURNING id`);
  return Number(rows[0]?.id);
}

/** Records the outcomes of rows in one statement. May run twice. */
export async function recordOutcomes(
  q: Queryable,
  outcomes: readonly (AuditOutcome & { id: number })[],
): Promise<void> {
  await q.execute(sql`
    WITH quick AS MATERIALIZED (${WITHOUT_WAITING})
    UPDATE audit_log SET error_code = o.error_code, status = o.status, replayed = o.replayed, created_id = o.created_id
    FROM quick, unnest(${sql.param(outcomes.map(({ id }) => id))}::bigint[],
      ${sql.param(outcomes.map(({ status }) => status))}::integer[],
      ${sql.param(outcomes.map(({ errorCode }) => errorCode))}::text[],
      ${sql.param(outcomes.map(({ replayed }) => replayed))}::boolean[],
      ${sql.param(outcomes.map(({ createdId }) => createdId))}::text[]) AS o (id, status, error_code, replayed, created_id)
    WHERE audit_log.id = o.id`);
}

export interface AuditFilter {
  projectId?: string;
  /** The id of a key, a token or a person, or a kind that has no ids. */
  actor?: string;
  operation?: string;
  /** From this time on (inclusive), and before the other one. */
  from?: Date;
  to?: Date;
}

/** Newest first; `before` is the last row of the previous page. */
export function listAudit(
  q: Queryable,
  { projectId, actor, operation, from, to }: AuditFilter,
  page: { limit: number; before?: { createdAt: Date; id: string } },
): Promise<AuditRow[]> {
  const { before, limit } = page;
  return q
    .select()
    .from(auditLog)
    .where(
      and(
        projectId === undefined ? undefined : eq(auditLog.projectId, projectId),
        actor === undefined ? undefined : isBy(actor),
        operation === undefined ? undefined : eq(auditLog.operation, operation),
        operation === undefined && actor === undefined ? undefined : sql.raw(PLANNED_ANEW),
        from && gte(auditLog.at, from),
        to && lt(auditLog.at, to),
        before &&
          sql`(${auditLog.at}, ${auditLog.id}) < (${before.createdAt.toISOString()}::timestamptz, ${before.id}::bigint)`,
      ),
    )
    .orderBy(desc(auditLog.at), desc(auditLog.id))
    .limit(limit);
}

function isBy(actor: string) {
  if (actor === 'operator' || actor === 'anonymous' || actor === 'maintenance')
    return and(eq(auditLog.actorKind, actor), WITHOUT_ID);
  // A token's actions count for its key, too.
  return or(eq(auditLog.actorId, actor), eq(auditLog.actorKeyId, actor));
}
