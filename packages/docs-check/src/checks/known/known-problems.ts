import { clearlyNearest } from '../../read/similar-text.ts';
import type { DocsSite } from '../../read/docs-site.ts';
import type { IgnoreComment } from '../../read/page-facts.ts';
import { isAboutChecks, type Problem, type ProblemCode } from '../problem.ts';
import { isProblemCode, RULES } from '../rules.ts';
import { withoutKnown, type Baseline } from './baseline.ts';
import type { CheckSettings } from './check-settings.ts';

/** A problem of a comment or of the baseline, with the page that it is about. */
export type Maintenance = Problem & { about: string };

/** The problems that count, and why the others do not. */
export interface Judged {
  /** The counted problems by the original ones: the settings may change their severity. */
  counted: ReadonlyMap<Problem, Problem>;
  /** Mistakes in ignores, and unneeded ones. Reads all pages. */
  maintenance: () => Maintenance[];
  /**
   * How many do not count: ignored by a comment, known by the baseline, turned off or in files that are left
   * out.
   */
  ignored: number;
  known: number;
  off: number;
  /** Those that are ignored by a comment or known by the baseline, by the problem as it was found. */
  suppressed: ReadonlyMap<Problem, Suppressed>;
}

export interface Suppressed {
  problem: Problem;
  by: 'comment' | 'baseline';
  /** The reason in the comment. */
  reason: string | null;
}

export interface JudgeOptions {
  settings: CheckSettings;
  /** Absent: no known problems. */
  baseline?: Baseline | null;
  /** The checked linter rules. Default: none. */
  linted?: ReadonlySet<ProblemCode>;
  /** Which comments of a page may ignore a problem. Default: all. */
  mayIgnore?: (path: string, comment: IgnoreComment, problem: Problem) => boolean;
  possible?: Possible;
}

/** Problems that may exist but were not checked: ignores for them may be needed. */
export interface Possible {
  codes: readonly ProblemCode[];
  /** Only called if something ignores such problems, because it reads all pages. */
  problems: () => readonly Problem[];
}

/** Leaves out intentional problems of a site: by comments in pages, by the settings, by the baseline. */
export function judge(
  docs: DocsSite,
  problems: readonly Problem[],
  { settings, baseline, linted = NONE, mayIgnore, possible }: JudgeOptions,
): Judged {
  const used = new Map<IgnoreComment, Set<string>>();
  const meant = (problem: Problem): IgnoreComment | null => {
    let by: IgnoreComment | null = null;
    for (const comment of docs.facts(problem.path)?.ignores ?? []) {
      if (!covers(comment, problem) || mayIgnore?.(problem.path, comment, problem) === false) continue;
      by ??= comment;
      const codes = used.get(comment);
      if (codes) codes.add(problem.code);
      else used.set(comment, new Set([problem.code]));
    }
    return by;
  };
  const suppressed = new Map<Problem, Suppressed>();
  const open = problems.filter((problem) => {
    const comment = meant(problem);
    const left = comment && levelOf(problem, settings);
    if (left) suppressed.set(problem, { problem: left.problem, by: 'comment', reason: comment.reason });
    return !comment;
  });
  const levelled = open.flatMap((problem) => levelOf(problem, settings) ?? []);
  const originals = new Map(levelled.map(({ problem, original }) => [problem, original]));
  const asked = levelled.map(({ problem }) => problem);
  const isGone = (path: string) => !docs.exists(path);
  const { fresh, unused } = baseline ? withoutKnown(asked, baseline, isGone) : { fresh: asked, unused: [] };
  /** Unchecked problems may still exist. */
  const isCheckedFor = (code: ProblemCode) => {
    const { needs } = RULES[code] ?? {};
    return !needs || (needs === 'settings' ? settings.asked.codes : linted).has(code);
  };
  const isFresh = new Set(fresh);
  for (const { problem, original } of levelled)
    if (!isFresh.has(problem)) suppressed.set(original, { problem, by: 'baseline', reason: null });
  const maintenance = () => {
    const mayBe = ({ codes }: { codes: readonly string[] }) => possible?.codes.some((code) => codes.includes(code));
    const comments = [...docs.pages()].flatMap(({ facts }) => facts.ignores ?? []);
    const isAsked = comments.some(mayBe) || unused.some(({ code }) => mayBe({ codes: [code] }));
    const unseen = isAsked ? possible!.problems() : [];
    for (const problem of unseen) meant(problem);
    const left = unseen.length > 0 ? withoutKnown(unseen, { entries: unused }, isGone).unused : unused;
    const needless = left.filter(({ code }) => isCheckedFor(code));
    return [...commentProblems(docs, used, isCheckedFor), ...(baseline ? baselineProblems(baseline, needless) : [])];
  };
  return {
    counted: new Map(fresh.map((problem) => [originals.get(problem)!, problem])),
    maintenance: () =>
      maintenance().flatMap((one) => {
        const levelled = levelOf(one, settings, one.about);
        return levelled ? { ...levelled.problem, about: one.about } : [];
      }),
    ignored: problems.length - open.length,
    known: asked.length - fresh.length,
    off: open.length - levelled.length,
    suppressed,
  };
}

