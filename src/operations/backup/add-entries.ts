import { open, readFile, readlink, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { isMissing } from '../../analytics/storage/durable-files.ts';
import type { HeldFile } from '../../analytics/maintenance/backup-stage.ts';
import type { CopiedTable, DatabaseSnapshot } from '../../store/installation/table-copies.ts';
import type { ArchiveWriter } from './archive-writer.ts';
import { repositoryFiles } from './repository-files.ts';

/** A backup in progress, and its progress display. */
export interface Work {
  writer: ArchiveWriter;
  progress: (text: string) => void;
}

/** Rows are packed in batches of this size. */
const CHUNK_BYTES = 8 * 1024 * 1024;

const compress = promisify(gzip);

/** The rows of all tables. @returns how many each has */
export async function addTables(work: Work, snapshot: DatabaseSnapshot): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of snapshot.facts.tables) {
    counts[table.name] = await addTable(work, snapshot, table);
  }
  return counts;
}

async function addTable({ writer, progress }: Work, snapshot: DatabaseSnapshot, table: CopiedTable): Promise<number> {
  let rows = 0;
  let no = 0;
  let waiting: Buffer[] = [];
  let bytes = 0;
  const flush = async () => {
    progress(`table ${table.name}, ${megabytes(writer.bytes)} so far`);
    if (bytes === 0) return;
    no += 1;
    const part = await compress(Buffer.concat(waiting));
    await writer.add(`tables/${table.name}/${String(no).padStart(6, '0')}.gz`, part.length, part);
    waiting = [];
    bytes = 0;
  };
  for await (const chunk of snapshot.copyOut(table) as AsyncIterable<Buffer>) {
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) rows += 1;
    waiting.push(chunk);
    bytes += chunk.length;
    if (bytes >= CHUNK_BYTES) await flush();
  }
  await flush();
  return rows;
}

/** @returns the SHA-256 of the read bytes */
export async function addHeld({ writer, progress }: Work, { name, file, bytes }: HeldFile): Promise<string> {
  progress(`${name}, ${megabytes(writer.bytes)} so far`);
  return addFile(writer, `analytics/${name}`, file, { bytes });
}

/** @param bytes how many from the beginning (default: all). If the file shrinks, pads with zeros. */
export async function addFile(
  writer: ArchiveWriter,
  name: string,
  file: string,
  { bytes, mode }: { bytes?: number; mode?: number } = {},
): Promise<string> {
  const handle = await open(file, 'r');
  try {
    const size = bytes ?? (await handle.stat()).size;
    const content = handle.createReadStream({ autoClose: false, highWaterMark: 1024 * 1024 }) as AsyncIterable<Buffer>;
    return await writer.add(name, size, size === 0 ? Buffer.alloc(0) : content, mode === undefined ? {} : { mode });
  } finally {
    await handle.close();
  }
}

export async function addText(writer: ArchiveWriter, name: string, text: string): Promise<void> {
  const bytes = Buffer.from(text);
  await writer.add(name, bytes.length, bytes);
}

/** The stored state of starts, and the home's repositories. */
export async function addHome(
  { writer, progress }: Work,
  home: string,
  repositories: readonly string[],
): Promise<void> {
  const state = await readFile(path.join(home, 'state.json'), 'utf8').catch(() => null);
  if (state !== null) await addText(writer, 'home/state.json', state);
  for (const repository of repositories) {
    progress(`repository ${repository}`);
    const root = path.join(home, repository);
    await writer.add(`home/${repository}`, 0, Buffer.alloc(0), { type: 'directory', mode: 0o755 });
    for await (const { name, entry } of repositoryFiles(root)) {
      const file = path.join(root, name);
      const inside = `home/${repository}/${name}`;
      try {
        if (entry.isDirectory()) await writer.add(inside, 0, Buffer.alloc(0), { type: 'directory', mode: 0o755 });
        else if (entry.isSymbolicLink()) {
          await writer.add(inside, 0, Buffer.alloc(0), { type: 'symlink', linkname: await readlink(file) });
        } else if (entry.isFile()) await addFile(writer, inside, file, { mode: (await stat(file)).mode & 0o777 });
      } catch (err) {
        // Packed again, or deleted, in the meantime.
        if (!isMissing(err)) throw err;
      }
    }
  }
}

const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(0)} MB`;
