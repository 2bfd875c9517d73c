import type { components } from '@docent/client';

type FileChange = components['schemas']['FileChange'];

export interface DiffLine {
  kind: 'add' | 'del' | 'same' | 'note';
  text: string;
  /** Line numbers in the old and the new file. */
  old: number | null;
  now: number | null;
}

export interface Hunk {
  header: string;
  lines: DiffLine[];
}

export interface DiffFile {
  path: string;
  /** Where a renamed file was. */
  oldPath: string | null;
  status: FileChange['status'];
  additions: number;
  deletions: number;
  isBinary: boolean;
  hunks: Hunk[];
  /** What the diff says of it outside of hunks. */
  notes: string[];
}

const HUNK = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@/;
const KNOWN = /^(?:index|similarity index|dissimilarity index|old mode|new mode|rename from|rename to) |^$/;

/**
 * Reads a diff of the API. Lenient: it may be cut, and what is not understood is a note. Lines in a hunk are counted by its header, so that a
 * removed line like `-- a/file` is not taken for the next file. Texts that were moved as they were are one file, as in `changes`.
 * @param changes the files of the diff, as the API counts them
 */
export function readDiff(diff: string, changes: readonly FileChange[]): { files: DiffFile[]; notes: string[] } {
  const files: DiffFile[] = [];
  const notes: string[] = [];
  let file: DiffFile | undefined;
  let hunk: Hunk | undefined;
  let [old, now, oldLeft, nowLeft] = [0, 0, 0, 0];
  const lines = diff.split('\n');
  if (lines.at(-1) === '') lines.pop();
  for (const line of lines) {
    if (file && hunk && (oldLeft > 0 || nowLeft > 0) && /^[ +-]|^$/.test(line)) {
      const text = line.slice(1);
      if (line.startsWith('+')) {
        hunk.lines.push({ kind: 'add', text, old: null, now: now++ });
        nowLeft--;
      } else if (line.startsWith('-')) {
        hunk.lines.push({ kind: 'del', text, old: old++, now: null });
        oldLeft--;
      } else {
        hunk.lines.push({ kind: 'same', text, old: old++, now: now++ });
        oldLeft--;
        nowLeft--;
      }
      continue;
    }
    const header = HUNK.exec(line);
    if (line.startsWith('diff --git ')) {
      file = newFile(line);
      files.push(file);
      hunk = undefined;
    } else if (file && header) {
      [old, now] = [Number(header[1]), Number(header[3])];
      [oldLeft, nowLeft] = [Number(header[2] ?? 1), Number(header[4] ?? 1)];
      hunk = { header: line, lines: [] };
      file.hunks.push(hunk);
    } else if (file && hunk && line.startsWith('\\')) {
      hunk.lines.push({ kind: 'note', text: line.slice(1).trim(), old: null, now: null });
    } else if (file && !hunk && !line.startsWith('... the diff is cut')) readHeader(file, line);
    else if (line !== '') notes.push(line.replace(/^\.\.\. /, ''));
  }
  for (const each of files) for (const part of each.hunks) withoutCommonReturns(part);
  return { files: counted(files, changes), notes };
}

function newFile(header: string): DiffFile {
  const names = header.slice('diff --git '.length);
  const half = names.slice((names.length + 1) / 2);
  return {
    path: unquoted(half).replace(/^b\//, ''),
    oldPath: null,
    status: 'modified',
    additions: 0,
    deletions: 0,
    isBinary: false,
    hunks: [],
    notes: [],
  };
}

function readHeader(file: DiffFile, line: string): void {
  const target = /^(?:---|\+\+\+) (?!\/dev\/null)(.*)$/.exec(line)?.[1];
  if (target !== undefined) file.path = unquoted(target).replace(/^[ab]\//, '');
  else if (line.startsWith('rename from ')) file.oldPath = unquoted(line.slice('rename from '.length));
  else if (line.startsWith('new file mode')) file.status = 'added';
  else if (line.startsWith('deleted file mode')) file.status = 'deleted';
  else if (/^Binary files |^GIT binary patch/.test(line)) file.isBinary = true;
  else if (!KNOWN.test(line) && !/^(?:---|\+\+\+) /.test(line)) file.notes.push(line.replace(/^\.\.\. /, ''));
  if (line.startsWith('rename to ')) [file.path, file.status] = [unquoted(line.slice('rename to '.length)), 'renamed'];
}

/** In the form of the API's own list: with its numbers, and with what was moved as one file. */
function counted(files: DiffFile[], changes: readonly FileChange[]): DiffFile[] {
  const byPath = new Map(changes.map((change) => [change.path, change]));
  const moved = new Set(changes.flatMap(({ status, oldPath }) => (status === 'renamed' && oldPath ? [oldPath] : [])));
  return files
    .filter(({ path, status }) => !(status === 'deleted' && moved.has(path) && !byPath.has(path)))
    .map((file) => {
      const change = byPath.get(file.path);
      if (!change) return file;
      const { oldPath, status, additions, deletions, binary } = change;
      const hunks = status === 'renamed' ? [] : file.hunks;
      return { ...file, oldPath, status, additions, deletions, isBinary: binary || file.isBinary, hunks };
    });
}

/** Carriage returns that all lines end with say nothing; one that came or went does. */
function withoutCommonReturns({ lines }: Hunk): void {
  const texts = lines.filter(({ kind }) => kind !== 'note');
  if (!texts.every(({ text }) => text.endsWith('\r'))) return;
  for (const line of texts) line.text = line.text.slice(0, -1);
}

/** A path as git quotes it: bytes in octal. */
function unquoted(name: string): string {
  const bare = name.replace(/\t.*$/, '');
  if (!/^".*"$/.test(bare)) return bare;
  const bytes: number[] = [];
  const encoder = new TextEncoder();
  for (const [part] of bare.slice(1, -1).matchAll(/\\[0-7]{3}|\\.|[^\\]+/gs)) {
    if (/^\\[0-7]{3}$/.test(part)) bytes.push(Number.parseInt(part.slice(1), 8) & 255);
    else bytes.push(...encoder.encode({ '\\t': '\t', '\\n': '\n', '\\r': '\r' }[part] ?? part.replace(/^\\/, '')));
  }
  return new TextDecoder().decode(new Uint8Array(bytes));
}
