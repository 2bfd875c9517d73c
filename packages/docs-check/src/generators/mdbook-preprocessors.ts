import type { Place } from '../config/static-value.ts';
import { inRepository } from '../read/repository-path.ts';
import type { Unchecked } from './makers.ts';

/**
 * A program that changes chapters before they are rendered:
 * https://rust-lang.github.io/mdBook/format/configuration/preprocessors.html
 */
export interface Preprocessor {
  name: string;
  at: Place;
  command: string | null;
}

/** What preprocessors may change in pages from files. */
export interface Preprocessed {
  /** Any id may exist; else only those with these prefixes. */
  anyId: boolean;
  idPrefixes: readonly string[];
  /** Targets without a file, such as `[text](std::vec)` or `[text][std::vec]`, may get a meaning. */
  ownLinks: boolean;
  unchecked: readonly Unchecked[];
  /** The first that may define labels. */
  labels: Unchecked | null;
}

/** Preprocessors that give pages no ids, and links no other meaning. */
const HARMLESS =
  /^(?:links|index|admonish|alerts|callouts|catppuccin|d2|emojicodes|gettext|graphviz|inline-highlighting|katex|kroki-preprocessor|last-changed|mermaid|open-on-gh|pagetoc|plantuml|reading-time|svgbob|toc|trpl-note)$/;
/** Preprocessors with known ids. */
const ID_PREFIXES: Readonly<Record<string, readonly string[]>> = {
  admonish: ['admonition-'],
};
const MAX_FILES = 40;
/** Signs of a program that writes Markdown links or definitions. */
const WRITES_LINKS = /\]: |\]\(/;

/**
 * @param folder of `book.toml`
 * @param harmless names that a person declares so
 */
export function preprocessed(
  all: readonly Preprocessor[],
  folder: string,
  harmless: ReadonlySet<string>,
  read: (path: string) => string | null,
): Preprocessed {
  const found = { anyId: false, idPrefixes: [] as string[], ownLinks: false };
  const unchecked: Unchecked[] = [];
  let labels: Unchecked | null = null;
  for (const { name, at, command } of all) {
    if (harmless.has(name)) continue;
    const known = ID_PREFIXES[name];
    found.idPrefixes.push(...(known ?? []));
    if (known || HARMLESS.test(name)) continue;
    const source = command === null ? null : sourceOf(command, folder, read);
    const ids = source === null ? null : idsIn(source);
    const writesLinks = source === null || WRITES_LINKS.test(source);
    found.idPrefixes.push(...(ids ?? []));
    if (ids !== null && !writesLinks) continue;
    if (ids === null) found.anyId = true;
    const remedy = ` If it creates none, add to .docent.json: { "pluginsWithoutPages": [${JSON.stringify(name)}] }.`;
    if (!writesLinks) {
      unchecked.push({ at, message: `The preprocessor ${name} generates IDs, so anchors are not checked.${remedy}` });
      continue;
    }
    found.ownLinks = true;
    unchecked.push({
      at,
      message:
        `The preprocessor ${name} may create ${ids === null ? 'IDs, ' : ''}links and pages during the ` +
        `build. ${ids === null ? 'Anchors, and links' : 'Links'} to anything but pages, images and files ` +
        `next to chapters are not checked.${remedy}`,
    });
    labels ??= {
      at,
      message: `The preprocessor ${name} may define labels, so [text][label] without a definition on the page is not reported.`,
    };
  }
  return { ...found, unchecked, labels };
}

/**
 * The text of a program that is in the repository; null if it is not. Commands run in the folder of
 * `book.toml`.
 */
function sourceOf(command: string, folder: string, read: (path: string) => string | null): string | null {
  const words = command.split(/\s+/).map((word) => word.replace(/^["']|["']$/g, ''));
  const manifest = words.find((word) => /(?:^|\/|=)Cargo\.toml$/.test(word))?.replace(/^.*=/, '');
  if (manifest !== undefined) return rustSource(inRepository(folder, manifest), read);
  const script = words.find((word) => /\.(?:py|[cm]?[jt]s|sh|rb|pl|lua)$/.test(word));
  const path = script === undefined ? null : inRepository(folder, script);
  return path === null ? null : read(path);
}

/** All modules of a crate that are reached by their names. */
function rustSource(manifest: string | null, read: (path: string) => string | null): string | null {
  const text = manifest === null ? null : read(manifest);
  if (manifest === null || text === null) return null;
  const place = manifest.replace(/(?:^|\/)Cargo\.toml$/, '');
  const waiting = [
    'src/lib.rs',
    'src/main.rs',
    ...[...text.matchAll(/^path[ \t]*=[ \t]*"([^"\n]+\.rs)"/gm)].map(([, path]) => path!),
  ];
  const seen = new Set<string>();
  const texts: string[] = [];
  while (waiting.length > 0 && seen.size < MAX_FILES) {
    const inside = waiting.pop()!;
    const path = inRepository(place, inside);
    if (path === null || seen.has(path) || /(?:^|\/)tests?\.rs$/.test(inside)) continue;
    seen.add(path);
    const source = read(path);
    if (source === null) continue;
    texts.push(source);
    const own = inside.replace(/(?:(^|\/)(?:mod|lib|main))?\.rs$/, '$1').replace(/\/$/, '');
    for (const [, name] of source.matchAll(/^[ \t]*(?:pub(?:\([^)\n]*\))?[ \t]+)?mod[ \t]+(\w+);/gm)) {
      waiting.push(`${own}/${name}.rs`, `${own}/${name}/mod.rs`);
    }
  }
  return texts.length === 0 ? null : texts.join('\n');
}

/** Prefixes of the ids that a program writes, empty if none; null if unknown. */
function idsIn(source: string): string[] | null {
  const prefixes: string[] = [];
  for (const [, value] of source.matchAll(/(?<![\w.-])id\s*=\s*\\?["']([^"'\\{$%<]{0,100})/g)) {
    if (value === '') return null;
    prefixes.push(value!);
  }
  return prefixes.length === 0 && /["'`]id["'`]|\bid=/.test(source) ? null : prefixes;
}
