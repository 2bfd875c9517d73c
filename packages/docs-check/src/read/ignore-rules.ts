import { compileGlob } from '@docent/base/glob';

const MAX_RULES = 2_000;

/**
 * Rules of `.gitignore` (https://git-scm.com/docs/gitignore#_pattern_format), also used by `.mintignore` and
 * MkDocs' `exclude_docs`. Matching takes linear time for any patterns.
 * @returns whether a path, relative to the folder of the rules, is ignored, itself or with a folder above it
 */
export function ignoreRules(text: string): (path: string) => boolean {
  const rules = text
    .split(/\r?\n/)
    .slice(0, MAX_RULES)
    .flatMap((line) => ruleOf(line) ?? []);
  if (rules.length === 0) return () => false;
  return (path) => {
    for (let slash = path.indexOf('/'); ; slash = path.indexOf('/', slash + 1)) {
      const prefix = slash === -1 ? path : path.slice(0, slash);
      const last = rules.findLast((rule) => (slash !== -1 || !rule.onlyFolders) && rule.matches(prefix));
      if (last && !last.negated) return true;
      if (slash === -1) return false;
    }
  };
}

function ruleOf(line: string): { matches: (path: string) => boolean; negated: boolean; onlyFolders: boolean } | null {
  const trimmed = line.replace(/(?<!\\)[ \t]+$/, '');
  if (trimmed === '' || trimmed.startsWith('#')) return null;
  const negated = trimmed.startsWith('!');
  const pattern = trimmed.slice(negated ? 1 : 0).replace(/\/$/, '');
  // Elsewhere braces mean alternatives, a leading slash nothing.
  const glob = pattern
    .replace(/^\//, '')
    .replace(/^\\(?=[#!])/, '')
    .replace(/[{}]/g, '[$&]');
  try {
    const compiled = compileGlob(glob);
    const isAnchored = pattern.startsWith('/') && !glob.includes('/');
    const matches = isAnchored ? (path: string) => !path.includes('/') && compiled(path) : compiled;
    return { matches, negated, onlyFolders: trimmed.endsWith('/') };
  } catch (thrown) {
    if (thrown instanceof RangeError) return null;
    throw thrown;
  }
}
