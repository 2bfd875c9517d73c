import { relative } from 'node:path/posix';
import { folderOf } from '../../read/folder.ts';
import { parseJsonSource, propertyOf, type Node } from '../../read/json-source.ts';
import { inRepository } from '../../read/repository-path.ts';
import { TextLines } from '../../read/text-lines.ts';
import { introducedProblems, type Likeness } from '../introduced-problems.ts';
import { subjectOf, type Problem, type ProblemCode } from '../problem.ts';

const VERSION = 1;

/** Known problems, each a problem that has no place but its page. */
export interface Baseline {
  path: string;
  entries: (Problem & { entryLine: number })[];
  /** A sentence if the file cannot be read; it then has no entries. */
  problem: string | null;
}

/**
 * Reads a baseline: by page, code and target, how many such problems are known. Pages are named from the
 * baseline's folder.
 * @param text null if it is not text, or too long to be read
 */
export function readBaseline(path: string, text: string | null): Baseline {
  const unread = (problem: string) => ({ path, entries: [], problem });
  if (text === null) return unread('It is not text, or is too large.');
  const { root, problem } = parseJsonSource(path, text);
  if (problem) return unread(`It is not valid JSON: ${problem.message}.`);
  if (propertyOf(root, 'version')?.value !== VERSION)
    return unread('It was written by another version of Docent. Update it with `docent check --update-baseline`.');
  const lines = new TextLines(text);
  const folder = folderOf(path);
  const entries: Baseline['entries'] = [];
  for (const [name, codes] of properties(propertyOf(root, 'problems'))) {
    const page = inRepository(folder, name);
    if (page === null) continue;
    for (const [code, subjects] of properties(codes)) {
      for (const [subject, count, key] of properties(subjects)) {
        const times = typeof count.value === 'number' ? Math.min(Math.max(0, count.value), 10_000) : 1;
        const entry = { path: page, line: 1, code: code as ProblemCode, severity: 'error' } as const;
        for (let i = 0; i < times && entries.length < 200_000; i++)
          entries.push({ ...entry, message: '', target: subject, entryLine: lines.lineAt(key.offset) });
      }
    }
  }
  return { path, entries, problem: null };
}

/** The text of a baseline that knows these problems; the same problems give the same text. */
export function baselineText(path: string, problems: readonly Problem[]): string {
  const folder = folderOf(path);
  const pages = new Map<string, Map<string, Map<string, number>>>();
  for (const problem of problems) {
    const page = relative(folder, problem.path);
    const codes = pages.get(page) ?? pages.set(page, new Map()).get(page)!;
    const subjects = codes.get(problem.code) ?? codes.set(problem.code, new Map()).get(problem.code)!;
    const subject = subjectOf(problem);
    subjects.set(subject, (subjects.get(subject) ?? 0) + 1);
  }
  const known = sorted(pages, (codes) => sorted(codes, (subjects) => sorted(subjects, (count) => count)));
  return `${JSON.stringify({ version: VERSION, problems: known }, null, 2)}\n`;
}

/**
 * Separates problems that a baseline knows from others, and finds unused entries. Each entry matches one
 * problem; entries of a deleted page match the same problem on any page.
 * @param isGone whether the file no longer exists
 */
export function withoutKnown(
  problems: readonly Problem[],
  { entries }: Pick<Baseline, 'entries'>,
  isGone: (path: string) => boolean,
): { fresh: Problem[]; unused: Baseline['entries'] } {
  if (entries.length === 0) return { fresh: [...problems], unused: [] };
  const here = (problem: Problem) => `${problem.path}\n${anywhere(problem)}`;
  const ofGone = (problem: Problem) => (isGone(problem.path) ? anywhere(problem) : null);
  const likenesses: Likeness[] = [
    { before: here, now: here },
    { before: ofGone, now: anywhere },
  ];
  const turned = likenesses.map(({ before, now }) => ({ before: now, now: before }));
  const left = new Set(introducedProblems(problems, entries, turned));
  return {
    fresh: introducedProblems(entries, problems, likenesses),
    unused: entries.filter((entry) => left.has(entry)),
  };
}

/** The entries that know these problems. */
export function entriesOf(
  problems: readonly Problem[],
  { entries }: Pick<Baseline, 'entries'>,
  isGone: (path: string) => boolean,
): Baseline['entries'] {
  const unused = new Set(withoutKnown(problems, { entries }, isGone).unused);
  return entries.filter((entry) => !unused.has(entry));
}

function anywhere(problem: Problem): string {
  return `${problem.code}\n${subjectOf(problem)}`;
}

function sorted<T, R>(map: ReadonlyMap<string, T>, each: (value: T) => R): Record<string, R> {
  const entries = [...map].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, value]) => [key, each(value)]));
}

/** Names, values and the nodes of the names. */
function properties(node: Node | undefined): [string, Node, Node][] {
  if (node?.type !== 'object') return [];
  return (node.children ?? []).flatMap(({ children: [key, value] = [] }) =>
    key && value ? [[String(key.value), value, key]] : [],
  );
}
