import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { codeOf, messageOf } from '@docent/base/thrown';
import { programsIn, type PostgresPrograms } from './binaries.ts';
import { Refused } from '@docent/base/refused';

/** Places for a copy, best first: caches survive restarts; some systems forbid execution in some. */
const PLACES = ['/var/cache/docent', '/var/lib/docent', '/opt/docent', path.join(tmpdir(), 'docent-programs')];
/** A copy never takes that long: older unfinished ones are leftovers. */
const ATTEMPT_MS = 3_600_000;

/**
 * Copies the programs to where every user may run them, shared by all homes of a version. Idempotent, safe to
 * kill.
 * @param works whether a copy runs
 * @throws Refused
 */
export async function copyOfPrograms(
  programs: PostgresPrograms,
  works: (programs: PostgresPrograms) => Promise<boolean>,
): Promise<{ folder: string; programs: PostgresPrograms }> {
  const problems: string[] = [];
  for (const place of PLACES) {
    try {
      preparePlace(place);
      const folder = path.join(place, `postgres-${programs.build}`);
      const copy = { ...programs, ...programsIn(folder) };
      if (existsSync(folder)) {
        assertOwned(folder);
        if (await works(copy)) return { folder, programs: copy };
        // Cut short by a power cut, or altered.
        rmSync(folder, { recursive: true });
      }
      await makeCopy(programs.folder, folder);
      if (await works(copy)) return { folder, programs: copy };
      rmSync(folder, { recursive: true });
      problems.push(`programs in ${place} cannot be run`);
    } catch (err) {
      problems.push(messageOf(err));
    }
  }
  throw new Refused(`its programs could not be copied: ${problems.join(', ')}`);
}

/** A folder that only root may change and everyone may enter. */
function preparePlace(place: string): void {
  mkdirSync(place, { recursive: true });
  assertOwned(place);
  chmodSync(place, 0o755); // Whatever the umask took away.
  for (const name of readdirSync(place)) {
    if (!name.includes('.new-')) continue;
    const left = path.join(place, name);
    if (Date.now() - statSync(left).mtimeMs > ATTEMPT_MS) rmSync(left, { recursive: true, force: true });
  }
}

/** In a temporary folder, another user may have created it first. */
function assertOwned(folder: string): void {
  const found = lstatSync(folder);
  if (!found.isDirectory() || found.uid !== process.getuid?.() || (found.mode & 0o022) !== 0) {
    throw new Error(`${folder} is writable by other users`);
  }
}

async function makeCopy(from: string, to: string): Promise<void> {
  const attempt = `${to}.new-${process.pid}`;
  try {
    await cp(from, attempt, { recursive: true, verbatimSymlinks: true });
    openToAll(attempt);
    renameSync(attempt, to);
  } catch (err) {
    // Another start was faster.
    if (!['ENOTEMPTY', 'EEXIST'].includes(codeOf(err) ?? '')) throw err;
  } finally {
    rmSync(attempt, { recursive: true, force: true });
  }
}

/** With a umask of 077, files installed by npm are closed to others. */
function openToAll(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const target = path.join(folder, entry.name);
    if (entry.isDirectory()) openToAll(target);
    else if (entry.isFile()) chmodSync(target, (statSync(target).mode & 0o100) === 0 ? 0o644 : 0o755);
  }
}
