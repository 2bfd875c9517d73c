import { isUtf8 } from 'node:buffer';
import { GitError } from '../git-error.ts';

/** An entry of a tree object, its name and mode as the very bytes that the object has. */
export interface TreeEntry {
  /** Octal: `40000` folder, `100644` file, `100755` executable, `120000` symlink, `160000` submodule. */
  mode: string;
  name: Buffer;
  id: string;
}

export function parseTree(raw: Buffer): TreeEntry[] {
  const entries: TreeEntry[] = [];
  for (let at = 0; at < raw.length;) {
    const space = raw.indexOf(0x20, at);
    const end = raw.indexOf(0, space + 1);
    if (space === -1 || end === -1 || end + 21 > raw.length)
      throw new GitError('object_bad', 'a folder of it is cut short');
    const mode = raw.toString('latin1', at, space);
    if (!/^[0-7]{5,6}$/.test(mode))
      throw new GitError('object_bad', 'a folder of it has an entry with an unreadable mode');
    entries.push({ mode, name: raw.subarray(space + 1, end), id: raw.toString('hex', end + 1, end + 21) });
    at = end + 21;
  }
  return entries;
}

/** Refuses entries that git itself would not check out: they are made manually, to fool a reader. */
export function assertSafeEntries(entries: readonly TreeEntry[]): void {
  const names = new Set<string>();
  for (const { name } of entries) {
    const text = name.toString('latin1');
    if (text === '' || text === '.' || text === '..' || text.includes('/') || text.toLowerCase() === '.git') {
      throw new GitError('object_bad', `a folder of it has an entry named ${JSON.stringify(text)}`);
    }
    if (names.has(text))
      throw new GitError('object_bad', `a folder of it has two entries named ${JSON.stringify(text)}`);
    names.add(text);
  }
}

/** In git's order: by bytes, folders as if their names ended in a slash. */
export function serializeTree(entries: readonly TreeEntry[]): Buffer {
  const key = (entry: TreeEntry) => (isFolder(entry) ? Buffer.concat([entry.name, Buffer.from('/')]) : entry.name);
  const sorted = entries.map((entry) => ({ entry, key: key(entry) })).toSorted((a, b) => Buffer.compare(a.key, b.key));
  return Buffer.concat(
    sorted.flatMap(({ entry }) => [
      Buffer.from(`${entry.mode} `),
      entry.name,
      Buffer.from([0]),
      Buffer.from(entry.id, 'hex'),
    ]),
  );
}

export function isFolder({ mode }: TreeEntry): boolean {
  return mode === '40000' || mode === '040000';
}

/** The name as text; null if it is not UTF-8. */
export function utf8Name({ name }: TreeEntry): string | null {
  return isUtf8(name) ? name.toString('utf8') : null;
}
