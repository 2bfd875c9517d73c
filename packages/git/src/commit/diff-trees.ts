import { structuredPatch, type StructuredPatchHunk } from 'diff';
import type { BaseFile, BaseTree } from '@docent/base/files/base-tree';

/** A diff stops before the file that would make it longer. Bytes. */
const MAX_DIFF_BYTES = 1_048_576;
/** Changed lines beyond which a file is shown as replaced. */
const MAX_EDITS = 4_000;
/** Of all files: the shortest diff of one takes about half the square of its changed lines. */
const MAX_EFFORT = 24_000_000;
const CONTEXT_LINES = 3;

/** Paths whose file, blob or mode differs, in code unit order. */
export function changedPaths(from: BaseTree, to: BaseTree): string[] {
  const changed: string[] = [];
  for (const file of to.files()) if (!sameFile(from.file(file.path), file)) changed.push(file.path);
  for (const file of from.files()) if (!to.file(file.path)) changed.push(file.path);
  return changed.toSorted();
}

/** A diff for `git apply`, cut at a file's end beyond {@link MAX_DIFF_BYTES}; binary moves are renames. */
export function diffTrees(from: BaseTree, to: BaseTree, maxBytes = MAX_DIFF_BYTES): string {
  const all = changedPaths(from, to);
  const renames = binaryRenames(from, to, all);
  const moved = new Set(renames.values());
  const paths = all.filter((path) => !moved.has(path));
  const parts: string[] = [];
  const effort = { left: MAX_EFFORT };
  let left = maxBytes - 200;
  for (const [i, path] of paths.entries()) {
    const origin = renames.get(path);
    const part =
      origin === undefined ? diffFile(path, from, to, { maxBytes: left, effort }, maxBytes) : rename(origin, path);
    left -= Buffer.byteLength(part);
    if (left < 0) {
      const more = paths.length - i;
      parts.push(`... the diff is cut here: ${more} more changed ${more === 1 ? 'file' : 'files'}\n`);
      break;
    }
    parts.push(part);
  }
  return parts.join('');
}

/** New paths to old paths of unchanged binary files, so that the patch applies without their content. */
function binaryRenames(from: BaseTree, to: BaseTree, paths: readonly string[]): Map<string, string> {
  const gone = new Map<string, string>();
  for (const path of paths) {
    const file = to.file(path) ? undefined : from.file(path);
    if (file && from.readText(path) === null) gone.set(`${file.blobId} ${modeOf(file)}`, path);
  }
  const renames = new Map<string, string>();
  for (const path of gone.size > 0 ? paths : []) {
    const file = from.file(path) ? undefined : to.file(path);
    const key = file && `${file.blobId} ${modeOf(file)}`;
    const origin = key && gone.get(key);
    if (!key || !origin) continue;
    renames.set(path, origin);
    gone.delete(key);
  }
  return renames;
}

function rename(from: string, to: string): string {
  return [
    `diff --git ${quotePath(`a/${from}`)} ${quotePath(`b/${to}`)}`,
    'similarity index 100%',
    `rename from ${quotePath(from)}`,
    `rename to ${quotePath(to)}`,
    '',
  ].join('\n');
}

