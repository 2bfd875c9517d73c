import { join } from 'node:path/posix';
import { fieldOf, fieldsOf, itemsOf, textOf, type StaticValue } from '../config/static-value.ts';
import { parseYamlSource, type YamlSource } from '../config/yaml-value.ts';
import { folderOf } from '../read/folder.ts';
import { below } from '../read/repository-path.ts';
import type { GeneratorEntry } from './generator.ts';

/** Files are read up to this number: each is parsed. */
const MAX_FILES = 500;
/** Settings of a glob or a section; anything else is the title of an entry. */
const SETTINGS =
  /^(?:glob|ignore_no_matches|preserve_directory_names|flatten_single_child_sections|sort|append_unmatched|hide|ignore)$/;

/**
 * Navigation files beside the pages: `.nav.yml` of awesome-nav
 * (https://lukasgeiter.github.io/mkdocs-awesome-nav/) and `.pages` of awesome-pages
 * (https://github.com/lukasgeiter/mkdocs-awesome-pages-plugin). Entries name files and folders from the
 * folder of the file; globs and `...` mean existing files, and are left out.
 */
export function mkdocsNavFiles(
  plugins: ReadonlyMap<string, { options: StaticValue }>,
  docs: string,
  paths: readonly string[],
  read: (path: string) => string | null,
): { sources: YamlSource[]; entries: GeneratorEntry[] } {
  const names = [...plugins].flatMap(([name, { options }]) => {
    if (!/(?:^|\/)awesome-(?:nav|pages)$/.test(name)) return [];
    return textOf(fieldOf(options, 'filename')) ?? (name.endsWith('nav') ? '.nav.yml' : '.pages');
  });
  if (names.length === 0) return { sources: [], entries: [] };
  const files = paths.filter(
    (path) => below(path, docs) !== null && names.includes(path.slice(folderOf(path).length + 1)),
  );
  const sources = files.slice(0, MAX_FILES).flatMap((path) => {
    const text = read(path);
    return text === null ? [] : [parseYamlSource(path, text)];
  });
  const known = new Set(paths);
  return {
    sources,
    entries: sources.flatMap((source) =>
      entriesOf(source).map(({ isTitled, ...entry }) => {
        // MkDocs reads an entry with a title again, from `docs_dir`, if the plugin finds no file.
        const isOfSite = isTitled && !known.has(join(entry.scope, entry.value)) && known.has(join(docs, entry.value));
        return isOfSite ? { ...entry, scope: docs } : entry;
      }),
    ),
  };
}

type NavFileEntry = GeneratorEntry & { isTitled: boolean };

function entriesOf({ path, value }: YamlSource): NavFileEntry[] {
  const entries: NavFileEntry[] = [];
  const waiting = ['nav', 'arrange'].flatMap((name) => {
    const node = fieldOf(value, name);
    return node ? [{ node, isTitled: false }] : [];
  });
  while (waiting.length > 0) {
    const { node, isTitled } = waiting.pop()!;
    const text = textOf(node);
    if (text !== undefined && !/[*?[\]!|]|^\.\.\.|^(?:[a-z][a-z\d+.-]*:|\/\/|#|\/)/i.test(text))
      entries.push({ value: text.replace(/\/$/, ''), at: node.at, scope: folderOf(path), isTitled });
    waiting.push(...itemsOf(node).map((one) => ({ node: one, isTitled: false })));
    for (const [name, one] of fieldsOf(node)) if (!SETTINGS.test(name)) waiting.push({ node: one, isTitled: true });
  }
  return entries.toSorted((a, b) => a.at.start - b.at.start);
}
