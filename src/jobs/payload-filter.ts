import vm from 'node:vm';
import { compile, search } from '@jmespath-community/jmespath';
import { codeOf, messageOf } from '@docent/base/thrown';
import { AppError } from '../platform/errors.ts';

/** The longest time for evaluating one payload, in milliseconds. */
const FILTER_MS = 250;
/** Functions whose result may be of any size, whatever the payload. */
const UNBOUNDED = /\b(pad_left|pad_right)\s*\(/;

/** @throws AppError `bad_request` for an invalid JMESPath expression */
export function assertFilter(filter: string): void {
  try {
    compile(filter);
  } catch (err) {
    throw refused(`This is not a JMESPath expression: ${messageOf(err)}`, err);
  }
  if (UNBOUNDED.test(filter)) throw refused('`pad_left` and `pad_right` are not available here.');
}

export type Filtered = { passes: true } | { passes: false; reason: string };

/**
 * Whether a payload passes the filter, within 250 ms. Failing expressions reject.
 * @param body other than JSON never passes
 */
export function passesFilter(filter: string, body: Buffer): Filtered {
  let payload: unknown;
  try {
    payload = JSON.parse(body.toString('utf8'));
  } catch {
    return { passes: false, reason: 'The payload is not JSON, so the filter cannot read it.' };
  }
  try {
    const work = () => search(payload as Parameters<typeof search>[0], filter);
    const found: unknown = vm.runInNewContext('work()', { work }, { timeout: FILTER_MS });
    return isTrue(found) ? { passes: true } : { passes: false, reason: 'The filter is not true for the payload.' };
  } catch (err) {
    const isLate = codeOf(err) === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
    const reason = isLate ? `it took longer than ${FILTER_MS} ms.` : messageOf(err).slice(0, 300);
    return { passes: false, reason: `The filter failed: ${reason}` };
  }
}

/** Truth in JMESPath: false, null and empty values are not true. */
function isTrue(found: unknown): boolean {
  if (found === null || found === undefined || found === false || found === '') return false;
  return typeof found !== 'object' || Object.keys(found).length > 0;
}

function refused(sentence: string, cause?: unknown): AppError {
  return new AppError('bad_request', `\`trigger.filter\`: ${sentence}`, { cause, param: 'trigger.filter' });
}
