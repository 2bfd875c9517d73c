import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import type { Queryable } from '../database.ts';
import { overlayFiles } from '../schema.ts';

/** A changed file that is not pushed yet; see `OverlayEntry` in git/contract.ts. */
export interface StoredOverlayEntry {
  path: string;
  content: string | null;
  blobId: string | null;
}

export function listOverlay(q: Queryable, jobId: string): Promise<StoredOverlayEntry[]> {
  return q
    .select({ path: overlayFiles.path, content: overlayFiles.content, blobId: overlayFiles.blobId })
    .from(overlayFiles)
    .where(eq(overlayFiles.jobId, jobId))
    .orderBy(asc(overlayFiles.path));
}

/** Forgets all changed files, and their shown diff. */
export async function clearOverlay(tx: Queryable, jobId: string): Promise<void> {
  await tx.execute(sql`
    WITH shown AS (DELETE FROM pending_diffs WHERE job_id = ${jobId}),
      pages AS (DELETE FROM changed_pages WHERE job_id = ${jobId} AND of = 'pending')
    DELETE FROM overlay_files WHERE job_id = ${jobId}`);
}

export interface OverlayChanges {
  written: StoredOverlayEntry[];
  dropped: string[];
}

/** The changes from `before` to `after`; null for none. */
export function overlayChanges(
  before: readonly StoredOverlayEntry[],
  after: readonly StoredOverlayEntry[],
): OverlayChanges | null {
  const earlier = new Map(before.map((entry) => [entry.path, entry]));
  const written = after.filter((entry) => !isSame(entry, earlier.get(entry.path)));
  const kept = new Set(after.map(({ path }) => path));
  const dropped = before.map(({ path }) => path).filter((path) => !kept.has(path));
  return written.length > 0 || dropped.length > 0 ? { written, dropped } : null;
}

function isSame(a: StoredOverlayEntry, b: StoredOverlayEntry | undefined): boolean {
  return a.content === b?.content && a.blobId === b?.blobId;
}

/** Changes files, in the transaction that records why, under the fence held since the overlay was read. */
export async function changeOverlay(
  tx: Queryable,
  jobId: string,
  turnNo: number,
  { written, dropped }: OverlayChanges,
): Promise<void> {
  await dropFromOverlay(tx, jobId, dropped);
  if (written.length === 0) return;
  await tx
    .insert(overlayFiles)
    .values(written.map(({ path, content, blobId }) => ({ jobId, turnNo, path, content, blobId })))
    .onConflictDoUpdate({
      target: [overlayFiles.jobId, overlayFiles.path],
      set: { turnNo, content: sql`excluded.content`, blobId: sql`excluded.blob_id` },
    });
}

/** Forgets some changed files. */
export async function dropFromOverlay(tx: Queryable, jobId: string, paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return;
  await tx.delete(overlayFiles).where(and(eq(overlayFiles.jobId, jobId), inArray(overlayFiles.path, [...paths])));
}
