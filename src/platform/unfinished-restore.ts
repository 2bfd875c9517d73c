import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The mark of a folder into which a backup is being restored, or was when that died. */
export const UNFINISHED = 'restore-unfinished';

/** A sentence for a folder that is not whole; null for any other. */
export function unfinishedRestore(folder: string): string | null {
  const mark = path.join(folder, UNFINISHED);
  if (!existsSync(mark)) return null;
  let from = 'a backup';
  try {
    from = readFileSync(mark, 'utf8').trim() || from;
  } catch {
    // The file's existence is enough.
  }
  return (
    `${folder} is incomplete: restoring ${from} was interrupted, or is still running. If it is not ` +
    `running, delete the contents of the folder and run \`docent restore\` again.`
  );
}
