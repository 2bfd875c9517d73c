import { diffArrays } from 'diff';

/** Above this many changed lines, every line of a page counts as changed. */
const MAX_EDITS = 4_000;

/**
 * The lines that are new or next to removed ones: the change may have caused their problems.
 * @param before null if there was none
 */
export function changedLines(before: string | null, now: string): (line: number) => boolean {
  if (before === null) return () => true;
  const parts = diffArrays(before.split('\n'), now.split('\n'), { maxEditLength: MAX_EDITS });
  if (!parts) return () => true;
  const lines = new Set<number>();
  let line = 1;
  for (const { added, removed, count } of parts) {
    if (removed) {
      lines.add(line - 1).add(line);
      continue;
    }
    if (added) for (let i = 0; i < count; i++) lines.add(line + i);
    line += count;
  }
  return (one) => lines.has(one);
}
