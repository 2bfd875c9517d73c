const OFFSET = String.raw`(?:[Zz]|(?<sign>[+ -])(?<offHour>\d\d)(?::?(?<offMinute>\d\d))?)?`;
const FRACTION = String.raw`(?:[.,](?<fraction>\d{1,9})\d*)?`;
/** `2026-11-21T08:30:15Z` */
const EXTENDED_FORM = new RegExp(
  String.raw`^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)(?:[Tt ](?<hour>\d\d)(?::(?<minute>\d\d)(?::(?<second>\d\d)${FRACTION})?)?${OFFSET})?$`,
);
/** `20261121T083015Z` */
const BASIC_FORM = new RegExp(
  String.raw`^(?<year>\d{4})(?<month>\d\d)(?<day>\d\d)(?:[Tt](?<hour>\d\d)(?:(?<minute>\d\d)(?:(?<second>\d\d)${FRACTION})?)?${OFFSET})?$`,
);

/**
 * Parses a date (midnight UTC) or a date-time of RFC 3339 or ISO 8601 (UTC without an offset; a leap second
 * is the next one, 24:00 the next day). Null for anything else, such as 2024-02-30, weeks and days of the
 * year.
 * @param round yields whole milliseconds: `Math.floor` for an event, `Math.ceil` for a bound, so that the
 *   same events are before it
 */
export function parseInstant(text: string, round: (milliseconds: number) => number): number | null {
  const found = (EXTENDED_FORM.exec(text) ?? BASIC_FORM.exec(text))?.groups;
  if (!found) return null;
  const { fraction = '0', sign, offHour = '0', offMinute = '0' } = found;
  const [year, month, day] = [Number(found.year), Number(found.month), Number(found.day)];
  const [hour, minute, second] = [Number(found.hour ?? 0), Number(found.minute ?? 0), Number(found.second ?? 0)];
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (year < 1 || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;
  const isEndOfDay = hour === 24 && minute === 0 && second === 0 && Number(fraction) === 0;
  if ((hour > 23 && !isEndOfDay) || minute > 59 || second > 60) return null;
  date.setUTCHours(hour, minute, second);
  const instant = date.getTime() + round(Number(`0.${fraction}`) * 1_000);
  if (sign === undefined) return instant;
  if (Number(offHour) > 23 || Number(offMinute) > 59) return null;
  const offset = (Number(offHour) * 60 + Number(offMinute)) * 60_000;
  // In a query, an unescaped + arrives as a space.
  return sign === '-' ? instant + offset : instant - offset;
}
