import { parseInstant } from '@docent/base/instant';
import type { Range } from '../analytics/events/days.ts';
import { AppError } from '../platform/errors.ts';

/** A query's half-open range. @throws AppError `bad_request` that names the parameter */
export function readRange(query: { dateFrom?: string; dateTo?: string }): Range {
  return readRangeOf('date', query.dateFrom, query.dateTo);
}

/**
 * The half-open range of `<name>From` and `<name>To`, or `from` and `to`.
 * @throws AppError `bad_request` that names the parameter
 */
export function readRangeOf(name: string, givenFrom: string | undefined, givenTo: string | undefined): Range {
  const [fromName, toName] = name === '' ? ['from', 'to'] : [`${name}From`, `${name}To`];
  const from = instant(fromName, givenFrom);
  const to = instant(toName, givenTo);
  if (from !== null && to !== null && from > to) {
    throw new AppError('bad_request', `\`${fromName}\` is after \`${toName}\`.`, { param: fromName });
  }
  return { from, to };
}

function instant(name: string, text: string | undefined): number | null {
  // Clients of the hosted service send an empty bound for none.
  if (text === undefined || text === '') return null;
  const value = parseInstant(text, Math.ceil);
  if (value !== null) return value;
  throw new AppError(
    'bad_request',
    `\`${name}\` must be a date such as 2026-11-21, or a date-time such as 2026-11-21T08:30:00Z.`,
    { param: name },
  );
}
