import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { extract } from 'tar-stream';
import { z } from 'zod';
import { isMissing } from '../../analytics/storage/durable-files.ts';
import { messageOf } from '@docent/base/thrown';
import { checksumsIn, LIST, TRAILER_BYTES, type Checksums } from './archive.ts';
import { Refused } from '@docent/base/refused';
import { Expected, isExpected } from '../../platform/errors.ts';

/** The kinds of entries that a backup has: others, such as hard links and devices, are forged. */
const KINDS = ['file', 'directory', 'symlink'];

/** In characters. No path that an installation could have made is longer. */
const LONGEST_NAME = 4_096;

/**
 * Checks names, so that none escapes the target: no entry below a symlink, no links outside of the
 * repositories in a home.
 */
export class EntryTree {
  readonly #file: string;
  readonly #ignoresCase: boolean;
  readonly #links = new Set<string>();
  readonly #folders = new Set<string>();

  /** @param ignoresCase whether the file system ignores case and forms of Unicode */
  constructor(file: string, ignoresCase = ['darwin', 'win32'].includes(process.platform)) {
    this.#file = file;
    this.#ignoresCase = ignoresCase;
  }

  /** @throws Expected `backup_damaged` */
  add({ name, linkname }: { name: string; linkname: string | null }, kind: string): void {
    if (!KINDS.includes(kind)) throw this.#damaged(name, `is a ${kind}`);
    // Before its folders are remembered, one by one.
    if (name.length > LONGEST_NAME) throw this.#damaged(`${name.slice(0, 60)}…`, 'is a name too long for any file');
    const parts = (this.#ignoresCase ? name.normalize('NFC').toLowerCase() : name).split('/');
    const own = parts.join('/');
    for (let depth = 1; depth < parts.length; depth += 1) {
      const folder = parts.slice(0, depth).join('/');
      if (this.#links.has(folder)) throw this.#damaged(name, 'is below a link');
      this.#folders.add(folder);
    }
    if (linkname === null) return;
    if (this.#folders.has(own)) throw this.#damaged(name, 'is a link, and a folder');
    if (parts[0] !== 'home' || parts.length < 3 || parts[1] === 'temporal') {
      throw this.#damaged(name, 'is a link outside of a repository');
    }
    this.#links.add(own);
  }

  #damaged(name: string, what: string): Expected {
    return new Expected(
      'backup_damaged',
      `${this.#file} is damaged or forged: ${JSON.stringify(name)} ${what}, which never occurs in a Docent backup.`,
    );
  }
}

export interface ArchiveEntry {
  name: string;
  size: number;
  mode: number;
  isFolder: boolean;
  /** The target of a symbolic link; null for others. */
  linkname: string | null;
  /** Read it once, in the handler. */
  content: AsyncIterable<Buffer>;
}

const Line = z.object({ path: z.string(), bytes: z.int(), sha256: z.string() });
/** The last line of the list. */
const Notes = z.object({
  entries: z.int(),
  rows: z.record(z.string(), z.int()),
  missing: z.array(z.string()),
  damaged: z.array(z.string()),
});
export type Notes = z.output<typeof Notes>;

/** The result of a complete backup. */
export interface ReadArchive {
  /** By name: the SHA-256, in hex, and the size of every entry. */
  entries: Map<string, { bytes: number; sha256: string }>;
  notes: Notes;
}

/** Ends the reading from within the handler: the rest is neither read nor checked. */
export const ENOUGH = Symbol('enough');
type Handler = (entry: ArchiveEntry) => Promise<typeof ENOUGH | void>;

const MAX_SMALL = 64 * 1024 * 1024;

/** All bytes of a small entry. @throws Expected `backup_damaged` for a larger one */
export async function bytesOf({ name, size, content }: ArchiveEntry): Promise<Buffer> {
  if (size > MAX_SMALL) throw new Expected('backup_damaged', `${name} has ${size} bytes, which exceeds the limit.`);
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/**
 * Reads a backup entry by entry and verifies all sums. On damage, the handler must undo its work.
 * @returns null if the handler stopped
 * @throws Expected `backup_damaged`, Refused; whatever the handler throws
 */
export async function readArchive(file: string, onEntry: Handler): Promise<ReadArchive | null> {
  const { bytes, sha256 } = await trailerIn(file);
  const tree = new EntryTree(file);
  const whole = createHash('sha256');
  const found: ReadArchive['entries'] = new Map();
  let list: Buffer | null = null;
  let hadEnough = false;
  let failure: unknown;

  const unpacking = extract();
  const stop = new AbortController();
  const reading = pipeline(
    createReadStream(file, { end: bytes - TRAILER_BYTES - 1, highWaterMark: 1024 * 1024 }),
    async function* hashed(chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        whole.update(chunk);
        yield chunk;
      }
    },
    // streamx's own type, which Node accepts as one of its streams.
    unpacking as unknown as NodeJS.WritableStream,
    { signal: stop.signal },
  );
  reading.catch(() => {});
  try {
    for await (const raw of unpacking) {
      const { header } = raw;
      const sum = createHash('sha256');
      const content = (async function* summed() {
        for await (const chunk of raw as AsyncIterable<Buffer>) {
          sum.update(chunk);
          yield chunk;
        }
      })();
      const entry: ArchiveEntry = {
        // Tar programs know a folder by the slash.
        name: header.type === 'directory' ? header.name.replace(/\/$/, '') : header.name,
        isFolder: header.type === 'directory',
        size: header.size,
        mode: header.mode,
        linkname: header.type === 'symlink' ? header.linkname : null,
        content,
      };
      tree.add(entry, header.type ?? 'file of an unknown kind');
      if (list !== null)
        throw new Expected('backup_damaged', `${file} is damaged: it has data after its list of entries.`);
      if (found.has(entry.name))
        throw new Expected('backup_damaged', `${file} is damaged: it contains ${entry.name} twice.`);
      if (entry.name === LIST) {
        list = await bytesOf({ ...entry, size: 0 });
        continue;
      }
      try {
        hadEnough = (await onEntry(entry)) === ENOUGH;
      } catch (err) {
        failure = err;
        throw err;
      }
      if (hadEnough) break;
      // What the handler did not read.
      for await (const _ of content);
      found.set(entry.name, { bytes: entry.size, sha256: sum.digest('hex') });
    }
    if (hadEnough) return null;
    await reading;
  } catch (err) {
    if (failure !== undefined || isExpected(err, 'backup_damaged')) throw err;
    throw new Expected('backup_damaged', `${file} is damaged: it cannot be read as a tar file (${messageOf(err)}).`, {
      cause: err,
    });
  } finally {
    stop.abort();
    unpacking.destroy();
  }
  if (whole.digest('hex') !== sha256)
    throw new Expected('backup_damaged', `${file} is damaged: its checksum does not match.`);
  if (list === null) throw new Expected('backup_damaged', `${file} is damaged: its list of entries is missing.`);
  return { entries: found, notes: compare(file, found, list) };
}

/**
 * A backup's length and checksums.
 * @throws Expected `backup_damaged` for an incomplete file, Refused for none
 */
export async function trailerIn(file: string): Promise<Checksums & { bytes: number }> {
  let handle;
  try {
    handle = await open(file, 'r');
  } catch (err) {
    throw isMissing(err) ? new Refused(`${file} does not exist.`) : err;
  }
  try {
    const { size } = await handle.stat();
    const trailer = Buffer.alloc(TRAILER_BYTES);
    if (size > TRAILER_BYTES) await handle.read(trailer, 0, TRAILER_BYTES, size - TRAILER_BYTES);
    const checksums = checksumsIn(trailer);
    if (checksums !== null) return { bytes: size, ...checksums };
  } finally {
    await handle.close();
  }
  throw new Expected('backup_damaged', `${file} is not a complete Docent backup: its end is missing.`);
}

function compare(file: string, found: ReadArchive['entries'], list: Buffer): Notes {
  const lines = list.toString('utf8').trimEnd().split('\n');
  const notes = parsed(file, Notes, lines.pop() ?? '');
  for (const line of lines) {
    const { path, bytes, sha256 } = parsed(file, Line, line);
    const entry = found.get(path);
    if (entry?.bytes !== bytes || entry.sha256 !== sha256) {
      throw new Expected('backup_damaged', `${file} is damaged: ${path} is missing, or its checksum does not match.`);
    }
  }
  if (lines.length !== found.size || notes.entries !== found.size) {
    throw new Expected(
      'backup_damaged',
      `${file} is damaged: it contains ${found.size} entries, but its list has ${lines.length}.`,
    );
  }
  return notes;
}

/** @throws Expected `backup_damaged` */
export function parsed<T>(file: string, schema: z.ZodType<T>, json: string): T {
  try {
    return schema.parse(JSON.parse(json));
  } catch (err) {
    throw new Expected('backup_damaged', `${file} is damaged or has an unknown format: its header cannot be read.`, {
      cause: err,
    });
  }
}
