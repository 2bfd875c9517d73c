/** A file that a diff changes. */
export interface FileChange {
  path: string;
  /** Where a renamed file was; else null. */
  oldPath: string | null;
  status: 'added' | 'modified' | 'deleted' | 'renamed';
  /** Lines; 0 for a binary file and for one that was renamed as it was. */
  additions: number;
  deletions: number;
  binary: boolean;
}

interface Read extends FileChange {
  oldId: string;
  newId: string;
}

const HUNK = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;
const INDEX = /^index ([0-9a-f]+)\.\.([0-9a-f]+)/;

/** What a diff of diff-trees.ts says where it left something out. */
const CUT = /^\.\.\. (?:the diff is cut here: \d+ more changed files?|\d+ changed parts, too long to show)$/m;

/** A binary file whose content the diff would have to have: all but one that is gone. */
const BINARY = /^Binary files .* and (?!\/dev\/null differ$)/m;

/** Whether a diff of diff-trees.ts lacks something: git would not take it. Lines of files begin with another character. */
export function isCutDiff(diff: string): boolean {
  return CUT.test(diff) || BINARY.test(diff);
}

/**
 * The files of a diff of diff-trees.ts, in its order, with what it changes in each. A text that was moved as it was is one file,
 * renamed, though the diff has it twice. What was cut from the diff is not there; the lines of a part that was too long are not counted.
 */
export function filesOfDiff(diff: string): FileChange[] {
  const files: Read[] = [];
  let file: Read | undefined;
  let oldLeft = 0;
  let newLeft = 0;
  for (let at = 0; at < diff.length;) {
    const end = diff.indexOf('\n', at);
    const line = diff.slice(at, end === -1 ? diff.length : end);
    at = end === -1 ? diff.length : end + 1;
    if (file && (oldLeft > 0 || newLeft > 0)) {
      // Counted by the header: a removed line may look like one.
      if (line.startsWith('+')) [file.additions, newLeft] = [file.additions + 1, newLeft - 1];
      else if (line.startsWith('-')) [file.deletions, oldLeft] = [file.deletions + 1, oldLeft - 1];
      else if (!line.startsWith('\\')) [oldLeft, newLeft] = [oldLeft - 1, newLeft - 1];
      continue;
    }
    const hunk = HUNK.exec(line);
    if (hunk) [oldLeft, newLeft] = [Number(hunk[1] ?? 1), Number(hunk[2] ?? 1)];
    else if (line.startsWith('diff --git ')) {
      file = newFile(line.slice('diff --git '.length));
      files.push(file);
    } else if (file) readHeader(file, line);
  }
  return withRenames(files);
}

/** How much that is in all. */
export function sizeOf(files: readonly FileChange[]): { files: number; additions: number; deletions: number } {
  const sum = (field: 'additions' | 'deletions') => files.reduce((total, file) => total + file[field], 0);
  return { files: files.length, additions: sum('additions'), deletions: sum('deletions') };
}

/** Both names are the same; where they are not, more lines say so. */
function newFile(names: string): Read {
  const half = names.slice((names.length + 1) / 2);
  const path = unquoted(half).replace(/^b\//, '');
  return { path, oldPath: null, status: 'modified', additions: 0, deletions: 0, binary: false, oldId: '', newId: '' };
}

function readHeader(file: Read, line: string): void {
  const [, oldId, newId] = INDEX.exec(line) ?? [];
  if (oldId && newId) [file.oldId, file.newId] = [oldId, newId];
  else if (line.startsWith('new file mode ')) file.status = 'added';
  else if (line.startsWith('deleted file mode ')) file.status = 'deleted';
  else if (line.startsWith('Binary files ')) file.binary = true;
  else if (line.startsWith('rename from ')) {
    // Only binary files are told so.
    [file.status, file.binary, file.oldPath] = ['renamed', true, unquoted(line.slice('rename from '.length))];
  } else if (line.startsWith('rename to ')) file.path = unquoted(line.slice('rename to '.length));
}

/** Joins a deleted text and an added one that are the same. */
function withRenames(files: readonly Read[]): FileChange[] {
  const gone = new Map(files.filter(({ status }) => status === 'deleted').map((file) => [file.oldId, file]));
  const renamed = new Map<Read, Read>();
  for (const file of files) {
    const origin = file.status === 'added' ? gone.get(file.newId) : undefined;
    if (!origin) continue;
    renamed.set(file, origin);
    gone.delete(file.newId);
  }
  const origins = new Set(renamed.values());
  return files
    .filter((file) => !origins.has(file))
    .map((file) => {
      const { oldId: _oldId, newId: _newId, ...change } = file;
      const origin = renamed.get(file);
      return origin
        ? { ...change, oldPath: origin.path, status: 'renamed' as const, additions: 0, deletions: 0 }
        : change;
    });
}

/** As quotePath of diff-trees.ts writes it. */
function unquoted(name: string): string {
  if (!/^".*"$/.test(name)) return name;
  const bytes: Buffer[] = [];
  for (const [part] of name.slice(1, -1).matchAll(/\\[0-7]{3}|\\.|[^\\]+/gs)) bytes.push(bytesOf(part));
  return Buffer.concat(bytes).toString('utf8');
}

function bytesOf(part: string): Buffer {
  if (/^\\[0-7]{3}$/.test(part)) return Buffer.from([Number.parseInt(part.slice(1), 8)]);
  if (!part.startsWith('\\')) return Buffer.from(part);
  return Buffer.from({ '\\t': '\t', '\\n': '\n', '\\r': '\r' }[part] ?? part.slice(1));
}
