import { DAY_MS } from '@docent/base/time';
import { parseInstant } from '@docent/base/instant';

const MONTHS = new Map(
  ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'].map((name, index) => [
    monthKey(name.charCodeAt(0), name.charCodeAt(1), name.charCodeAt(2)),
    index + 1,
  ]),
);
const DAYS_IN_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/**
 * `2026-11-21T03:42:13.123+01:00`, and loggers' variants: slashes, and a space or a name before the offset.
 */
const ISO = /^(\d{4})([-/])(\d\d)\2(\d\d[Tt ][\d:.,]+)\s?(?:([Zz]|UTC|GMT)|([+-][\d:]+))?$/;
const EPOCH = /^\d{9,19}(?:\.\d{1,9})?$/;

/**
 * The time of a date and an offset in minutes, in milliseconds; NaN if there is no such date. A leap second
 * is the next one.
 */
function utcTime(
  [year, month, day, hour, minute, second]: readonly [number, number, number, number, number, number],
  offsetMinutes: number,
  millisecond = 0,
): number {
  if (!(month >= 1 && month <= 12) || !(day >= 1 && day <= daysIn(year, month))) return Number.NaN;
  if (hour > 23 || minute > 59 || second > 60 || Math.abs(offsetMinutes) > 1_439) return Number.NaN;
  return (
    daysSince1970(year, month, day) * DAY_MS +
    ((hour * 60 + minute - offsetMinutes) * 60 + second) * 1_000 +
    millisecond
  );
}

/**
 * Reads `10/Oct/2000:13:55:36 -0700` at `start`, up to `end` (exclusive). NaN if it is not one. An absent
 * offset is UTC.
 */
export function readClfTime(buffer: Buffer, start: number, end: number): number {
  const length = end - start;
  if (length < 20 || buffer[start + 2] !== SLASH || buffer[start + 6] !== SLASH) return Number.NaN;
  // Python's servers write a space.
  if (buffer[start + 11] !== COLON && buffer[start + 11] !== SPACE) return Number.NaN;
  if (buffer[start + 14] !== COLON || buffer[start + 17] !== COLON) return Number.NaN;
  const month = MONTHS.get(monthKey(buffer[start + 3]! | 32, buffer[start + 4]! | 32, buffer[start + 5]! | 32));
  if (month === undefined) return Number.NaN;
  let at = start + 20;
  let millisecond = 0;
  if (buffer[at] === DOT) {
    const digits = start + 21;
    at = digits;
    while (at < end && isDigit(buffer[at]!)) at += 1;
    millisecond = at - digits >= 3 ? digitsAt(buffer, digits, 3) : 0;
  }
  let offset = 0;
  if (at < end) {
    const sign = buffer[at + 1];
    if (buffer[at] !== SPACE || end - at < 6 || (sign !== PLUS && sign !== MINUS)) return Number.NaN;
    const colon = buffer[at + 4] === COLON ? 1 : 0;
    if (end - at !== 6 + colon) return Number.NaN;
    const minutes = digitsAt(buffer, at + 4 + colon, 2);
    if (minutes > 59) return Number.NaN;
    offset = (digitsAt(buffer, at + 2, 2) * 60 + minutes) * (sign === MINUS ? -1 : 1);
  }
  return utcTime(
    [
      digitsAt(buffer, start + 7, 4),
      month,
      digitsAt(buffer, start, 2),
      digitsAt(buffer, start + 12, 2),
      digitsAt(buffer, start + 15, 2),
      digitsAt(buffer, start + 18, 2),
    ],
    offset,
    millisecond,
  );
}

/**
 * Parses a time as in JSON logs: RFC 3339 and similar, the common log format, or a count since 1970 in
 * seconds, milliseconds, microseconds or nanoseconds (by its size), as number or text. NaN for anything else.
 */
export function readAnyTime(value: unknown): number {
  if (typeof value === 'number') return readEpoch(value);
  if (typeof value !== 'string' || value.length > 64) return Number.NaN;
  const text = withoutBrackets(value.trim());
  const iso = ISO.exec(text);
  if (iso) {
    const [, year, , month, rest, , offset = 'Z'] = iso;
    return parseInstant(`${year}-${month}-${rest}${offset}`, Math.floor) ?? Number.NaN;
  }
  if (EPOCH.test(text)) return readEpoch(Number(text));
  // WEBrick writes the zone's name.
  const bytes = Buffer.from(text.replace(/ (?:UTC|GMT)$/, ''), 'latin1');
  return readClfTime(bytes, 0, bytes.length);
}

/** Tomcat's JSON keeps the brackets that its plain lines have. */
function withoutBrackets(text: string): string {
  return text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text;
}

function readEpoch(count: number): number {
  if (!Number.isFinite(count) || count < 0) return Number.NaN;
  if (count < 1e11) return Math.trunc(count * 1e3);
  if (count < 1e14) return Math.trunc(count);
  return Math.trunc(count < 1e17 ? count / 1e3 : count / 1e6);
}

function daysIn(year: number, month: number): number {
  const leap = month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return leap ? 29 : DAYS_IN_MONTH[month - 1]!;
}

/** Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", days_from_civil. */
function daysSince1970(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

function monthKey(a: number, b: number, c: number): number {
  return (a << 16) | (b << 8) | c;
}

/** A number of `count` digits; NaN if one is not a digit. */
function digitsAt(buffer: Buffer, at: number, count: number): number {
  let value = 0;
  for (let i = at; i < at + count; i += 1) {
    const byte = buffer[i]!;
    if (!isDigit(byte)) return Number.NaN;
    value = value * 10 + byte - 48;
  }
  return value;
}

function isDigit(byte: number): boolean {
  return byte >= 48 && byte <= 57;
}

const SLASH = 47;
const COLON = 58;
const DOT = 46;
const SPACE = 32;
const PLUS = 43;
const MINUS = 45;
