import { plural } from '@docent/base/plural';
import { untilStopped } from '@docent/base/terminal/until-stopped';
import { problemsText, summaryOf } from './check-report.ts';
import { shownOf } from './many-places.ts';
import type { CheckOptions } from './run-check.ts';
import { watchCheck, type Watched } from './watch-check.ts';

/**
 * `docent check --watch`: the result, again after each change, until Ctrl-C. On a terminal each report
 * replaces the last one.
 */
export async function watchInTerminal(
  options: CheckOptions,
  { notices = false }: { notices?: boolean },
): Promise<void> {
  const report = (watched: Watched) => {
    if (process.stdout.isTTY) process.stdout.write('\u001B[2J\u001B[3J\u001B[H');
    process.stdout.write(`${reportText(watched, notices)}\n`);
  };
  await untilStopped((signal) => watchCheck({ ...options, onProgress: () => undefined }, report, signal));
}

function reportText({ outcome, failure, milliseconds }: Watched, notices: boolean): string {
  const took = milliseconds > 0 ? ` It took ${plural(Math.round(milliseconds), 'millisecond')}.` : '';
  const then = `${took} Waiting for changes. Press Ctrl-C to stop.`;
  if (!outcome) return `${failure}\n${then.trim()}`;
  const shown = shownOf(outcome.problems, notices);
  const words = problemsText(shown);
  return `${words}${words === '' ? '' : '\n'}${summaryOf(outcome, shown)}\n${then.trim()}`;
}
