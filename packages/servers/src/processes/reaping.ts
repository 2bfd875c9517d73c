import { setTimeout as sleep } from 'node:timers/promises';
import { identityOf } from './identity.ts';
import { codeOf } from '@docent/base/thrown';

/** A process that must not outlive the one that started it. */
export interface Ward {
  pid: number;
  /** See {@link identityOf}: a process is only signaled if it still matches. */
  identity: string;
  name: string;
  /** The signal that asks it to stop. */
  signal: NodeJS.Signals;
  /** Milliseconds between that signal and SIGKILL. */
  graceMs: number;
}

const POLL_MS = 50;

async function isAlive(ward: Ward): Promise<boolean> {
  return (await identityOf(ward.pid)) === ward.identity;
}

/**
 * Ends processes in reverse order of start. Never signals one that reuses a number. Idempotent.
 * @returns the living ones' names
 */
export async function endAll(wards: readonly Ward[]): Promise<string[]> {
  const ended: string[] = [];
  for (const ward of wards.toReversed()) {
    if (!(await isAlive(ward))) continue;
    ended.push(ward.name);
    signal(ward, ward.signal);
    const deadline = performance.now() + ward.graceMs;
    while (performance.now() < deadline && (await isAlive(ward))) await sleep(POLL_MS);
    if (!(await isAlive(ward))) continue;
    signal(ward, 'SIGKILL');
    for (let waited = 0; waited < 5_000 && (await isAlive(ward)); waited += POLL_MS) await sleep(POLL_MS);
  }
  return ended;
}

function signal(ward: Ward, name: NodeJS.Signals): void {
  try {
    process.kill(ward.pid, name);
  } catch (err) {
    if (codeOf(err) !== 'ESRCH') throw err;
  }
}
