import type { components } from './generated/openapi.ts';

type FileChange = components['schemas']['FileChange'];

export interface DiffLine {
  kind: 'add' | 'del' | 'same' | 'note';
  text: string;
  /** Line numbers in the old and the new file. */
  old: number | null;
  now: number | null;
}

export interface DiffHunk {
  header: string;
  lines: DiffLine[];
}

export interface DiffFile extends FileChange {
  hunks: DiffHunk[];
  /** Lines about the file that are neither a known header nor part of a hunk. */
  notes: string[];
}

export interface Diff {
  files: DiffFile[];
  /** Lines that belong to no file. */
  notes: string[];
  /** Whether parts are missing: too long to show, or binary. `git apply` refuses such a diff. */
  isCut: boolean;
}

interface ReadFile extends DiffFile {
  oldId: string;
  newId: string;
}

const HUNK = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@/;
const INDEX = /^index ([0-9a-f]+)\.\.([0-9a-f]+)/;
const IGNORED = /^(?:index|similarity index|dissimilarity index|old mode|new mode|--- |\+\+\+ )|^$/;

/**
 * Parses a unified diff of Docent, in git's form. A text that was renamed without changes is one file with
 * status `renamed`, although the diff deletes and adds it. Never throws: an unknown line becomes a note.
 */
export function readDiff(diff: string): Diff {
  const files: ReadFile[] = [];
  const notes: string[] = [];
  let isCut = false;
  let file: ReadFile | undefined;
  let hunk: DiffHunk | undefined;
  let [old, now, oldLeft, nowLeft] = [0, 0, 0, 0];
  const lines = diff.split('\n');
  if (lines.at(-1) === '') lines.pop();
  for (const line of lines) {
    // Counted by the header: a removed line like `-- a/file` looks like the next file.
    if (file && hunk && (oldLeft > 0 || nowLeft > 0) && (line === '' || /^[ +-]/.test(line))) {
      const text = line.slice(1);
      const kind = line.startsWith('+') ? 'add' : line.startsWith('-') ? 'del' : 'same';
      hunk.lines.push({ kind, text, old: kind === 'add' ? null : old, now: kind === 'del' ? null : now });
      if (kind !== 'add') [old, oldLeft] = [old + 1, oldLeft - 1];
      if (kind !== 'del') [now, nowLeft] = [now + 1, nowLeft - 1];
      if (kind === 'add') file.additions++;
      if (kind === 'del') file.deletions++;
      continue;
    }
    const header = HUNK.exec(line);
    if (line.startsWith('diff --git ')) {
      file = newFile(line.slice('diff --git '.length));
      files.push(file);
      hunk = undefined;
    } else if (file && header) {
      [old, now] = [Number(header[1]), Number(header[3])];
      [oldLeft, nowLeft] = [Number(header[2] ?? 1), Number(header[4] ?? 1)];
      hunk = { header: line, lines: [] };
      file.hunks.push(hunk);
    } else if (file && hunk && line.startsWith('\\')) {
      hunk.lines.push({ kind: 'note', text: line.slice(1).trim(), old: null, now: null });
    } else if (line.startsWith('... ')) {
      isCut = true;
      (file && !hunk && !line.startsWith('... the diff is cut') ? file.notes : notes).push(line.slice('... '.length));
    } else if (file && !hunk) readHeader(file, line);
    else if (line !== '') notes.push(line);
  }
  isCut ||= files.some(({ binary, status }) => binary && (status === 'added' || status === 'modified'));
  for (const each of files) for (const part of each.hunks) removeCommonReturns(part);
  return { files: joinRenames(files), notes, isCut };
}

/** Both names are the same; otherwise, later lines have them. */
function newFile(names: string): ReadFile {
  const path = unquote(names.slice((names.length + 1) / 2)).replace(/^b\//, '');
  return {
    path,
    oldPath: null,
    status: 'modified',
    additions: 0,
    deletions: 0,
    binary: false,
    hunks: [],
    notes: [],
    oldId: '',
    newId: '',
  };
}

function readHeader(file: ReadFile, line: string): void {
  const [, oldId, newId] = INDEX.exec(line) ?? [];
  const name = /^(?:---|\+\+\+) (?!\/dev\/null)(.*)$/.exec(line)?.[1];
  if (oldId && newId) [file.oldId, file.newId] = [oldId, newId];
  else if (name !== undefined) file.path = unquote(name).replace(/^[ab]\//, '');
  else if (line.startsWith('new file mode ')) file.status = 'added';
  else if (line.startsWith('deleted file mode ')) file.status = 'deleted';
  else if (/^Binary files |^GIT binary patch/.test(line)) file.binary = true;
  else if (line.startsWith('rename from ')) {
    [file.status, file.oldPath] = ['renamed', unquote(line.slice('rename from '.length))];
  } else if (line.startsWith('rename to ')) file.path = unquote(line.slice('rename to '.length));
  // Docent writes this for renamed binary files alone.
  else if (line === 'similarity index 100%') file.binary = true;
  else if (!IGNORED.test(line)) file.notes.push(line);
}

/** Joins a deleted text and an added one that are the same. */
function joinRenames(files: readonly ReadFile[]): DiffFile[] {
  const deleted = new Map(files.filter(({ status }) => status === 'deleted').map((file) => [file.oldId, file]));
  const origins = new Map<ReadFile, ReadFile>();
  for (const file of files) {
    const origin = file.status === 'added' && file.newId !== '' ? deleted.get(file.newId) : undefined;
    if (!origin) continue;
    origins.set(file, origin);
    deleted.delete(file.newId);
  }
  const joined = new Set(origins.values());
  return files
    .filter((file) => !joined.has(file))
    .map((file) => {
      const { oldId: _oldId, newId: _newId, ...rest } = file;
      const origin = origins.get(file);
      if (!origin) return rest;
      return { ...rest, oldPath: origin.path, status: 'renamed', additions: 0, deletions: 0, hunks: [] };
    });
}

/** Carriage returns at the end of every line are not shown; a single one that came or went is. */
function removeCommonReturns({ lines }: DiffHunk): void {
  const texts = lines.filter(({ kind }) => kind !== 'note');
  if (!texts.every(({ text }) => text.endsWith('\r'))) return;
  for (const line of texts) line.text = line.text.slice(0, -1);
}

const ESCAPES: Record<string, string> = { '\\t': '\t', '\\n': '\n', '\\r': '\r' };

/** A path as git quotes it: in quotes, bytes in octal. A tab ends a name that has spaces. */
function unquote(name: string): string {
  const bare = name.replace(/\t.*$/, '');
  if (!/^".*"$/.test(bare)) return bare;
  const bytes: number[] = [];
  const encoder = new TextEncoder();
  for (const [part] of bare.slice(1, -1).matchAll(/\\[0-7]{3}|\\.|[^\\]+/gs)) {
    if (/^\\[0-7]{3}$/.test(part)) bytes.push(Number.parseInt(part.slice(1), 8) & 255);
    else bytes.push(...encoder.encode(ESCAPES[part] ?? part.replace(/^\\/, '')));
  }
  return new TextDecoder().decode(new Uint8Array(bytes));
}
