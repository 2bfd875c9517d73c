import { open } from 'node:fs/promises';
import { codeOf } from '@docent/base/thrown';
import { Refused } from '@docent/base/refused';
import { unpackerOf } from './unpack.ts';
import { readLogSource } from './read-log.ts';

/** Lines of the last second of a busy log. */
const END_BYTES = 1024 * 1024;
const START_BYTES = 64 * 1024;

/** The first lines of a log and its last ones, without line breaks. */
export interface LogEnds {
  head: Buffer[];
  tail: Buffer[];
}

/**
 * Reads both ends of a log; compressed ones are unpacked for that. Null if it cannot be read: the import of
 * another file does not fail for it.
 */
export async function endsOf(path: string, headLines: number): Promise<LogEnds | null> {
  try {
    return await readEnds(path, headLines);
  } catch (err) {
    if (err instanceof Refused || /^(?:ENOENT|EACCES|EPERM|EISDIR)$/.test(String(codeOf(err)))) return null;
    throw err;
  }
}

async function readEnds(path: string, headLines: number): Promise<LogEnds> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const read = async (from: number, bytes: number) => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, from);
      return buffer.subarray(0, bytesRead);
    };
    const start = await read(0, Math.min(START_BYTES, size));
    if (unpackerOf(start, path)) return await unpackedEnds(path, headLines);
    const from = Math.max(0, size - END_BYTES);
    const tail = linesOf(await read(from, size - from));
    return { head: linesOf(start).slice(0, headLines), tail: from === 0 ? tail : tail.slice(1) };
  } finally {
    await file.close();
  }
}

async function unpackedEnds(path: string, headLines: number): Promise<LogEnds> {
  const ends: LogEnds = { head: [], tail: [] };
  let bytes = 0;
  for await (const block of readLogSource(path)) {
    block.forEachLine((buffer, start, end) => {
      const line = Buffer.from(buffer.subarray(start, end));
      if (ends.head.length < headLines) ends.head.push(line);
      ends.tail.push(line);
      bytes += line.length;
    });
    let gone = 0;
    while (bytes > END_BYTES) bytes -= ends.tail[gone++]!.length;
    ends.tail.splice(0, gone);
  }
  return ends;
}

function linesOf(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let start = 0; start < bytes.length;) {
    const feed = bytes.indexOf(10, start);
    const next = feed < 0 ? bytes.length : feed;
    const end = next > start && bytes[next - 1] === 13 ? next - 1 : next;
    if (end > start) lines.push(bytes.subarray(start, end));
    start = next + 1;
  }
  return lines;
}
