import { crawlBuilt, type BuiltRule } from './crawl-built.ts';
import type { CheckReport } from './run-check.ts';

type Problem = CheckReport['problems'][number];

const RULES: readonly BuiltRule[] = ['link', 'image', 'anchor'];
/** An address on this large a part of the pages is the theme's. */
const OF_THEME = 0.5;
const SHOWN = 15;

/**
 * Compares the reports of `docent check` with broken links of the built site, in Markdown: precision and
 * recall of each rule. Generators rewrite links, so they are compared by the unchanged part: the anchor, or
 * the last part of a path without its extension.
 */
export function compareBuilt(problems: readonly Problem[], folder: string, base: string): string {
  const built = crawlBuilt(folder, base);
  const pages = new Set(built.map(({ page }) => page)).size;
  const onPages = counted(built.map(({ href }) => href));
  const own = built.filter(({ href }) => pages < 4 || onPages.get(href)! <= OF_THEME * pages);
  // A page that has a link twice has one fault.
  const once = [...new Map(problems.map((one) => [`${one.path} ${one.code} ${one.target}`, one])).values()];
  const lines = ['| Rule | Both | Docent alone | Build alone | Precision | Recall |', '|---|---|---|---|---|---|'];
  const details: string[] = [];
  for (const rule of RULES) {
    const ours = counted(once.flatMap((problem) => (ruleOf(problem) === rule ? keyOf(rule, problem.target!) : [])));
    const theirs = counted(own.flatMap((fault) => (fault.rule === rule ? keyOf(rule, fault.href) : [])));
    const [inOurs, inTheirs] = [sum(ours), sum(theirs)];
    const both = sum(new Map([...ours].map(([key, count]) => [key, Math.min(count, theirs.get(key) ?? 0)])));
    const share = (all: number) => (all === 0 ? '–' : `${((100 * both) / all).toFixed(1)} %`);
    lines.push(`| ${rule} | ${both} | ${inOurs - both} | ${inTheirs - both} | ${share(inOurs)} | ${share(inTheirs)} |`);
    details.push(...moreIn(ours, theirs).map((key) => `Docent alone: ${rule} ${key}`));
    details.push(...moreIn(theirs, ours).map((key) => `Build alone: ${rule} ${key}`));
  }
  return `${[...lines, '', ...details].join('\n')}\n`;
}

function ruleOf({ code, severity, target }: Problem): BuiltRule | null {
  if (severity === 'notice' || target === undefined) return null;
  if (code === 'missing-anchor') return 'anchor';
  if (code === 'missing-image') return 'image';
  return code === 'missing-page' || code === 'missing-file' ? 'link' : null;
}

function keyOf(rule: BuiltRule, target: string): string {
  const written = decodeURI(target.replace(/%(?![\da-f]{2})/gi, '%25'));
  if (rule === 'anchor') return written.slice(written.indexOf('#'));
  const parts = written.replace(/[?#].*$/s, '').split('/');
  return (parts.findLast((part) => part !== '' && part !== '.' && part !== '..') ?? '/').replace(
    /\.(?:mdx?|html?)$/,
    '',
  );
}

function counted(keys: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

function sum(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((all, count) => all + count, 0);
}

function moreIn(one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): string[] {
  return [...one]
    .flatMap(([key, count]) => (count > (other.get(key) ?? 0) ? [`${key} (${count})`] : []))
    .slice(0, SHOWN);
}
