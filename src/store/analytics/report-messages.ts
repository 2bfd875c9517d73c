import { and, eq, lt, sql } from 'drizzle-orm';
import type { Queryable } from '../database.ts';
import { analyticsMessages } from './report-schema.ts';

export type MailRow = typeof analyticsMessages.$inferSelect;
type MailKey = Pick<MailRow, 'projectId' | 'kind' | 'period' | 'recipient'>;

/** After it, an attempt without an end is taken for one that died. */
const ATTEMPT_MINUTES = 10;
/** Pauses after failed attempts, in minutes: about a day in total. */
const PAUSES = [1, 5, 30, 120, 360, 720];
/** The last period is never as old. */
const KEPT_DAYS = 400;

/** Whether a message was made before. */
export async function isMade(q: Queryable, { projectId, kind, period }: Omit<MailKey, 'recipient'>): Promise<boolean> {
  const found = await q
    .select({ kind: analyticsMessages.kind })
    .from(analyticsMessages)
    .where(isRow({ projectId, kind, period, recipient: '' }));
  return found.length > 0;
}

/**
 * Notes a message with its recipients, once.
 * @returns false if it was noted before: then write nothing else about it
 */
export async function noteMessage(
  tx: Queryable,
  { projectId, kind, period }: Omit<MailKey, 'recipient'>,
  { recipients, subject, text }: { recipients: readonly string[]; subject: string; text: string },
): Promise<boolean> {
  const row = { projectId, kind, period };
  const noted = await tx
    .insert(analyticsMessages)
    .values({ ...row, recipient: '', state: 'sent' })
    .onConflictDoNothing()
    .returning({ kind: analyticsMessages.kind });
  if (noted.length === 0) return false;
  if (recipients.length > 0) {
    await tx
      .insert(analyticsMessages)
      .values(recipients.map((recipient) => ({ ...row, recipient, subject, body: text, state: 'waiting' as const })))
      .onConflictDoNothing();
  }
  return true;
}

/**
 * Takes the next mail that is due; of concurrent callers, one gets it. An attempt that never ended is
 * repeated once: the mail server may have taken it.
 */
export async function takeMail(q: Queryable): Promise<MailRow | null> {
  const { rows } = await q.execute<MailKey & Record<string, unknown>>(sql`
    UPDATE analytics_messages m SET
      state = CASE WHEN m.state = 'sending' AND m.unknown_attempts > 0 THEN 'failed' ELSE 'sending' END,
      problem = CASE WHEN m.state = 'sending' AND m.unknown_attempts > 0 THEN 'Two attempts did not end.' ELSE m.problem END,
      unknown_attempts = m.unknown_attempts + (m.state = 'sending')::int,
      attempts = m.attempts + 1, due_at = now() + make_interval(mins => ${ATTEMPT_MINUTES})
    FROM (SELECT ctid FROM analytics_messages WHERE state IN ('waiting', 'sending') AND due_at <= now()
      ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED) due
    WHERE m.ctid = due.ctid
    RETURNING m.project_id AS "projectId", m.kind, m.period, m.recipient`);
  const [key] = rows;
  if (!key) return null;
  const [row] = await q.select().from(analyticsMessages).where(isRow(key));
  return row ?? null;
}

/** @param problem why it could not be sent; null if it was */
export async function recordMail(
  q: Queryable,
  mail: MailRow,
  problem: string | null,
): Promise<'sent' | 'waiting' | 'failed'> {
  const pause = PAUSES[mail.attempts - 1 - mail.unknownAttempts];
  const state = problem === null ? 'sent' : pause === undefined ? 'failed' : 'waiting';
  await q
    .update(analyticsMessages)
    .set({
      state,
      problem,
      ...(state === 'sent' ? { body: null } : {}),
      dueAt: sql`now() + make_interval(mins => ${pause ?? 0})`,
    })
    .where(and(isRow(mail), eq(analyticsMessages.state, 'sending')));
  return state;
}

/** Deletes old rows. Returns how many. */
export async function deleteOldMessages(q: Queryable): Promise<number> {
  const { rowCount } = await q
    .delete(analyticsMessages)
    .where(lt(analyticsMessages.createdAt, sql`now() - make_interval(days => ${KEPT_DAYS})`));
  return rowCount ?? 0;
}

const isRow = ({ projectId, kind, period, recipient }: MailKey) =>
  and(
    eq(analyticsMessages.projectId, projectId),
    eq(analyticsMessages.kind, kind),
    eq(analyticsMessages.period, period),
    eq(analyticsMessages.recipient, recipient),
  );
