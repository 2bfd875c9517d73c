import { and, asc, eq, inArray } from 'drizzle-orm';
import type { Queryable } from './database.ts';
import { overlayFiles } from './schema.ts';

/** A changed file that no push has carried yet; see `OverlayEntry` in git/contract.ts. */
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

/** Makes `entries` the whole overlay. Call it in the transaction that records why, under the turn's fence. */
export async function replaceOverlay(
  tx: Queryable,
  jobId: string,
  turnNo: number,
  entries: readonly StoredOverlayEntry[],
): Promise<void> {
  await tx.delete(overlayFiles).where(eq(overlayFiles.jobId, jobId));
  if (entries.length > 0) {
    await tx.insert(overlayFiles).values(entries.map((entry) => ({ jobId, turnNo, ...entry })));
  }
}

/** Forgets some changed files. */
export async function dropFromOverlay(tx: Queryable, jobId: string, paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return;
  await tx.delete(overlayFiles).where(and(eq(overlayFiles.jobId, jobId), inArray(overlayFiles.path, [...paths])));
}
