import type { AddressChange } from './config-editor.ts';
import type { DocsSite } from './docs-site.ts';
import type { GeneratorEntry, Generator, GeneratorRedirect, SiteAddresses } from '../generators/generator.ts';
import { folderOf } from './folder.ts';
import { insertItem, removeItem } from './json-edits.ts';
import { parseJsonSource, type Node } from './json-source.ts';
import { insertChapterAfter, removeChapter } from './summary-lines.ts';
import { applyTextEdits, type TextEdit } from './text-edits.ts';
import { TextLines } from './text-lines.ts';
import { insertItemAfter, insertPairAfter, removeItemLine, scalarLike } from './yaml-lines.ts';

/**
 * Edits the navigation and the redirects of other sites than Mintlify's, as text. Code, and layouts in which
 * a line edit might do harm, are left alone: {@link GeneratorEditor.manualSteps} lists what to change there.
 */
export class GeneratorEditor {
  readonly #generator: Generator;
  readonly #before: SiteAddresses;
  readonly #after: SiteAddresses;
  readonly #edits = new Map<string, TextEdit[]>();
  readonly #manualSteps: string[] = [];

  /**
   * @param before the current addresses of files
   * @param after the addresses of files after the change
   */
  constructor(generator: Generator, before: SiteAddresses, after: SiteAddresses) {
    this.#generator = generator;
    this.#before = before;
    this.#after = after;
  }

  /**
   * The editor for a site whose files move; null for other kinds of sites.
   * @param docs the site before, with all files that move
   * @param moves old paths to new ones
   */
  static of(docs: DocsSite, moves: ReadonlyMap<string, string>): GeneratorEditor | null {
    const { site, resolver } = docs;
    if (!site.generator || !resolver.addresses) return null;
    const before = new Map([...moves].map(([from, to]) => [to, from]));
    const fieldsOf = (path: string) => docs.facts(before.get(path) ?? path)?.frontMatter?.fields ?? null;
    const files = new Set([...site.files].map((path) => moves.get(path) ?? path));
    return new GeneratorEditor(
      site.generator,
      resolver.addresses,
      site.generator.addresses({ files, folders: site.folders }, fieldsOf),
    );
  }

