import type { DocsSite } from '../../read/docs-site.ts';
import type { IgnoreComment } from '../../read/page-facts.ts';
import { checkDocs } from '../check-docs.ts';
import type { Problem } from '../problem.ts';
import { siteProblems } from '../site-problems.ts';
import { readCheckSettings } from './check-settings.ts';
import { judge } from './known-problems.ts';

/**
 * Like {@link siteProblems}, without intentional problems. The base decides which problems are intentional,
 * so that no change silences its own problems. The base's settings apply, and a comment counts if the base's
 * page has it, too. For introduced problems, only comments for whole files count, because a line or block can
 * be moved. The baseline is not used: the base itself distinguishes old from new problems, and its problems
 * remain to be fixed.
 */
export function jobProblems(docs: DocsSite, base: DocsSite): { now: Problem[]; introduced: Problem[] } {
  const settings = readCheckSettings(base, base.docsDir, base.site.root);
  const { now, introduced, renames } = siteProblems(docs, base, settings.asked);
  const oldPaths = new Map([...renames].map(([from, to]) => [to, from]));
  const isNew = new Set(introduced);
  const commentsOf = new Map<string, ReadonlySet<IgnoreComment>>();
  const { counted } = judge(docs, now, {
    settings,
    mayIgnore(path, comment, problem) {
      let old = commentsOf.get(path);
      if (!old) commentsOf.set(path, (old = commentsOfBase(docs, base, path, oldPaths.get(path) ?? path)));
      return old.has(comment) && (comment.scope === 'file' || !isNew.has(problem));
    },
  });
  const left = (problems: readonly Problem[]) => problems.flatMap((problem) => counted.get(problem) ?? []);
  return { now: left(now), introduced: left(introduced) };
}

/** The problems of a site, without intentional ones. Includes those of the baseline. */
export function problemsToCount(docs: DocsSite): Problem[] {
  const settings = readCheckSettings(docs, docs.docsDir, docs.site.root);
  const problems = checkDocs(docs, undefined, settings.asked);
  return [...settings.problems, ...judge(docs, problems, { settings }).counted.values()];
}

/** A page's comments that its old page has too, as often as there. */
function commentsOfBase(docs: DocsSite, base: DocsSite, path: string, oldPath: string): Set<IgnoreComment> {
  const left = new Map<string, number>();
  for (const comment of base.facts(oldPath)?.ignores ?? []) {
    left.set(keyOf(comment), (left.get(keyOf(comment)) ?? 0) + 1);
  }
  const kept = new Set<IgnoreComment>();
  for (const comment of docs.facts(path)?.ignores ?? []) {
    const count = left.get(keyOf(comment)) ?? 0;
    if (count === 0) continue;
    left.set(keyOf(comment), count - 1);
    kept.add(comment);
  }
  return kept;
}

function keyOf({ scope, codes, reason }: IgnoreComment): string {
  return JSON.stringify([scope, codes, reason]);
}
