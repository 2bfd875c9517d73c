import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Findings } from './checker/ledger-file.ts';
import type { Trend } from './flatness.ts';

export interface Report {
  command: string;
  seed: number;
  minutes: number;
  load: number;
  versions: Record<string, string>;
  /** Of the whole run: customers, then until every job was at rest. */
  seconds: { load: number; rest: number };
  faults: Record<string, number>;
  /** By process: how often it was started. */
  starts: Record<string, number>;
  /** The version of the upgrade in the middle; null without one. */
  upgradedTo: string | null;
  answers: Record<string, number>;
  unanswered: number;
  findings: Findings;
  trends: Trend[];
}

/** `report.json` and `report.md` in a folder. @returns the second one's text */
export async function writeReport(folder: string, report: Report): Promise<string> {
  const text = markdown(report);
  await writeFile(path.join(folder, 'report.json'), `${JSON.stringify(report, null, 2)}\n`);
  await writeFile(path.join(folder, 'report.md'), text);
  return text;
}

function markdown(report: Report): string {
  const { findings, faults, trends, seconds } = report;
  const injected = Object.values(faults).reduce((sum, n) => sum + n, 0);
  return [
    `# ${findings.wrong.length === 0 ? 'Nothing is wrong' : `Wrong: ${findings.wrong.length}`}`,
    '',
    `\`${report.command}\`, seed ${report.seed}: ${Math.round(seconds.load)} s of load, ${Math.round(seconds.rest)} s until everything was at rest.`,
    `${injected} faults. ${report.upgradedTo === null ? 'No upgrade.' : `Everything was replaced by ${report.upgradedTo} in the middle.`}`,
    `${report.unanswered} requests got no answer and were sent again.`,
    '',
    ...findings.wrong.slice(0, 100).map((sentence) => `- ${sentence}`),
    '',
    '| What was held against what is there | How many |',
    '|---|--:|',
    ...rows(findings.looked),
    '',
    '| Fault | How often |',
    '|---|--:|',
    ...rows(faults),
    '',
    '| Process | Starts |',
    '|---|--:|',
    ...rows(report.starts),
    '',
    '| Answer | How many |',
    '|---|--:|',
    ...rows(report.answers),
    '',
    '| Measured | After a quarter | At the end | An hour | For a job, kB | Flat |',
    '|---|--:|--:|--:|--:|---|',
    ...trends.map(
      ({ name, first, last, perHour, perJob, isFlat }) =>
        `| ${name} | ${round(first)} | ${round(last)} | ${round(perHour)} | ${perJob ? `${round(perJob.early * 1_024)} → ${round(perJob.late * 1_024)}` : ''} | ${isFlat ? 'yes' : 'no'} |`,
    ),
    '',
    `Versions: ${Object.entries(report.versions)
      .map(([name, version]) => `${name} ${version}`)
      .join(', ')}.`,
    '',
  ].join('\n');
}

const round = (n: number) => (Math.abs(n) < 10 ? n.toFixed(2) : String(Math.round(n)));

const rows = (all: Record<string, number>) => Object.entries(all).map(([name, n]) => `| ${name} | ${n} |`);
