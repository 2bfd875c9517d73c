import { readAccessLine } from './access-line.ts';
import { readJsonLine } from './json-line.ts';
import type { LineProblem, LogRecord } from './record.ts';

/** Longer lines hold no page view that anybody made: servers bound a request's head at 8 to 32 KiB. */
export const MAX_LINE_BYTES = 65_536;

/**
 * Reads one line of an access log, from `start` to `end` (exclusive), without its line break. Each line may be in another
 * format. Never throws; a text is the reason why there is no request in it.
 */
export function readLogLine(buffer: Buffer, start: number, end: number): LogRecord | LineProblem {
  if (end - start > MAX_LINE_BYTES) return 'too_long';
  let at = start;
  while (at < end && (buffer[at] === 32 || buffer[at] === 9)) at += 1;
  if (buffer[at] === 123) return readJsonLine(buffer.toString('utf8', at, end));
  return readAccessLine(buffer, at, end);
}
