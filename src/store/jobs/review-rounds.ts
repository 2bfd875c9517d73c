import { and, eq, or, sql } from 'drizzle-orm';
import { checkRounds } from './changes-schema.ts';
import type { CheckRoundRow } from './check-rounds.ts';
import type { Queryable } from '../database.ts';

/** The changes to review: those of one link of the job's chain of branches, or the unpublished ones. */
export type ReviewedChanges =
  | { chainNo: number; /** A turn that is being published now. */ publishing?: number }
  | 'pending';

/** Each published or pending change's last docs check, oldest first, or null. */
export async function listReviewRounds(
  q: Queryable,
  jobId: string,
  of: ReviewedChanges,
): Promise<(CheckRoundRow | null)[]> {
  const publishing = of === 'pending' ? null : (of.publishing ?? null);
  const changes =
    of === 'pending'
      ? sql`SELECT coalesce(max(no), 0) AS after, 2147483647 AS no FROM published`
      : sql`SELECT after, no FROM published WHERE chain_no = ${of.chainNo}`;
  const { rows: keys } = await q.execute<{ turn: number | null; step: number | null }>(sql`
    WITH published AS (
      SELECT no, chain_no, lag(no, 1, 0) OVER (ORDER BY no) AS after FROM turns
      WHERE job_id = ${jobId} AND (state = 'published' OR no = ${publishing}::int)
    ), changes AS (${changes})
    SELECT r.turn_no AS turn, r.step_no AS step FROM changes c LEFT JOIN LATERAL (
      SELECT r.turn_no, r.step_no FROM check_rounds r JOIN turns t ON t.job_id = r.job_id AND t.no = r.turn_no
      WHERE r.job_id = ${jobId} AND r.turn_no > c.after AND r.turn_no <= c.no AND t.state NOT IN ('cancelled', 'archived', 'discarded')
      ORDER BY r.turn_no DESC, r.step_no DESC LIMIT 1
    ) r ON true ORDER BY c.no`);
  const known = keys.filter(({ turn }) => turn !== null);
  const those = known.map(({ turn, step }) => and(eq(checkRounds.turnNo, turn!), eq(checkRounds.stepNo, step!)));
  const rounds =
    those.length === 0
      ? []
      : await q
          .select()
          .from(checkRounds)
          .where(and(eq(checkRounds.jobId, jobId), or(...those)));
  return keys.map(({ turn, step }) => rounds.find((r) => r.turnNo === turn && r.stepNo === step) ?? null);
}
