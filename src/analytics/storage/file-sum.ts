import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';

/** The expected length and hash of a file. */
export interface FileSum {
  bytes: number;
  sha256: Buffer;
}

export async function sha256Of(file: string): Promise<Buffer> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file, { highWaterMark: 1024 * 1024 })) hash.update(chunk as Buffer);
  return hash.digest();
}

export async function sumOf(file: string): Promise<FileSum> {
  return { bytes: (await stat(file)).size, sha256: await sha256Of(file) };
}

/** Whether a file has this content; compares sizes first. @throws if it cannot be read */
export async function hasSum(file: string, { bytes, sha256 }: FileSum): Promise<boolean> {
  return (await stat(file)).size === bytes && (await sha256Of(file)).equals(sha256);
}
