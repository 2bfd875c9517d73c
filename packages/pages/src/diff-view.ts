import type { DiffFile, DiffHunk, DiffLine } from '@docent/client';
import { markup, type Content, type Html } from './html.ts';

/** Browsers get slow with more lines. */
const MAX_LINES = 20_000;
const MAX_LINES_PER_FILE = 5_000;
/** Longer diffs of one file start collapsed. */
const OPEN_LINES = 500;

const CHANGES: Record<DiffFile['status'], string> = {
  added: 'new',
  deleted: 'deleted',
  renamed: 'moved',
  modified: '',
};

/** The list of changed files, each linking to its diff. */
export function fileSummary(files: readonly DiffFile[]): Html {
  return markup`<ul class="files">${files.map(
    (file, i) => markup`
<li><a class="what" href="#file-${i}">${visible(shownPaths(file))}</a> <span class="soft">${CHANGES[file.status]}</span> ${counts(file)}</li>`,
  )}
</ul>`;
}

/** Every file's diff, colored, with line numbers. Misleading characters are spelled out. */
export function diffView(files: readonly DiffFile[]): Html {
  let left = MAX_LINES;
  const blocks = files.map((file, i) => {
    const total = file.hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0);
    const shown = Math.min(total, MAX_LINES_PER_FILE, left);
    left -= shown;
    const isOpen = total <= OPEN_LINES && shown === total;
    return markup`<details class="file" id="file-${i}"${isOpen && markup` open`}>
<summary>${visible(shownPaths(file))} ${counts(file)}</summary>
<div class="scroll"><table class="diff">
${rows(file, shown)}${shown < total && note(`${total - shown} more lines are not shown here.`)}</table></div>
</details>
`;
  });
  return markup`${blocks}`;
}

function rows(file: DiffFile, limit: number): Content[] {
  const parts: Content[] = [...(file.binary ? ['A binary file.'] : []), ...file.notes].map(note);
  let left = limit;
  for (const hunk of file.hunks) {
    if (left <= 0) break;
    parts.push(hunkRows(hunk, left));
    left -= hunk.lines.length;
  }
  if (parts.length === 0) parts.push(note('No lines changed.'));
  return parts;
}

function hunkRows(hunk: DiffHunk, limit: number): Html {
  return markup`<tr class="hunk"><td class="no"></td><td class="no"></td><td>${visible(hunk.header)}</td></tr>
${hunk.lines.slice(0, limit).map(lineRow)}`;
}

const SIGNS: Record<DiffLine['kind'], string> = { add: '+', del: '-', same: ' ', note: '' };

function lineRow(line: DiffLine): Html {
  if (line.kind === 'note') return note(line.text);
  return markup`<tr class="${line.kind}"><td class="no">${line.old}</td><td class="no">${line.now}</td><td>${SIGNS[line.kind]} ${visible(line.text)}</td></tr>
`;
}

function note(text: string): Html {
  return markup`<tr class="note"><td class="no"></td><td class="no"></td><td>${visible(text)}</td></tr>
`;
}

function counts(file: DiffFile): Html {
  return markup`<span class="plus">+${file.additions}</span> <span class="minus">−${file.deletions}</span>`;
}

function shownPaths(file: DiffFile): string {
  return file.oldPath === null ? file.path : `${file.oldPath} → ${file.path}`;
}

/** Direction overrides, zero-width and control characters: they can make a text look like another. */
const DECEIVING =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

function visible(text: string): Content {
  const parts: Content[] = [];
  let end = 0;
  for (const match of text.matchAll(DECEIVING)) {
    const code = match[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
    parts.push(text.slice(end, match.index), markup`<span class="hidden">U+${code}</span>`);
    end = match.index + 1;
  }
  return end === 0 ? text : [...parts, text.slice(end)];
}
