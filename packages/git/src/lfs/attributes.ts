import { compileGlob } from '@docent/base/glob';
import type { BaseTree } from '@docent/base/files/base-tree';

const MAX_LINES = 5_000;
/** Macros may name macros. */
const MAX_DEPTH = 5;

/** A line's value of the attribute `filter`: LFS, or anything else. */
interface Rule {
  matches: (path: string) => boolean;
  isLfs: boolean;
}

/**
 * The paths in Git LFS (`filter=lfs`), by the `.gitattributes` files of a tree, with git's rules: the file
 * nearest to the path and its last line with a filter decide. https://git-scm.com/docs/gitattributes
 */
export function lfsPaths(tree: Pick<BaseTree, 'files' | 'readText'>): (path: string) => boolean {
  const files = tree
    .files()
    .filter(({ path, kind }) => /(?:^|\/)\.gitattributes$/.test(path) && kind.endsWith('text'))
    .map(({ path }) => ({ folder: path.slice(0, -'.gitattributes'.length), text: tree.readText(path) ?? '' }));
  if (!files.some(({ text }) => text.includes('lfs'))) return () => false;
  const macros = macrosIn(files.find(({ folder }) => folder === '')?.text ?? '');
  const rules = files
    .toSorted((a, b) => b.folder.length - a.folder.length)
    .map(({ folder, text }) => ({ folder, rules: rulesIn(text, macros) }));
  return (path) => {
    for (const { folder, rules: own } of rules) {
      if (!path.startsWith(folder)) continue;
      const inside = path.slice(folder.length);
      const last = own.findLast(({ matches }) => matches(inside));
      if (last) return last.isLfs;
    }
    return false;
  };
}

/** Only the file at the top may define them. */
function macrosIn(text: string): Map<string, string[]> {
  const macros = new Map<string, string[]>();
  for (const [name = '', ...attributes] of linesOf(text)) {
    if (name.startsWith('[attr]')) macros.set(name.slice('[attr]'.length), attributes);
  }
  return macros;
}

function rulesIn(text: string, macros: ReadonlyMap<string, string[]>): Rule[] {
  return linesOf(text).flatMap(([pattern = '', ...attributes]): Rule[] => {
    // Neither a negated pattern nor one for a folder matches files, nor one that begins with a dot segment.
    if (/^\[attr\]|^!|^\.\/|\/$/.test(pattern)) return [];
    const isLfs = filterOf(attributes, macros);
    const matches = isLfs === undefined ? null : matcherOf(pattern);
    return matches ? [{ matches, isLfs: isLfs! }] : [];
  });
}

/** Undefined if the attributes have no filter. */
function filterOf(
  attributes: readonly string[],
  macros: ReadonlyMap<string, string[]>,
  depth = 0,
): boolean | undefined {
  let isLfs: boolean | undefined;
  for (const attribute of attributes) {
    const macro = macros.get(attribute);
    if (/^[-!]?filter(?:=|$)/.test(attribute)) isLfs = attribute === 'filter=lfs';
    else if (macro && depth < MAX_DEPTH) isLfs = filterOf(macro, macros, depth + 1) ?? isLfs;
  }
  return isLfs;
}

/** `git lfs track` writes `[[:space:]]` for each space of a name. */
const CLASSES: Record<string, string> = {
  space: ' \t',
  alpha: 'A-Za-z',
  digit: '0-9',
  alnum: 'A-Za-z0-9',
  upper: 'A-Z',
  lower: 'a-z',
};

function matcherOf(pattern: string): ((path: string) => boolean) | null {
  const isAnchored = pattern.startsWith('/');
  // Braces mean nothing here, and a backslash takes the meaning of the next character.
  const glob = pattern
    .replace(/^\//, '')
    .replace(/\\([*?[])|\\(.)/g, (_, special?: string, plain?: string) => (special ? `[${special}]` : plain!))
    .replace(/[{}]/g, '[$&]')
    .replace(/\[:(\w+):\]/g, (whole, name: string) => CLASSES[name] ?? whole);
  try {
    const compiled = compileGlob(glob);
    return isAnchored && !glob.includes('/') ? (path) => !path.includes('/') && compiled(path) : compiled;
  } catch (thrown) {
    if (thrown instanceof RangeError) return null;
    throw thrown;
  }
}

/** The fields of each line; a pattern with spaces is in quotes. */
function linesOf(text: string): string[][] {
  return text
    .split(/\r?\n/)
    .slice(0, MAX_LINES)
    .filter((line) => !/^\s*(?:#|$)/.test(line))
    .map((line) => {
      const [, quoted, rest = ''] = /^\s*"((?:[^"\\]|\\.)*)"(.*)$/.exec(line) ?? [];
      const words = (quoted === undefined ? line : rest).trim().split(/\s+/);
      return quoted === undefined ? words : [quoted.replace(/\\(["\\])/g, '$1'), ...words];
    });
}
