import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { LRUCache } from 'lru-cache';
import { codeOf } from '@docent/base/thrown';
import { shortageOf } from '@docent/base/shortage';
import { readablePaths, type Source } from './source.ts';
import { buildSourceIndex, type SourceIndex } from './source-index.ts';

/** Changes with the format of the index, and with the definition of its words. */
const VERSION = 1;
const MAX_BYTES = 160 * 1_048_576;
/** Files that are kept on disk, the newest. */
const MAX_FILES = 20;

const inMemory = new LRUCache<string, SourceIndex>({ maxSize: MAX_BYTES, sizeCalculation: bytesOf });

/**
 * The index of a source at its commit: from memory, else from a file of an earlier process, else built from
 * its texts. For 50,000 files, building takes a minute, and reading the file a tenth of a second.
 * @param folder of the index files; all of them can be rebuilt
 */
export function sourceIndex(source: Source, folder: string): SourceIndex {
  const key = createHash('sha256')
    .update(JSON.stringify([VERSION, source.repository, source.commit, source.paths]))
    .digest('hex');
  const known = inMemory.get(key);
  if (known) return known;
  const file = join(folder, `${key}.words`);
  const index = readKept(file) ?? made(source, folder, file);
  inMemory.set(key, index);
  return index;
}

function made(source: Source, folder: string, file: string): SourceIndex {
  const index = buildSourceIndex(readablePaths(source), (path) => source.base?.readText(path) ?? null);
  try {
    keep(index, folder, file);
  } catch (err) {
    // The next process makes it again.
    if (!shortageOf(err)) throw err;
  }
  return index;
}

function readKept(file: string): SourceIndex | null {
  let content: Buffer;
  try {
    content = readFileSync(file);
  } catch (err) {
    if (codeOf(err) === 'ENOENT') return null;
    throw err;
  }
  const sum = content.subarray(0, 32);
  const rest = content.subarray(32);
  // A file truncated by a full disk counts as missing.
  return sum.equals(sumOf(rest)) ? (deserialize(rest) as SourceIndex) : null;
}

/** Completely or not at all; the newest writer wins. */
function keep(index: SourceIndex, folder: string, file: string): void {
  mkdirSync(folder, { recursive: true });
  const content = serialize(index);
  const temporary = `${file}.${randomUUID()}.tmp`;
  try {
    writeFileSync(temporary, Buffer.concat([sumOf(content), content]));
    renameSync(temporary, file);
  } catch (thrown) {
    rmSync(temporary, { force: true });
    throw thrown;
  }
  const kept = readdirSync(folder)
    .map((name) => join(folder, name))
    .flatMap((path) => {
      const time = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
      return time === undefined ? [] : [{ path, time }];
    });
  for (const { path } of kept.toSorted((a, b) => b.time - a.time).slice(MAX_FILES)) rmSync(path, { force: true });
}

function sumOf(content: Uint8Array): Buffer {
  return createHash('sha256').update(content).digest();
}

function bytesOf({ lengths, words, starts, postings, paths }: SourceIndex): number {
  return lengths.byteLength + words.byteLength + starts.byteLength + postings.byteLength + paths.length * 150 + 1;
}
