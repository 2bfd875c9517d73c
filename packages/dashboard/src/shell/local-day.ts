/**
 * Times are shown, and days of filters taken, in the reader's time zone. The days of analytics alone are
 * UTC's.
 */
export const TIME_ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone;

export function isDay(text: string | undefined): text is string {
  return text !== undefined && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
}

/** The instant at which a day begins in the reader's time zone. @param later number of days to add */
export function startOf(day: string, later = 0): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + later).toISOString();
}
