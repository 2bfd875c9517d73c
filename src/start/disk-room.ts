import { rm, statfs, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { shortageOf } from '../platform/shortage.ts';

/**
 * PostgreSQL allocates 16 MB at a time for its log, and needs some immediately when it starts after a crash.
 */
const NEEDED_BYTES = 48 * 1_048_576;
/** A trial detects quotas and missing inodes, which the file system's numbers do not show. */
const TRIED_BYTES = 262_144;

/** Reports that a folder's disk is full, or null. Ignores other problems. */
export async function fullDisk(folder: string): Promise<string | null> {
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  const trial = path.join(folder, 'room.new');
  const refused = await writeFile(trial, Buffer.alloc(TRIED_BYTES)).then(
    () => false,
    (err: unknown) => shortageOf(err) === 'disk',
  );
  await rm(trial, { force: true });
  if (!refused && free >= NEEDED_BYTES) return null;
  return `The disk of ${folder} is full (${Math.floor(free / 1_048_576)} MB free). Free some space.`;
}
