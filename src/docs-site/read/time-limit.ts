import { createContext, Script } from 'node:vm';
import { codeOf } from '../../platform/errors.ts';

/** The work took longer than it may. */
export class TimeUp extends Error {
  override readonly name = 'TimeUp';
}

const sandbox: { work?: () => unknown } = {};
const context = createContext(sandbox);
const script = new Script('work()');

/**
 * Runs synchronous work and ends it after a time, wherever it is. The work must leave nothing half-done behind that anybody uses
 * afterwards. Costs a tenth of a millisecond.
 * @throws TimeUp
 */
export function withinTime<T>(milliseconds: number, work: () => T): T {
  const results: T[] = [];
  sandbox.work = () => {
    results.push(work());
  };
  try {
    script.runInContext(context, { timeout: milliseconds });
  } catch (thrown) {
    if (codeOf(thrown) !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw thrown;
    throw new TimeUp(`The work took longer than ${milliseconds} ms.`);
  } finally {
    delete sandbox.work;
  }
  const [result] = results;
  return result as T;
}
