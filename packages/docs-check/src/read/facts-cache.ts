import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { LRUCache } from 'lru-cache';
import { readPageFacts } from './read-page-facts.ts';
import { FACTS_VERSION, type PageFacts } from './page-facts.ts';
import { sizeOf, type PageIndex } from '../search/page-index.ts';
import { DIALECTS, type PageDialect } from './page-dialect.ts';
import type { VisibleText } from './visible-text.ts';
import { codeOf } from '@docent/base/thrown';

/** Pages kept in memory: a large site in a few states. A page's facts take about 5 KB. */
const DEFAULT_CAPACITY = 8_000;
/** Characters of texts that are kept; most take one byte. */
const MAX_CHARACTERS = 64_000_000;
/** Bytes of pages' search indexes: about 8,000 pages. */
const MAX_INDEX_BYTES = 64_000_000;

/**
 * Facts of pages by the blob id of their text, so that a page is parsed once for all commits and jobs; and
 * texts as a model sees them with their search indexes, so that a search over a whole site reads, checks and
 * cleans each file once for many steps. The least recently used are dropped first.
 */
export class FactsCache {
  readonly #facts: LRUCache<string, PageFacts>;
  readonly #texts = new LRUCache<string, VisibleText>({ maxSize: MAX_CHARACTERS, sizeCalculation: charactersOf });
  readonly #indexes = new LRUCache<string, PageIndex>({ maxSize: MAX_INDEX_BYTES, sizeCalculation: sizeOf });
  #parsed = 0;
  /** The content of the last read file. */
  #kept: { file: string; keys: ReadonlySet<string> } | null = null;

  /** @param capacity pages, a whole number */
  constructor(capacity = DEFAULT_CAPACITY) {
    // By size, because `max` allocates memory for all entries immediately.
    this.#facts = new LRUCache({ maxSize: capacity, sizeCalculation: () => 1 });
  }

  /** How many pages had to be parsed. */
  get parsed(): number {
    return this.#parsed;
  }

  get(blobKey: string, dialect: PageDialect, read: () => string): PageFacts {
    const key = keyOf(blobKey, dialect);
    const known = this.#facts.get(key);
    if (known) return known;
    const facts = readPageFacts(read(), dialect);
    this.#parsed++;
    this.#facts.set(key, facts);
    return facts;
  }

  /** In memory only. @param key the content's blob id, and other dependencies of the text */
  text(key: string, make: () => VisibleText | null): VisibleText | null {
    const known = this.#texts.get(key);
    if (known) return known;
    const text = make();
    if (text) this.#texts.set(key, text);
    return text;
  }

  /** In memory only. @param key as in {@link FactsCache.text} */
  index(key: string, make: () => PageIndex | null): PageIndex | null {
    const known = this.#indexes.get(key);
    if (known) return known;
    const index = make();
    if (index) this.#indexes.set(key, index);
    return index;
  }

  /** Adds facts that another reader has read. */
  add(blobKey: string, dialect: PageDialect, facts: PageFacts): void {
    this.#facts.set(keyOf(blobKey, dialect), facts);
  }

  get isEmpty(): boolean {
    return this.#facts.size === 0;
  }

  has(blobKey: string, dialect: PageDialect): boolean {
    return this.#facts.has(keyOf(blobKey, dialect));
  }

  /**
   * Loads the output of {@link FactsCache.save}. A missing or broken file, or one of another program, counts
   * as empty.
   */
  load(file: string): void {
    let lines: string[];
    try {
      lines = readFileSync(file, 'utf8').split('\n');
    } catch (thrown) {
      if (codeOf(thrown) === 'ENOENT') return;
      throw thrown;
    }
    if (lines.shift() !== header()) return;
    const keys = new Set<string>();
    for (const line of lines) {
      const entry = parseLine(line);
      if (!entry) continue;
      keys.add(entry.key);
      if (!this.#facts.has(entry.key)) this.#facts.set(entry.key, entry.facts);
    }
    this.#kept = { file, keys };
  }

  /**
   * Writes the facts of the given pages atomically; the newest writer wins. An unchanged file is not
   * rewritten.
   */
  save(file: string, pages: readonly { blobKey: string; dialect: PageDialect }[]): void {
    const keys = new Set(pages.map(({ blobKey, dialect }) => keyOf(blobKey, dialect)));
    const kept = this.#kept?.file === file ? this.#kept.keys : null;
    if (kept?.size === keys.size && keys.isSubsetOf(kept)) return;
    const lines = [header()];
    for (const key of keys) {
      const facts = this.#facts.peek(key);
      if (facts && !facts.notRead?.byTime) lines.push(lineOf(key, facts));
    }
    mkdirSync(dirname(file), { recursive: true });
    const temporary = `${file}.${randomUUID()}.tmp`;
    try {
      writeFileSync(temporary, `${lines.join('\n')}\n`);
      renameSync(temporary, file);
    } catch (thrown) {
      rmSync(temporary, { force: true });
      throw thrown;
    }
  }
}

function charactersOf({ raw, text }: VisibleText): number {
  return (text === raw ? raw.length : raw.length + text.length) + 200;
}

function keyOf(blobKey: string, dialect: PageDialect): string {
  return DIALECTS[dialect].letter + blobKey;
}

function header(): string {
  return `docent page facts ${FACTS_VERSION}`;
}

/** Key, checksum, facts: a line truncated by a full disk is ignored. */
function lineOf(key: string, facts: PageFacts): string {
  const json = JSON.stringify(facts);
  return `${key} ${checksum(json)} ${json}`;
}

function parseLine(line: string): { key: string; facts: PageFacts } | null {
  const [, key, sum, json] = /^([a-z][0-9a-f]{40}) (\S+) (.*)$/.exec(line) ?? [];
  if (!key || !json || checksum(json) !== sum) return null;
  return { key, facts: JSON.parse(json) as PageFacts };
}

function checksum(text: string): string {
  return createHash('sha1').update(text).digest('base64url').slice(0, 12);
}
