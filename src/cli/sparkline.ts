const BARS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const;

/**
 * A line of bars up to the largest number; the lowest bar is only for 0.
 * @param width the most bars: neighbors share one, which shows their maximum
 */
export function sparkline(numbers: readonly number[], width: number): string {
  const share = Math.ceil(numbers.length / width);
  const shown = Array.from({ length: Math.ceil(numbers.length / share) }, (_, i) =>
    Math.max(...numbers.slice(i * share, (i + 1) * share)),
  );
  const most = Math.max(...shown, 1);
  return shown.map((value) => BARS[value === 0 ? 0 : Math.max(1, Math.round((value / most) * 7))]).join('');
}
