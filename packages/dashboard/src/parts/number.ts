const whole = new Intl.NumberFormat();
const short = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 });
const money = new Intl.NumberFormat(undefined, { style: 'currency', currency: 'USD', maximumFractionDigits: 2 });
const percent = new Intl.NumberFormat(undefined, {
  style: 'percent',
  maximumFractionDigits: 0,
  signDisplay: 'exceptZero',
});

/** A number in the reader's locale. */
export function count(n: number): string {
  return whole.format(n);
}

/** A large number in few characters: for axes and narrow places that show the whole one on hover. */
export function shortCount(n: number): string {
  return short.format(n);
}

export function usd(n: number): string {
  return money.format(n);
}

/** How much more or less, e.g. `+12%`. Null if there was nothing before. */
export function change(now: number, before: number): string | null {
  return before === 0 ? null : percent.format((now - before) / before);
}

export function bytes(n: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const at = n < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(n) / 3));
  const value = n / 10 ** (3 * at);
  return `${value >= 100 || at === 0 ? Math.round(value) : value.toFixed(1)} ${units[at]}`;
}
