import type { BaseTree, OverlayEntry } from '@docent/base/files/base-tree';
import { blobIdOf } from '@docent/base/files/object-id';

/** The share of the longer file's characters in common lines: git's own threshold for renames. */
const LEAST_SHARED = 0.5;

/** New files that come from executable ones, which git finds by equal content or by kept lines. */
export function movedExecutables(base: BaseTree, changes: readonly OverlayEntry[]): Set<string> {
  const gone = changes.filter((change) => isDeleted(change) && base.file(change.path));
  const moved = new Set<string>();
  if (!gone.some(({ path }) => isExecutable(base, path))) return moved;
  const pairs = changes
    .filter((change) => !isDeleted(change) && !base.file(change.path))
    .flatMap((change) => gone.map(({ path }) => ({ from: path, to: change.path, share: shareOf(base, path, change) })))
    .filter(({ share }) => share >= LEAST_SHARED)
    .toSorted((a, b) => b.share - a.share);
  const used = new Set<string>();
  for (const { from, to } of pairs) {
    if (used.has(`from ${from}`) || used.has(`to ${to}`)) continue;
    used.add(`from ${from}`).add(`to ${to}`);
    if (isExecutable(base, from)) moved.add(to);
  }
  return moved;
}

function isDeleted({ content, blobId }: OverlayEntry): boolean {
  return content === null && blobId === null;
}

function isExecutable(base: BaseTree, path: string): boolean {
  return base.file(path)?.kind.startsWith('executable') ?? false;
}

function shareOf(base: BaseTree, from: string, { content, blobId }: OverlayEntry): number {
  const id = content === null ? blobId : blobIdOf(content);
  if (base.file(from)?.blobId === id) return 1;
  const old = content === null ? null : base.readText(from);
  if (old === null || content === null) return 0;
  const lines = new Set(old.split('\n'));
  const shared = content.split('\n').filter((line) => lines.has(line));
  return (shared.join('\n').length + 1) / (Math.max(old.length, content.length) + 1);
}
