/** Days are counted from 1970-01-01, UTC. Instants are milliseconds since then. */
export const DAY_MS = 86_400_000;

/** Stands for "on no day before": sorts below the year 1, and unlike NULL it compares. */
export const NEVER = -2_147_483_647;

export const dayOf = (instant: number): number => Math.floor(instant / DAY_MS);

/** `2026-11-21` */
export const dateText = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

const FORM =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9})\d*)?)?(?:([Zz])|([+ -])(\d\d):?(\d\d))?)?$/;

/**
 * Reads a date (midnight UTC) or a date-time of RFC 3339 (UTC without an offset; a leap second is the next one). Null for what is none,
 * 2024-02-30 say.
 * @param round makes whole milliseconds: `Math.floor` for an event, and `Math.ceil` for a bound, so that the same events lie before it
 */
export function parseInstant(text: string, round: (milliseconds: number) => number): number | null {
  const match = FORM.exec(text);
  if (!match) return null;
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', , sign, offHour, offMinute] = match;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  const exists = date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day) && Number(year) >= 1;
  if (!exists || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60) return null;
  date.setUTCHours(Number(hour), Number(minute), Number(second));
  let instant = date.getTime() + round(Number(`0.${fraction || '0'}`) * 1_000);
  if (sign !== undefined) {
    if (Number(offHour) > 23 || Number(offMinute) > 59) return null;
    const offset = (Number(offHour) * 60 + Number(offMinute)) * 60_000;
    // In a query, an unescaped + arrives as a space.
    instant += sign === '-' ? offset : -offset;
  }
  return instant;
}

/** Half-open: from <= instant < to. Null is no bound. */
export interface Range {
  from: number | null;
  to: number | null;
}
