import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Client } from 'pg';
import type { Findings } from './ledger-file.ts';

interface FileRow {
  path: string;
  sha256: string;
}

/**
 * By SQL and the disk: each event file that the manifest names is there, with the bytes that were written.
 */
export async function checkFiles(database: Client, folder: string): Promise<Findings> {
  const named = async () =>
    (await database.query<FileRow>(`SELECT path, encode(sha256, 'hex') AS sha256 FROM analytics_files`)).rows;
  const rows = await named();
  const wrong = (await Promise.all(rows.map(async (row) => ((await isWhole(folder, row)) ? [] : [row.path])))).flat();
  // Files are replaced all the time: one that is gone is no longer named.
  const stillNamed = new Set((await named()).map((row) => row.path));
  return {
    wrong: wrong
      .filter((name) => stillNamed.has(name))
      .map((name) => `The event file ${name} is not what was written.`),
    looked: { 'event files': rows.length },
  };
}

async function isWhole(folder: string, { path: name, sha256 }: FileRow): Promise<boolean> {
  const bytes = await readFile(path.join(folder, name)).catch(() => null); // Missing: the file is incomplete.
  return bytes !== null && createHash('sha256').update(bytes).digest('hex') === sha256;
}
