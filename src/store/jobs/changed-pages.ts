import { and, eq, sql } from 'drizzle-orm';
import { changedPages } from './changes-schema.ts';
import type { Queryable } from '../database.ts';
import { storableText } from '../storable.ts';

/** A page before and after a change; null if it does not exist. */
export interface ChangedPage {
  path: string;
  before: string | null;
  after: string | null;
}

type Of = Pick<typeof changedPages.$inferSelect, 'jobId' | 'of'>;

/** Replaces the pages of a diff, in the transaction that records the diff. */
export async function recordChangedPages(
  tx: Queryable,
  { jobId, of }: Of,
  pages: readonly ChangedPage[],
): Promise<void> {
  const rows = pages.map(({ path, before, after }) => ({
    jobId,
    of,
    path: storableText(path),
    before: before === null ? null : storableText(before),
    after: after === null ? null : storableText(after),
  }));
  await tx.delete(changedPages).where(and(eq(changedPages.jobId, jobId), eq(changedPages.of, of)));
  if (rows.length === 0) return;
  await tx
    .insert(changedPages)
    .values(rows)
    .onConflictDoUpdate({
      target: [changedPages.jobId, changedPages.of, changedPages.path],
      set: { before: sql`excluded.before`, after: sql`excluded.after` },
    });
}

/** Null if it is not kept: it is not a page, was too long, or was changed before pages were kept. */
export async function findChangedPage(q: Queryable, { jobId, of }: Of, path: string): Promise<ChangedPage | null> {
  const [row] = await q
    .select({ path: changedPages.path, before: changedPages.before, after: changedPages.after })
    .from(changedPages)
    .where(and(eq(changedPages.jobId, jobId), eq(changedPages.of, of), eq(changedPages.path, storableText(path))));
  return row ?? null;
}
