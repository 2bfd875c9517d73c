import { causeOf, MANY, reports } from '../checks/causes.ts';
import { isAboutChecks, type Problem } from '../checks/problem.ts';
import { plural } from '@docent/base/plural';
import { bold, dim } from '@docent/base/terminal/terminal-text';
import { oneLine } from './one-line.ts';
import { severityText } from './severity.ts';

/** Places that are named of one cause. */
const FIRST = 5;

/** Problems that have one cause in many places. */
export interface ManyPlaces {
  code: Problem['code'];
  severity: Problem['severity'];
  /** Their common `cause`. */
  cause: string;
  count: number;
  pages: number;
  /** Of the first position. */
  message: string;
  first: { path: string; line: number }[];
}

/**
 * Problems that are reported individually, in order, and those with one cause in many places, the most
 * frequent first.
 */
export function parted(problems: readonly Problem[]): { single: Problem[]; many: ManyPlaces[] } {
  const groups = reports(problems);
  const single = new Set(groups.filter(({ length }) => length < MANY).flat());
  const many = groups.filter(({ length }) => length >= MANY).map(manyPlaces);
  return {
    single: problems.filter((problem) => single.has(problem)),
    many: many.toSorted((a, b) => b.count - a.count),
  };
}

function manyPlaces(group: readonly Problem[]): ManyPlaces {
  const { code, severity, message } = group[0]!;
  return {
    code,
    severity,
    cause: causeOf(group[0]!),
    count: group.length,
    pages: new Set(group.map(({ path }) => path)).size,
    message,
    first: group.slice(0, FIRST).map(({ path, line }) => ({ path, line })),
  };
}

/** One report for each cause. Empty if there is none. */
export function manyText(many: readonly ManyPlaces[]): string {
  if (many.length === 0) return '';
  const lines = many.flatMap(({ severity, message, code, ...places }) => [
    `  ${severityText(severity)}  ${oneLine(message)}  ${dim(code)}`,
    `  ${' '.repeat(7)}  ${placesText(places)}`,
  ]);
  return `${[bold('Repeated problems'), ...lines].join('\n')}\n`;
}

/** `1,809 places on 1,200 pages: a.mdx:3, b.mdx:9 and 1,807 more (use --all to show each)` */
export function placesText({ count, pages, first }: Pick<ManyPlaces, 'count' | 'pages' | 'first'>): string {
  const named = first.map(({ path, line }) => `${oneLine(path)}:${line}`).join(', ');
  const left = count - first.length;
  const rest = left > 0 ? ` and ${left.toLocaleString('en-US')} more (use --all to show each)` : '';
  return `${plural(count, 'place')} in ${plural(pages, 'file')}: ${named}${rest}`;
}

/**
 * The problems to show: without notices, unless requested or about unneeded ignores, but always with skipped
 * checks, at the end.
 */
export function shownOf(problems: readonly Problem[], notices: boolean): Problem[] {
  const isShown = ({ severity, code }: Problem) => notices || severity !== 'notice' || code === 'unused-ignore';
  const shown = problems.filter((problem) => !isAboutChecks(problem) && isShown(problem));
  return [...shown, ...problems.filter(isAboutChecks)];
}
