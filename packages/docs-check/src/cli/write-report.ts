import { stripVTControlCharacters } from 'node:util';
import { writeFileSync } from 'node:fs';
import { causeOf } from '../checks/causes.ts';
import type { Problem } from '../checks/problem.ts';
import { messageOf } from '@docent/base/thrown';
import { CliFailure, EXIT } from '@docent/base/terminal/failures';
import { problemsText, summaryOf } from './check-report.ts';
import { html } from './formats/html.ts';
import { junit } from './formats/junit.ts';
import { helpAddress, type Report, type Stats } from './formats/report.ts';
import { sarif } from './formats/sarif.ts';
import { githubAnnotations } from './github-annotations.ts';
import { parted } from './many-places.ts';
import type { CheckOutcome } from './run-check.ts';

const FORMATS = {
  human: (report: Report) => withSummary(problemsText(report.shown, report.all), report),
  github: (report: Report) => withSummary(githubAnnotations(report.shown, report.all), report),
  json,
  sarif,
  junit,
  html,
};

export type Format = keyof typeof FORMATS;

export interface ReportOptions {
  format: Format;
  outcome: CheckOutcome;
  shown: readonly Problem[];
  fails: (problem: Problem) => boolean;
  /** Each location of grouped problems. */
  all: boolean;
  stats: Stats | null;
  /** In SARIF: also ignored and known problems. */
  suppressed: boolean;
  /** A file for the report. The terminal then gets the summary alone. */
  output?: string;
}

/** Prints a report, or writes it into a file. @throws CliFailure if the file cannot be written */
export function writeReport({ format, output, outcome, shown, fails, all, stats, suppressed }: ReportOptions): void {
  const report: Report = {
    outcome,
    shown,
    fails,
    all,
    stats,
    suppressed: suppressed ? outcome.suppressed : [],
    summary: stripVTControlCharacters(summaryOf(outcome, shown)),
  };
  const text = FORMATS[format](report);
  if (output === undefined) {
    process.stdout.write(text);
    return;
  }
  try {
    writeFileSync(output, stripVTControlCharacters(text));
  } catch (thrown) {
    throw new CliFailure(`The report cannot be written: ${messageOf(thrown)}`, EXIT.usage, { cause: thrown });
  }
  process.stdout.write(`${report.summary}\n`);
}

function withSummary(words: string, { summary, stats }: Report): string {
  const gap = words === '' ? '' : '\n';
  if (!stats) return `${words}${gap}${summary}\n`;
  const { seconds, processorSeconds, peakMegabytes } = stats;
  const took = `${seconds.toFixed(1)} s, ${processorSeconds.toFixed(1)} s of CPU time, at most ${Math.round(peakMegabytes)} MB of memory.`;
  return `${words}${gap}${summary}\n${took}\n`;
}

function json({ outcome, shown, stats }: Report): string {
  const { site, pages, base, left, foreign, external } = outcome;
  const problems = shown.map((problem) => {
    const help = helpAddress(outcome, problem.code);
    return { ...problem, cause: causeOf(problem), ...(help !== null && { help }) };
  });
  const causes = parted(shown).many;
  const report = { site, pages, base, left, foreign, external, problems, causes, ...(stats && { stats }) };
  return `${JSON.stringify(report, null, 2)}\n`;
}