const NONE: ReadonlySet<ProblemCode> = new Set();

function covers({ problem: isBroken, codes, from, to }: IgnoreComment, { code, line }: Problem): boolean {
  return isBroken === undefined && !isAboutChecks({ code }) && from <= line && line <= to && codes.includes(code);
}

/** The problem with the severity of the settings; null if they turn it off. */
function levelOf(
  problem: Problem,
  { levels, reports }: CheckSettings,
  file = problem.path,
): { problem: Problem; original: Problem } | null {
  const level = levels.get(problem.code) ?? 'on';
  // Skipped checks are always reported.
  if (level === 'off' || (!isAboutChecks(problem) && !reports(file))) return null;
  const severity = level === 'on' ? problem.severity : level;
  return { problem: { ...problem, severity }, original: problem };
}

function* commentProblems(
  docs: DocsSite,
  used: ReadonlyMap<IgnoreComment, Set<string>>,
  isCheckedFor: (code: ProblemCode) => boolean,
): Generator<Maintenance> {
  for (const { path, facts } of docs.pages()) {
    for (const comment of facts.ignores ?? []) {
      const place = { path, about: path, line: comment.line, column: comment.column };
      const unknown = comment.codes.find((code) => !isProblemCode(code));
      const wrong = comment.problem ?? (unknown === undefined ? undefined : noSuchCode(unknown));
      if (wrong !== undefined) {
        const message = `The comment has no effect: ${wrong}.`;
        yield { ...place, code: 'invalid-ignore', message, severity: RULES['invalid-ignore'].severity };
      }
      if (comment.problem !== undefined) continue;
      const needless = comment.codes.filter(
        (code) => isProblemCode(code) && isCheckedFor(code) && !used.get(comment)?.has(code),
      );
      if (needless.length === 0) continue;
      const message = `The comment ignores ${needless.join(', ')}, but this problem no longer exists here. Remove it.`;
      yield {
        ...place,
        code: 'unused-ignore',
        message,
        severity: RULES['unused-ignore'].severity,
        target: needless.join(),
      };
    }
  }
}

function noSuchCode(code: string): string {
  const near = clearlyNearest(code, Object.keys(RULES), 0.6, 0.05);
  return `unknown code ${JSON.stringify(code)}${near === null ? '' : `, did you mean ${JSON.stringify(near)}?`}`;
}

/** One for each page of the baseline that now has fewer problems than listed. */
function baselineProblems({ path }: Baseline, unused: Baseline['entries']): Maintenance[] {
  const pages = Map.groupBy(unused, (entry) => entry.path);
  return [...pages].map(([page, entries]) => {
    const [first] = entries as [Baseline['entries'][number]];
    const named = [...new Set(entries.map(({ code, target }) => `${code} ${JSON.stringify(target)}`))];
    const list = named.length > 3 ? `${named.slice(0, 3).join(', ')} and ${named.length - 3} more` : named.join(', ');
    const message = `${page} no longer has these problems of the baseline: ${list}. Run \`docent check --update-baseline\` to remove them.`;
    const { severity } = RULES['unused-ignore'];
    return { path, about: page, line: first.entryLine, code: 'unused-ignore', message, severity, target: page };
  });
}
