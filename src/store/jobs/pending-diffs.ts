import { eq, sql } from 'drizzle-orm';
import type { Queryable } from '../database.ts';
import { recordChangedPages, type ChangedPage } from './changed-pages.ts';
import { pendingDiffs } from './changes-schema.ts';
import type { ChangeSize } from '../preview.ts';

/** The change in a job's overlay; see `pending_diffs`. */
export interface PendingDiff extends ChangeSize {
  turnNo: number;
  stepNo: number;
  baseCommit: string;
  diff: string;
  isCut: boolean;
}

export type OverlayDiff = Pick<PendingDiff, 'diff' | 'isCut' | keyof ChangeSize> & { pages: readonly ChangedPage[] };

/** Records what the overlay changes, in the transaction that records why, under the turn's fence. */
export async function recordPendingDiff(
  tx: Queryable,
  at: Pick<PendingDiff, 'turnNo' | 'stepNo' | 'baseCommit'> & { jobId: string },
  { diff, isCut, files, additions, deletions, pages }: OverlayDiff,
): Promise<void> {
  const { jobId, ...of } = at;
  const row = { ...of, diff, isCut, files, additions, deletions, updatedAt: sql`now()` };
  await tx
    .insert(pendingDiffs)
    .values({ jobId, ...row })
    .onConflictDoUpdate({ target: pendingDiffs.jobId, set: row });
  await recordChangedPages(tx, { jobId, of: 'pending' }, pages);
}

/** Null if nothing changed since the last publication; without files if all changes were undone. */
export async function findPendingDiff(
  q: Queryable,
  jobId: string,
): Promise<(PendingDiff & { updatedAt: Date }) | null> {
  const [row] = await q.select().from(pendingDiffs).where(eq(pendingDiffs.jobId, jobId));
  return row ?? null;
}
