import { eq } from 'drizzle-orm';
import { pullRequests } from '../../../src/store/schema.ts';
import type { Installation } from '../installation.ts';

/** As large as the change of a product's name in all pages. */
export const FILES = 500;
/** Changed lines of each file, half of them new. */
export const LINES = 40;

/**
 * Gives the pull request of a job a change of 500 files and 20,000 lines: no model of a test writes as much.
 */
export async function giveLargeChange({ database }: Installation, jobId: string): Promise<void> {
  const diff = Array.from({ length: FILES }, (_, i) => diffOf(`guides/part-${i % 25}/page-${i}.mdx`)).join('');
  await database.db.update(pullRequests).set({ diff }).where(eq(pullRequests.jobId, jobId));
}

function diffOf(path: string): string {
  const pairs = Array.from({ length: LINES / 2 }, (_, i) => i);
  const was = pairs.map((i) => `-${i}. Open **Settings**, then \`acme ${i}\`.\n`);
  const is = pairs.map((i) => `+${i}. Open **Settings**, then \`docent ${i}\`.\n`);
  return [
    `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -1,${LINES / 2 + 2} +1,${LINES / 2 + 2} @@\n # Page\n`,
    ...was,
    ...is,
    ' The end.\n',
  ].join('');
}
