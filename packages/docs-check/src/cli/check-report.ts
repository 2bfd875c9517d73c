import { isAboutChecks, type Problem } from '../checks/problem.ts';
import { doubtRemedy, siteText } from '../read/describe-site.ts';
import { plural } from '@docent/base/plural';
import { bold, dim } from '@docent/base/terminal/terminal-text';
import { manyText, parted } from './many-places.ts';
import { oneLine } from './one-line.ts';
import type { CheckOutcome } from './run-check.ts';
import { severityText } from './severity.ts';

/** Problems grouped by file, as people read them on a terminal and in logs. */
export function problemsText(problems: readonly Problem[], all = false): string {
  const about = problems.filter(isAboutChecks);
  const { single, many } = all ? { single: problems, many: [] } : parted(problems.filter((one) => !isAboutChecks(one)));
  const parts = [linesOf(single), manyText(many), all ? '' : uncheckedText(about)];
  return parts.filter((part) => part !== '').join('\n');
}

/** The skipped checks: shown at the end, and never hidden. */
function uncheckedText(about: readonly Problem[]): string {
  const { single, many } = parted(about);
  return linesOf(single) + manyText(many);
}

function linesOf(problems: readonly Problem[]): string {
  const lines: string[] = [];
  let path: string | null = null;
  for (const problem of problems) {
    if (problem.path !== path) {
      if (path !== null) lines.push('');
      path = problem.path;
      lines.push(bold(fileName(path)));
    }
    const place = `${problem.line}:${problem.column ?? 1}`.padEnd(8);
    const severity = severityText(problem.severity);
    lines.push(`  ${dim(place)}${severity}  ${oneLine(problem.message)}  ${dim(problem.code)}`);
    if (problem.suggestion !== undefined) {
      lines.push(`  ${' '.repeat(17)}Did you mean ${oneLine(JSON.stringify(problem.suggestion))}?`);
    }
  }
  return lines.map((line) => `${line}\n`).join('');
}

/** A name cannot look like a command of a CI system that reads the log. */
function fileName(path: string): string {
  return /^[:#]/.test(path) ? `./${oneLine(path)}` : oneLine(path);
}

/** Uncertain facts, and the checks that were skipped for that reason. */
function doubtOf({ unsure }: CheckOutcome['site']): string {
  if (unsure === null) return '';
  return `\n${oneLine(unsure)} Links that depend on it were not checked. ${doubtRemedy('docent check')}`;
}

function externalOf({ external }: CheckOutcome): string {
  if (!external) return '';
  const { asked, cached, unknown } = external;
  const more = cached > 0 ? `, ${cached.toLocaleString('en-US')} from the cache` : '';
  const rest = unknown > 0 ? `, ${unknown.toLocaleString('en-US')} without a response` : '';
  return ` External links: ${asked.toLocaleString('en-US')} checked${more}${rest}.`;
}

/** Problems that do not count, and named files that were not checked. */
function leftOf({ left: { ignored, known, off }, settings, foreign }: CheckOutcome): string {
  const counts = [
    [ignored, 'ignored by comments'],
    [known, 'in the baseline'],
    [off, `excluded by ${oneLine(settings.path ?? 'the settings')}`],
  ] as const;
  const more = counts.filter(([n]) => n > 0).map(([n, why]) => `${n.toLocaleString('en-US')} ${why}`);
  const named = foreign.slice(0, 5).map((file) => oneLine(file));
  if (foreign.length > named.length) named.push(`${foreign.length - named.length} more`);
  return [
    ...(more.length > 0 ? [` Not counted: ${more.join(', ')}.`] : []),
    ...(named.length > 0 ? [` Not part of the site, so not checked: ${named.join(', ')}.`] : []),
  ].join('');
}

/** One sentence about the checks and their results, and another one if something is uncertain. */
export function summaryOf(outcome: CheckOutcome, shown: readonly Problem[]): string {
  const { site, pages, problems, base } = outcome;
  const count = (severity: Problem['severity']) => problems.filter((problem) => problem.severity === severity).length;
  const found = (['error', 'warning', 'notice'] as const)
    .map((severity) => ({ severity, n: count(severity) }))
    .filter(({ n }) => n > 0)
    .map(({ severity, n }) => plural(n, severity));
  const what = `Checked ${plural(pages, 'page')} of ${oneLine(siteText(site))}`;
  const since = base === null ? '' : ` against ${base.slice(0, 12)}`;
  const hidden = problems.length - shown.length;
  const rest = hidden > 0 ? ` (${plural(hidden, 'notice')} not shown: --notices)` : '';
  return `${what}${since}: ${found.length === 0 ? 'no problems' : found.join(', ')}${rest}.${externalOf(outcome)}${leftOf(outcome)}${doubtOf(site)}`;
}
