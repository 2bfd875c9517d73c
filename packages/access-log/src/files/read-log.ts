import { createReadStream } from 'node:fs';
import { glob, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { messageOf } from '@docent/base/thrown';
import { followFile } from './follow-file.ts';
import { needsMoreToTell, unpackerOf } from './unpack.ts';
import { oldestFirst } from './rotations.ts';
import { LineSplitter, type LogBlock } from './line-splitter.ts';
import { Refused } from '@docent/base/refused';

export type { LogBlock } from './line-splitter.ts';

export interface ReadLogOptions {
  /** The input for `-`. */
  readonly stdin?: Readable;
  readonly signal?: AbortSignal;
  /**
   * Bounds a gzip bomb: unpacked bytes beyond `bombFloor` must be at most `bombRatio` times the packed ones.
   */
  readonly bombFloor?: number;
  readonly bombRatio?: number;
}

const CHUNK = 1024 * 1024;
/** Of forms inside each other. */
const MAX_LEVELS = 3;
/** Deflate reaches 1,032 : 1. Real logs come to 10 to 30, one line repeated forever to about 300. */
const BOMB_RATIO = 500;
const BOMB_FLOOR = 256 * 1024 * 1024;

/**
 * The files of command-line arguments: each once, in the given order; those of a pattern in natural order.
 * Rotations of one log are read oldest first: `access.log.2.gz`, `access.log.1`, `access.log`. `-` is
 * standard input. The name of an existing file is never a pattern.
 * @throws Refused for an argument without a match, or a folder
 */
export async function findLogSources(args: readonly string[]): Promise<string[]> {
  const sources = new Set<string>();
  for (const arg of args) {
    if (arg === '-') {
      sources.add(arg);
      continue;
    }
    const kind = await kindOf(arg);
    if (kind === 'folder') throw new Refused(`${arg} is a folder. Pass its files, for example "${arg}/*.log*".`);
    if (kind === 'file') {
      sources.add(arg);
      continue;
    }
    const matches: string[] = [];
    for await (const match of glob(arg)) if ((await kindOf(match)) === 'file') matches.push(match);
    if (matches.length === 0) throw new Refused(`${arg} does not exist.`);
    matches.sort(new Intl.Collator('en', { numeric: true }).compare);
    for (const match of matches) sources.add(match);
  }
  return oldestFirst([...sources]);
}

/**
 * Reads one log in blocks of whole lines, with limited memory: plain, compressed or UTF-16, detected from its
 * first bytes, even on standard input. Lines before damaged data are returned before the error is thrown.
 * @throws Refused
 */
export async function* readLogSource(source: string, options: ReadLogOptions = {}): AsyncGenerator<LogBlock> {
  const splitter = new LineSplitter();
  const bytesTotal = source === '-' ? null : await sizeOf(source);
  const progress = { packed: 0 };
  const pieces = (found: Buffer[]): LogBlock[] =>
    found.map((piece) => ({
      source,
      log: splitter,
      bytesRead: progress.packed,
      bytesTotal,
      forEachLine: (visit) => splitter.visit(piece, visit),
    }));
  try {
    for await (const chunk of unpacked(source, options, progress)) yield* pieces(splitter.push(chunk));
  } catch (err) {
    if (err instanceof Refused) throw err;
    if (options.signal?.aborted) return;
    throw new Refused(`${nameOf(source)} cannot be read: ${messageOf(err)}.`, { cause: err });
  }
  yield* pieces(splitter.flush());
}

/** Follows several growing and rotating logs until `signal` is aborted. See {@link followFile}. */
export async function* followLogs(
  sources: readonly string[],
  options: { signal: AbortSignal; pollMs?: number; stdin?: Readable },
): AsyncGenerator<LogBlock> {
  for (const source of sources) {
    if (source !== '-' && /\.(?:gz|zst|bz2|xz)$/.test(source)) {
      throw new Refused(`${source} is compressed and cannot be followed. Import it without --follow.`);
    }
  }
  const stop = new AbortController();
  const signal = AbortSignal.any([options.signal, stop.signal]);
  const streams = sources.map((source) =>
    source === '-' ? readLogSource(source, { ...options, signal }) : followFile(source, { ...options, signal }),
  );
  const waiting = new Map(streams.map((stream) => [stream, nextOf(stream)]));
  try {
    while (waiting.size > 0) {
      const { stream, result } = await Promise.race(waiting.values());
      // To the end of the queue, so that a busy log does not delay a quiet one.
      waiting.delete(stream);
      if (result.done) continue;
      yield result.value;
      waiting.set(stream, nextOf(stream));
    }
  } catch (err) {
    if (err instanceof Refused) throw err;
    throw new Refused(`A log cannot be followed: ${messageOf(err)}.`, { cause: err });
  } finally {
    stop.abort();
    await Promise.allSettled(waiting.values());
    await Promise.allSettled(streams.map((stream) => stream.return(undefined)));
  }
}

interface NextBlock {
  stream: AsyncGenerator<LogBlock>;
  result: IteratorResult<LogBlock>;
}

async function nextOf(stream: AsyncGenerator<LogBlock>): Promise<NextBlock> {
  return { stream, result: await stream.next() };
}

async function* unpacked(
  source: string,
  options: ReadLogOptions,
  progress: { packed: number },
): AsyncGenerator<Buffer> {
  const input = source === '-' ? standardInput(options) : createReadStream(source, { highWaterMark: CHUNK });
  const stop = () => input.destroy();
  options.signal?.addEventListener('abort', stop, { once: true });
  try {
    let chunks: AsyncIterable<Buffer> = counted(input, progress);
    // Packed text may have another form, such as a list of JSON objects.
    for (let level = 0; level < MAX_LEVELS; level += 1) {
      const rest = chunks[Symbol.asyncIterator]();
      const start = await firstBytes(rest);
      const all = prepended(start, rest);
      const unpack = unpackerOf(start, nameOf(source));
      chunks = unpack ? bounded(unpack(all), source, options, progress) : all;
      if (!unpack) break;
    }
    yield* chunks;
  } finally {
    options.signal?.removeEventListener('abort', stop);
    if (source !== '-') input.destroy();
  }
}

/** @throws Refused for a bomb */
async function* bounded(
  chunks: AsyncIterable<Buffer>,
  source: string,
  { bombRatio = BOMB_RATIO, bombFloor = BOMB_FLOOR }: ReadLogOptions,
  progress: { packed: number },
): AsyncGenerator<Buffer> {
  let unpacked = 0;
  for await (const chunk of chunks) {
    unpacked += chunk.length;
    if (unpacked > bombFloor && unpacked > progress.packed * bombRatio) {
      throw new Refused(
        `${nameOf(source)} decompresses to more than ${bombRatio} times its size, so it is not a log. The rest was not read.`,
      );
    }
    yield chunk;
  }
}

async function* counted(input: Readable, progress: { packed: number }): AsyncGenerator<Buffer> {
  for await (const chunk of input) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : (chunk as Buffer);
    progress.packed += bytes.length;
    yield bytes;
  }
}

/** Enough bytes to detect the format, if there are as many. */
async function firstBytes(chunks: AsyncIterator<Buffer>): Promise<Buffer> {
  let start = Buffer.alloc(0);
  while (needsMoreToTell(start)) {
    const { value, done } = await chunks.next();
    if (done) break;
    start = Buffer.concat([start, value]);
  }
  return start;
}

async function* prepended(start: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield start;
    yield* { [Symbol.asyncIterator]: () => rest };
  } finally {
    await rest.return?.();
  }
}

function standardInput({ stdin }: ReadLogOptions): Readable {
  if (!stdin) throw new Refused('Standard input is not available.');
  return stdin;
}

async function kindOf(path: string): Promise<'file' | 'folder' | null> {
  try {
    return (await stat(path)).isDirectory() ? 'folder' : 'file';
  } catch {
    return null;
  }
}

/** null for a pipe or a device, which have none. */
async function sizeOf(path: string): Promise<number | null> {
  try {
    const found = await stat(path);
    return found.isFile() ? found.size : null;
  } catch (err) {
    throw new Refused(`${path} is not a readable file.`, { cause: err });
  }
}

function nameOf(source: string): string {
  return source === '-' ? 'Standard input' : source;
}