  /** The addresses of a page that moves; null if it has none. */
  addressChange(from: string, to: string): (AddressChange & { fromFile: string; toFile: string }) | null {
    const [old, now] = [this.#before.addressOf(from), this.#after.addressOf(to)];
    return old === null || now === null ? null : { from: old, to: now, fromFile: from, toFile: to };
  }

  /** Paths and new texts of the files that change. */
  changed(): Map<string, string> {
    return new Map([...this.#edits].map(([path, edits]) => [path, applyTextEdits(this.#text(path), distinct(edits))]));
  }

  /** Sentences about what Docent leaves to the agent. */
  manualSteps(): readonly string[] {
    return this.#manualSteps;
  }

  renameEntries(moves: ReadonlyMap<string, string>): number {
    let count = 0;
    for (const entry of this.#entries()) {
      const to = moves.get(this.#before.fileOf?.(entry) ?? '');
      const value = to === undefined ? null : (this.#after.entryOf?.(to) ?? null);
      if (to === undefined || value === entry.value) continue;
      if (formatOf(entry) === 'summary' || formatOf(entry) === 'toctree') {
        // It is a page, too: its links follow.
        count++;
      } else if (value === null || formatOf(entry) === 'code') {
        this.#note(
          entry,
          `lists ${JSON.stringify(entry.value)}, which is now ${JSON.stringify(value ?? this.#after.addressOf(to) ?? to)}`,
        );
      } else {
        const { path, start, end } = entry.at;
        const written = this.#text(path).slice(start, end);
        this.#edit(path, {
          start,
          end,
          text: formatOf(entry) === 'json' ? JSON.stringify(value) : scalarLike(written, value),
        });
        count++;
      }
    }
    return count;
  }

  removeEntries(file: string): number {
    let count = 0;
    for (const entry of this.#entries()) {
      if (this.#before.fileOf?.(entry) !== file) continue;
      const edit = this.#removal(entry);
      if (edit) {
        this.#edit(entry.at.path, edit);
        count++;
      } else this.#note(entry, `lists ${JSON.stringify(entry.value)}, which no longer exists`);
    }
    return count;
  }

  /** Adds a page after its neighbors from the same folder. False if this must be done manually. */
  addEntry(file: string): boolean {
    const value = this.#after.entryOf?.(file) ?? null;
    const near = this.#entries().filter((entry) => folderOf(this.#before.fileOf?.(entry) ?? '') === folderOf(file));
    const after = near.at(-1) ?? this.#entries().at(-1);
    if (after && value !== null) {
      const text = this.#text(after.at.path);
      const format = formatOf(after);
      const edit =
        format === 'yaml'
          ? insertItemAfter(text, after.at.start, value)
          : format === 'json'
            ? jsonInsertion(after, text, value)
            : format === 'summary'
              ? insertChapterAfter(text, after.at.start, value)
              : null;
      if (edit) {
        this.#edit(after.at.path, edit);
        return true;
      }
    }
    const where = this.#generator.navigation?.edit?.path;
    const name = JSON.stringify(value ?? this.#after.addressOf(file) ?? file);
    if (where !== undefined)
      this.#manualSteps.push(`The page is not in the navigation yet. Add ${name} to ${where} yourself`);
    return false;
  }

  /**
   * @param known addresses that readers may know: those get a redirect. @returns the redirects that were
   * entered
   */
  redirect(
    moved: readonly (AddressChange & { fromFile: string; toFile: string })[],
    known: ReadonlySet<string>,
  ): AddressChange[] {
    const { redirects } = this.#generator;
    const added: AddressChange[] = [];
    for (const change of moved) {
      if (!known.has(change.from) || change.from === change.to) continue;
      const sentence = `the old address ${JSON.stringify(change.from)} needs a redirect to ${JSON.stringify(change.to)}`;
      if (!redirects) {
        this.#manualSteps.push(
          `${upper(sentence)}, which requires a plugin or the web server with this site generator`,
        );
        continue;
      }
      const edit = redirects.format === 'yaml' ? this.#redirection(redirects.pairs, change) : null;
      if (edit) {
        this.#edit(redirects.path, edit);
        added.push(change);
      } else this.#manualSteps.push(`${upper(sentence)}. Add it to ${redirects.path} yourself`);
    }
    return added;
  }

  /** A redirect between two pages, the first of which may be gone. False if this must be done manually. */
  addRedirect(fromFile: string, toFile: string): boolean {
    const { redirects } = this.#generator;
    const edit = redirects?.format === 'yaml' ? this.#redirection(redirects.pairs, { fromFile, toFile }) : null;
    if (edit) this.#edit(redirects!.path, edit);
    return edit !== null;
  }

  #redirection(pairs: readonly GeneratorRedirect[], change: { fromFile: string; toFile: string }): TextEdit | null {
    const last = pairs.findLast(({ at }) => at !== undefined);
    const entryOf = (file: string) => this.#after.entryOf?.(file) ?? null;
    const [from, to] = [entryOf(change.fromFile), entryOf(change.toFile)];
    if (!last?.at || from === null || to === null || pairs.some((pair) => pair.from === from)) return null;
    // Redirects to the old page now lead to the new one.
    for (const { to: end, at } of pairs) {
      if (at && end === from)
        this.#edit(at.path, { ...span(at), text: scalarLike(this.#text(at.path).slice(at.start, at.end), to) });
    }
    return insertPairAfter(this.#text(last.at.path), last.at.start, from, to);
  }

  #removal(entry: GeneratorEntry): TextEdit | null {
    const text = this.#text(entry.at.path);
    if (formatOf(entry) === 'yaml') return removeItemLine(text, entry.at.start);
    if (formatOf(entry) === 'summary') return removeChapter(text, entry.at.start, entry.at.end);
    const node = formatOf(entry) === 'json' ? jsonNode(entry, text) : null;
    return node?.parent?.type === 'array' && (node.parent.children?.length ?? 0) > 1 ? removeItem(node) : null;
  }

  #entries(): readonly GeneratorEntry[] {
    return this.#generator.navigation?.entries ?? [];
  }

  #text(path: string): string {
    return this.#generator.texts.get(path) ?? '';
  }

  #edit(path: string, edit: TextEdit): void {
    this.#edits.set(path, [...(this.#edits.get(path) ?? []), edit]);
  }

  #note({ at }: GeneratorEntry, what: string): void {
    const line = new TextLines(this.#text(at.path)).lineAt(at.start);
    this.#manualSteps.push(`${at.path}:${line} ${what}. Change it yourself`);
  }
}

function formatOf({ at }: GeneratorEntry): 'yaml' | 'json' | 'summary' | 'toctree' | 'code' {
  if (/(?:^|\/)SUMMARY\.md$/.test(at.path)) return 'summary';
  if (/\.(?:md|rst|txt)$/.test(at.path)) return 'toctree';
  if (/\.ya?ml$/.test(at.path)) return 'yaml';
  return at.path.endsWith('.json') ? 'json' : 'code';
}

function jsonNode({ at }: GeneratorEntry, text: string): Node | null {
  const source = parseJsonSource(at.path, text);
  const waiting = source.root && !source.problem ? [source.root] : [];
  while (waiting.length > 0) {
    const node = waiting.pop()!;
    if (node.offset === at.start && node.type === 'string') return node;
    for (const child of node.children ?? []) waiting.push(child);
  }
  return null;
}

function jsonInsertion(entry: GeneratorEntry, text: string, value: string): TextEdit | null {
  const node = jsonNode(entry, text);
  if (node?.parent?.type !== 'array') return null;
  return insertItem(parseJsonSource(entry.at.path, text), node.parent, value, node);
}

/** A value that an alias repeats is written once. */
function distinct(edits: readonly TextEdit[]): TextEdit[] {
  const seen = new Set<string>();
  return edits.filter(({ start, end, text }) => {
    const key = `${start} ${end} ${start === end ? text : ''}`;
    return !seen.has(key) && seen.add(key);
  });
}

function span({ start, end }: { start: number; end: number }): { start: number; end: number } {
  return { start, end };
}

function upper(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
