import { createContext, Script } from 'node:vm';
import { codeOf } from '@docent/base/thrown';
import { holdWork } from './parse-work.ts';

/** The work took longer than it may. */
export class TimeUp extends Error {
  override readonly name = 'TimeUp';
}

/** Processor time. No page within its steps comes near it: it is a last resort. */
const GUARD_MS = 30_000;
/** By the clock, on a machine that has much else to do. */
const BUSY = 20;

const sandbox: { work?: () => unknown } = {};
const context = createContext(sandbox);
const script = new Script('work()');

/**
 * Runs synchronous work and ends it after a time, at any point. The work must leave nothing half-done that is
 * used afterwards. Costs a thread that waits: half a millisecond, and more under load.
 * @throws TimeUp
 */
export function withinTime<T>(milliseconds: number, work: () => T): T {
  const results: T[] = [];
  const restoreWork = holdWork();
  sandbox.work = () => {
    results.push(work());
  };
  try {
    script.runInContext(context, { timeout: milliseconds });
  } catch (thrown) {
    if (codeOf(thrown) !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw thrown;
    restoreWork();
    throw new TimeUp(`The work took longer than ${milliseconds} ms.`);
  } finally {
    delete sandbox.work;
  }
  const [result] = results;
  return result as T;
}

/**
 * Runs work with other limits, and ends it after half a minute of processor time. Time under other load does
 * not count: the work is then started again, and may run twice.
 * @throws TimeUp
 */
export function guarded<T>(work: () => T, milliseconds = GUARD_MS): T {
  const before = processorMs();
  try {
    return withinTime(milliseconds, work);
  } catch (thrown) {
    if (!(thrown instanceof TimeUp) || processorMs() - before > milliseconds * 0.7) throw thrown;
    return withinTime(milliseconds * BUSY, work);
  }
}

function processorMs(): number {
  // Of this thread, if Node supports it: 23.9.
  const { user, system } = (process.threadCpuUsage ?? process.cpuUsage).call(process);
  return (user + system) / 1_000;
}
