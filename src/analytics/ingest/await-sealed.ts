import { stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { LogTakeover, segmentsIn } from './log-takeover.ts';
import { isMissing } from '../storage/durable-files.ts';
import type { StorageDeps } from '../storage/storage.ts';
import { LEASE_SECONDS } from './wal/lease.ts';

const WAIT_MS = 60_000;
const POLL_MS = 200;
const OTHERS_MS = 5_000;

/**
 * Waits until all previously acknowledged events are in the manifest: for the processes that accepted them
 * or, if those are gone, by taking over their logs.
 * @returns false if some are still in a log after a minute, for example because the disk is full
 */
export async function awaitSealed(deps: StorageDeps): Promise<boolean> {
  const takeover = new LogTakeover(deps, LEASE_SECONDS);
  const deadline = performance.now() + WAIT_MS;
  let open = await segmentFiles(deps);
  for (;;) {
    const now = new Set(await segmentFiles(deps));
    open = open.filter((file) => now.has(file));
    if (open.length === 0) break;
    if (performance.now() > deadline) return false;
    try {
      await takeover.run(() => false);
    } catch (err) {
      deps.log.warn({ err }, 'a leftover log cannot be taken over');
    }
    await sleep(POLL_MS);
  }
  // The logs of other machines do not show here: their processes seal every other second.
  if (deps.folder.bucketFiles) await sleep(OTHERS_MS);
  return true;
}

/** Every segment of every log that holds anything. */
async function segmentFiles({ folder }: StorageDeps): Promise<string[]> {
  const files: string[] = [];
  for (const writer of await folder.writerIds()) {
    for (const { file } of (await unlessGone(segmentsIn(folder, writer))) ?? []) {
      const found = await unlessGone(stat(file));
      if (found && found.size > 0) files.push(file);
    }
  }
  return files;
}

/** Null if its process has just sealed or released it. */
async function unlessGone<T>(look: Promise<T>): Promise<T | null> {
  try {
    return await look;
  } catch (err) {
    if (isMissing(err)) return null;
    throw err;
  }
}
