import { and, count, eq } from 'drizzle-orm';
import type { Queryable } from '../database.ts';
import { storableText } from '../storable.ts';
import { webPages } from './web-page-schema.ts';

type WebPageRow = typeof webPages.$inferSelect;

/** About 100 MB at most. */
const MAX_PAGES = 100;

/** Null if the job has not read it. */
export async function findWebPage(
  q: Queryable,
  { jobId, asked }: Pick<WebPageRow, 'jobId' | 'asked'>,
): Promise<Pick<WebPageRow, 'url' | 'text'> | null> {
  const [row] = await q
    .select({ url: webPages.url, text: webPages.text })
    .from(webPages)
    .where(and(eq(webPages.jobId, jobId), eq(webPages.asked, storableText(asked))));
  return row ?? null;
}

/** Idempotent: the first text stays. @returns false if the job has too many */
export async function saveWebPage(q: Queryable, page: Omit<WebPageRow, 'readAt'>): Promise<boolean> {
  const { jobId, asked, url, text } = page;
  const [found] = await q.select({ there: count() }).from(webPages).where(eq(webPages.jobId, jobId));
  if ((found?.there ?? 0) >= MAX_PAGES) return false;
  await q
    .insert(webPages)
    .values({ jobId, asked: storableText(asked), url: storableText(url), text: storableText(text) })
    .onConflictDoNothing();
  return true;
}
