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

export interface DiffFile {
  path: string;
  /** Where a moved file was. */
  from: string | null;
  change: 'added' | 'deleted' | 'moved' | 'changed';
  additions: number;
  deletions: number;
  hunks: DiffHunk[];
  /** What the diff says outside of hunks, in words. */
  notes: string[];
}

const HUNK = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@/;

/**
 * Reads git's unified diff. Lenient: the text may be cut, and what is not understood becomes a note. (`parsePatch` of the package `diff`
 * drops such lines, and throws for a hunk that is cut.) Lines in a hunk are counted by its header, so that a removed line like
 * `-- a/file` is not taken for the next file.
 */
export function parseUnifiedDiff(diff: string): { files: DiffFile[]; notes: string[] } {
  const files: DiffFile[] = [];
  const notes: string[] = [];
  let file: DiffFile | null = null;
  let hunk: DiffHunk | null = null;
  let old = 0;
  let now = 0;
  let oldLeft = 0;
  let nowLeft = 0;

  const lines = diff.split('\n');
  if (lines.at(-1) === '') lines.pop();
  for (const line of lines) {
    if (file && hunk && (oldLeft > 0 || nowLeft > 0) && /^[ +-]|^$/.test(line)) {
      const text = line.slice(1).replace(/\r$/, '');
      if (line.startsWith('+')) {
        hunk.lines.push({ kind: 'add', text, old: null, now: now++ });
        file.additions++;
        nowLeft--;
      } else if (line.startsWith('-')) {
        hunk.lines.push({ kind: 'del', text, old: old++, now: null });
        file.deletions++;
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
      file = {
        path: pathOfHeader(line),
        from: null,
        change: 'changed',
        additions: 0,
        deletions: 0,
        hunks: [],
        notes: [],
      };
      files.push(file);
      hunk = null;
    } else if (file && header) {
      [old, now] = [Number(header[1]), Number(header[3])];
      [oldLeft, nowLeft] = [Number(header[2] ?? 1), Number(header[4] ?? 1)];
      hunk = { header: line, lines: [] };
      file.hunks.push(hunk);
    } else if (file && hunk && line.startsWith('\\')) {
      hunk.lines.push({ kind: 'note', text: line.slice(1).trim(), old: null, now: null });
    } else if (file && !hunk) readFileHeader(file, line);
    else if (line !== '') notes.push(line);
  }
  return { files, notes };
}

function readFileHeader(file: DiffFile, line: string): void {
  const value = (prefix: string) => (line.startsWith(prefix) ? line.slice(prefix.length) : null);
  const source = value('--- ');
  const target = value('+++ ');
  const from = value('rename from ');
  const to = value('rename to ');
  if (from !== null) [file.from, file.change] = [unquoted(from), 'moved'];
  else if (to !== null) file.path = unquoted(to);
  else if (line.startsWith('new file mode')) file.change = 'added';
  else if (line.startsWith('deleted file mode')) file.change = 'deleted';
  else if (target !== null) {
    if (target !== '/dev/null') file.path = withoutSide(target);
  } else if (source !== null) {
    if (source !== '/dev/null') file.path = withoutSide(source);
  } else if (/^Binary files |^GIT binary patch/.test(line)) file.notes.push('A binary file.');
  else if (!/^(?:index|similarity index|dissimilarity index|old mode|new mode) |^$/.test(line)) file.notes.push(line);
}

/** `diff --git a/x b/x`: both sides are equal unless the file was moved, and then more lines say so. */
function pathOfHeader(line: string): string {
  const names = line.slice('diff --git '.length);
  const half = names.slice((names.length + 1) / 2);
  return withoutSide(names.startsWith('a/') && names.length % 2 === 1 && half.startsWith('b/') ? half : names);
}

function withoutSide(name: string): string {
  return unquoted(name.replace(/\t.*$/, '')).replace(/^[ab]\//, '');
}

function unquoted(name: string): string {
  return /^".*"$/.test(name) ? name.slice(1, -1) : name;
}