function diffFile(
  path: string,
  from: BaseTree,
  to: BaseTree,
  { maxBytes, effort }: { maxBytes: number; effort: { left: number } },
  maxDiffBytes: number,
): string {
  const [before, after] = [from.file(path), to.file(path)];
  const oldName = quotePath(`a/${path}`);
  const newName = quotePath(`b/${path}`);
  const [oldMode, newMode] = [before && modeOf(before), after && modeOf(after)];
  const lines = [`diff --git ${oldName} ${newName}`];
  if (!oldMode) lines.push(`new file mode ${newMode}`);
  else if (!newMode) lines.push(`deleted file mode ${oldMode}`);
  else if (oldMode !== newMode) lines.push(`old mode ${oldMode}`, `new mode ${newMode}`);
  if (before?.blobId === after?.blobId) return `${lines.join('\n')}\n`;
  const oldText = before ? from.readText(path) : '';
  const newText = after ? to.readText(path) : '';
  // Git only accepts headers of a binary file with whole ids.
  const digits = oldText === null || newText === null ? 40 : 10;
  const [oldId, newId] = [before, after].map((file) => (file?.blobId ?? '0'.repeat(40)).slice(0, digits));
  const index = `index ${oldId}..${newId}`;
  lines.push(oldMode === newMode ? `${index} ${newMode}` : index);
  const [oldLabel, newLabel] = [before ? oldName : '/dev/null', after ? newName : '/dev/null'];
  if (oldText === null || newText === null) {
    lines.push(`Binary files ${oldLabel} and ${newLabel} differ`);
    return `${lines.join('\n')}\n`;
  }
  const hunks = hunksOf(oldText, newText, effort);
  if (hunks.length === 0) return `${lines.join('\n')}\n`;
  lines.push(`--- ${oldLabel}`, `+++ ${newLabel}`);
  const shown = hunks.flatMap((hunk) => [hunkHeader(hunk), ...hunk.lines]);
  const text = `${[...lines, ...shown].join('\n')}\n`;
  // If one file alone is too large, only its headers are included, if they fit.
  const fits = Buffer.byteLength(text) <= maxBytes || Buffer.byteLength(text) <= maxDiffBytes / 2;
  return fits ? text : `${lines.join('\n')}\n... ${hunks.length} changed parts, too long to show\n`;
}

function hunksOf(before: string, after: string, effort: { left: number }): StructuredPatchHunk[] {
  const maxEditLength = Math.min(MAX_EDITS, Math.floor(Math.sqrt(2 * effort.left)));
  const options = { context: CONTEXT_LINES, maxEditLength };
  const patch = structuredPatch('', '', before, after, undefined, undefined, options);
  const edits = patch
    ? patch.hunks.flatMap(({ lines }) => lines).filter((line) => /^[+-]/.test(line)).length
    : maxEditLength;
  effort.left = Math.max(0, effort.left - (edits * edits) / 2);
  return patch ? patch.hunks : replacement(before, after);
}

/** One hunk that takes all old lines out and puts all new ones in. */
function replacement(before: string, after: string): StructuredPatchHunk[] {
  const [olds, news] = [markedLines(before, '-'), markedLines(after, '+')];
  return [
    {
      oldStart: 1,
      oldLines: olds.count,
      newStart: 1,
      newLines: news.count,
      lines: [...olds.lines, ...news.lines],
    },
  ];
}

function markedLines(text: string, mark: string): { lines: string[]; count: number } {
  if (text === '') return { lines: [], count: 0 };
  const rows = text.split('\n');
  const whole = rows.at(-1) === '';
  if (whole) rows.pop();
  const lines = rows.map((row) => mark + row);
  return { lines: whole ? lines : [...lines, '\\ No newline at end of file'], count: rows.length };
}

function hunkHeader({ oldStart, oldLines, newStart, newLines }: StructuredPatchHunk): string {
  return `@@ -${lineRange(oldStart, oldLines)} +${lineRange(newStart, newLines)} @@`;
}

/** An empty range begins on the line before it. */
function lineRange(start: number, count: number): string {
  if (count === 1) return `${start}`;
  return `${count === 0 ? start - 1 : start},${count}`;
}

function sameFile(a: BaseFile | undefined, b: BaseFile): boolean {
  return a !== undefined && a.blobId === b.blobId && modeOf(a) === modeOf(b);
}

function modeOf({ kind }: BaseFile): string {
  if (kind === 'symlink') return '120000';
  if (kind === 'submodule') return '160000';
  return kind.startsWith('executable') ? '100755' : '100644';
}

/** Unusual paths as git writes them: quoted, with backslash escapes. */
function quotePath(path: string): string {
  if (!/[\p{Cc}"\\]/u.test(path)) return path;
  const escaped = path.replace(/[\p{Cc}"\\]/gu, (char) => {
    const short = { '\t': '\\t', '\n': '\\n', '\r': '\\r', '"': '\\"', '\\': '\\\\' }[char];
    if (short) return short;
    return [...Buffer.from(char)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
  });
  return `"${escaped}"`;
}
