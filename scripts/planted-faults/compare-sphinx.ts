import { stripVTControlCharacters } from 'node:util';
import { readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import type { CheckReport } from './run-check.ts';

/** `path:line: WARNING: message [type.subtype]`, as `sphinx-build -w` writes them. */
const WARNING = /^(.+?)(?::(\d+|<[^>]*>))?: (?:WARNING|ERROR|CRITICAL): (.*)$/;

/** The build's warnings, by our rule; the first group is the target. */
const RULES: readonly (readonly [RegExp, Rule])[] = [
  [/Unknown target name: ["'](.*?)["']/, 'named target'],
  [/Indirect hyperlink target .* refers to target ["'](.*?)["'], which does not exist/, 'named target'],
  [/local id not found in doc .*: ['"](.*?)['"]/, 'anchor or label'],
  [
    /(?:undefined label|undefined equation|Failed to create a cross reference\. Any number is not assigned): ['"](.*?)['"]/,
    'anchor or label',
  ],
  [/cross-reference target not found: ['"](.*?)['"]/, 'page, file or label'],
  [/unknown document: ['"](.*?)['"]/i, 'page, file or label'],
  [/Unknown source document ['"](.*?)['"]/, 'page, file or label'],
  [/download file not readable: (\S+)/, 'page, file or label'],
  [/'any' reference target not found: (.*?)(?: \[|$)/, 'page, file or label'],
  [/[Ii]nclude file ['"]?(.*?)['"]? (?:not found|.*failed)/, 'page, file or label'],
  [/image file not readable: (\S+)/, 'image'],
  [/toctree contains reference to non-?existing document ['"](.*?)['"]/, 'toctree'],
  [/duplicated entry found in toctree: (\S+)/, 'twice in a toctree'],
  [/document isn't included in any toctree()/, 'in no toctree'],
];

type Rule =
  | 'twice in a toctree'
  | 'named target'
  | 'anchor or label'
  | 'page, file or label'
  | 'image'
  | 'toctree'
  | 'in no toctree';

const CODES: Readonly<Record<string, Rule>> = {
  'missing-definition': 'named target',
  'missing-anchor': 'anchor or label',
  'missing-page': 'page, file or label',
  'missing-file': 'page, file or label',
  'missing-import': 'page, file or label',
  'missing-image': 'image',
  'navigation-missing-page': 'toctree',
  'navigation-repeated-page': 'twice in a toctree',
  'page-not-in-navigation': 'in no toctree',
};

/**
 * What `docent check` reports beside the warnings of Sphinx, in Markdown: precision and recall of each rule.
 * A report is the same as a warning where page, line and rule agree; links in one paragraph have the line of
 * its first.
 * @param folder of the site, where the paths of the problems start
 * @param warnings the file that `sphinx-build -w` wrote
 */
export function compareSphinx(problems: CheckReport['problems'], folder: string, warnings: string): string {
  const top = realpathSync(folder);
  const theirs: { rule: Rule; path: string; what: string }[] = [];
  const others = new Map<string, number>();
  let last = '';
  for (const line of readFileSync(warnings, 'utf8').split('\n')) {
    const unread = /^InputError: .* '(.*?)'/.exec(line)?.[1];
    if (unread !== undefined) theirs.push({ rule: 'page, file or label', path: last, what: lastPart(unread) });
    const [, file, , message] = WARNING.exec(stripVTControlCharacters(line)) ?? [];
    if (file === undefined) continue;
    last = path.relative(top, file);
    const found = RULES.map(([pattern, rule]) => ({ rule, target: pattern.exec(message!)?.[1] })).find(
      ({ target }) => target !== undefined,
    );
    if (found) theirs.push({ rule: found.rule, path: path.relative(top, file), what: lastPart(found.target!) });
    else {
      const kind = /\[[\w.-]+\]$/.exec(message!)?.[0] ?? message!.slice(0, 50);
      others.set(kind, (others.get(kind) ?? 0) + 1);
    }
  }
  const ours = problems.flatMap(({ path: page, code, target }) => {
    const rule = CODES[code];
    return rule ? [{ rule, path: page, what: lastPart(code === 'page-not-in-navigation' ? '' : (target ?? '')) }] : [];
  });
  const lines = ['| Rule | Both | Docent alone | Build alone | Precision | Recall |', '|---|---|---|---|---|---|'];
  const details: string[] = [];
  // The two tools disagree about the target of some names without a path.
  for (const rules of [
    ['anchor or label', 'page, file or label'],
    ['named target'],
    ['image'],
    ['toctree'],
    ['twice in a toctree'],
    ['in no toctree'],
  ] as Rule[][]) {
    const keys = (all: typeof ours) =>
      new Set(all.filter(({ rule }) => rules.includes(rule)).map((one) => `${one.path} ${one.what}`));
    const [mine, built] = [keys(ours), keys(theirs)];
    const both = [...mine].filter((key) => built.has(key)).length;
    const share = (all: number) => (all === 0 ? '–' : `${((100 * both) / all).toFixed(1)} %`);
    const name = rules.length > 1 ? 'links' : rules[0];
    lines.push(
      `| ${name} | ${both} | ${mine.size - both} | ${built.size - both} | ${share(mine.size)} | ${share(built.size)} |`,
    );
    for (const key of mine) if (!built.has(key)) details.push(`Docent alone: ${name} ${key}`);
    for (const key of built) if (!mine.has(key)) details.push(`Build alone: ${name} ${key}`);
  }
  for (const [kind, count] of others) details.push(`Not compared: ${count} of ${kind}`);
  return `${[...lines, '', ...details].join('\n')}\n`;
}

/** Targets are written in several forms: the anchor, or the last part of the path without its extension. */
function lastPart(target: string): string {
  const hash = target.indexOf('#');
  const end = hash === -1 ? target.replace(/\/+$/, '').replace(/^.*\//s, '') : target.slice(hash + 1);
  return end.replace(/\.(?:md|rst|html|ipynb)$/, '').toLowerCase();
}
