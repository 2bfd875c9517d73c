import { open, stat, type FileHandle } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { LineSplitter, type LogBlock } from './line-splitter.ts';

const CHUNK = 256 * 1024;
/** The beginning of a log identifies it: a file that was emptied and rewritten begins with another time. */
const HEAD = 256;

/**
 * Reads a log from its beginning and continues as it grows, as `tail -n +1 -F` does. After a rename it reads
 * the old file to its end, then the new one from its beginning (and waits for it). A file that was truncated
 * in place is read again. A line counts once its line break is there. Ends when `signal` is aborted.
 *
 * It polls every `pollMs`: lines written between a copy and a truncation, after the last poll, are lost.
 */
export async function* followFile(
  path: string,
  { signal, pollMs = 250 }: { signal: AbortSignal; pollMs?: number },
): AsyncGenerator<LogBlock> {
  const splitter = new LineSplitter();
  let file = await open(path);
  try {
    let position = 0;
    let head = Buffer.alloc(0);
    let isReplaced = false;
    for (;;) {
      const chunk = Buffer.allocUnsafe(CHUNK);
      const { bytesRead } = await file.read(chunk, 0, CHUNK, position);
      // Checked after the read: if the head is still the same, the data belongs to it.
      if (position > 0 && (await wasTruncated(file, head, position, bytesRead))) {
        splitter.forget();
        position = 0;
        head = Buffer.alloc(0);
        continue;
      }
      if (bytesRead > 0) {
        const data = chunk.subarray(0, bytesRead);
        if (head.length < HEAD) head = Buffer.concat([head, data.subarray(0, HEAD - head.length)]);
        position += bytesRead;
        isReplaced = false;
        for (const piece of splitter.push(data)) yield block(path, splitter, piece, position);
        continue;
      }
      if (signal.aborted) return;
      const named = await namedNow(file, path);
      // The writer may still hold the old file: it is left once a whole pause, and a read after the new file
      // was seen, brought nothing.
      const next = isReplaced && named === 'another file' ? await openIfThere(path) : null;
      if (next) {
        for (const piece of splitter.flush()) yield block(path, splitter, piece, position);
        await file.close();
        file = next;
        position = 0;
        head = Buffer.alloc(0);
        isReplaced = false;
        continue;
      }
      isReplaced = named === 'another file';
      await sleep(pollMs, undefined, { signal, ref: true }).catch(() => undefined);
    }
  } finally {
    await file.close();
  }
}

function block(source: string, splitter: LineSplitter, piece: Buffer, bytesRead: number): LogBlock {
  return { source, log: splitter, bytesRead, bytesTotal: null, forEachLine: (visit) => splitter.visit(piece, visit) };
}

/** Whether the file is shorter than the part that was read, or has grown but starts differently. */
async function wasTruncated(file: FileHandle, head: Buffer, position: number, bytesRead: number): Promise<boolean> {
  if (bytesRead === 0) return (await file.stat()).size < position;
  const now = Buffer.alloc(head.length);
  await file.read(now, 0, head.length, 0);
  return !now.equals(head);
}

async function namedNow(file: FileHandle, path: string): Promise<'this file' | 'another file' | 'none'> {
  const held = await file.stat();
  try {
    const named = await stat(path);
    return named.ino === held.ino && named.dev === held.dev ? 'this file' : 'another file';
  } catch (err) {
    if (isMissing(err)) return 'none';
    throw err;
  }
}

async function openIfThere(path: string): Promise<FileHandle | null> {
  try {
    return await open(path);
  } catch (err) {
    if (isMissing(err)) return null;
    throw err;
  }
}

function isMissing(err: unknown): boolean {
  return err instanceof Error && 'code' in err && err.code === 'ENOENT';
}
