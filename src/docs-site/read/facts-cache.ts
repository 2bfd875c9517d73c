import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { readPageFacts } from './read-page-facts.ts';
import { FACTS_VERSION, type PageFacts } from './page-facts.ts';
import { DIALECTS, type PageDialect } from './page-dialect.ts';
import { TextCache } from './text-cache.ts';
import { codeOf } from '../../platform/errors.ts';

/** Pages kept in memory: a large site in a few states. A page's facts take some 5 KB. */
const DEFAULT_CAPACITY = 8_000;

/**
 * Facts of pages by the blob id of their text, so that a page is parsed once however many commits and jobs it lives
 * through. The least recently used are forgotten first.
 */
export class FactsCache {
  /** Texts of pages and other files, in memory alone. */
  readonly texts = new TextCache();
  readonly #capacity: number;
  readonly #facts = new Map<string, PageFacts>();
  #parsed = 0;

  constructor(capacity = DEFAULT_CAPACITY) {
    this.#capacity = capacity;
  }

  /** How many pages had to be parsed. */
  get parsed(): number {
    return this.#parsed;
  }

  get(blobKey: string, dialect: PageDialect, read: () => string): PageFacts {
    const key = keyOf(blobKey, dialect);
    let facts = this.#facts.get(key);
    if (facts) this.#facts.delete(key);
    else {
      facts = readPageFacts(read(), dialect);
      this.#parsed++;
    }
    this.#put(key, facts);
    return facts;
  }

  has(blobKey: string, dialect: PageDialect): boolean {
    return this.#facts.has(keyOf(blobKey, dialect));
  }

  /** Takes in what {@link FactsCache.save} wrote. A file that is missing, foreign or broken is as good as empty. */
  load(file: string): void {
    let lines: string[];
    try {
      lines = readFileSync(file, 'utf8').split('\n');
    } catch (thrown) {
      if (codeOf(thrown) === 'ENOENT') return;
      throw thrown;
    }
    if (lines.shift() !== header()) return;
    for (const line of lines) {
      const entry = parseLine(line);
      if (entry && !this.#facts.has(entry.key)) this.#put(entry.key, entry.facts);
    }
  }

  /** Writes the facts of the given pages, whole or not at all; the newest writer wins. */
  save(file: string, pages: readonly { blobKey: string; dialect: PageDialect }[]): void {
    const keys = new Set(pages.map(({ blobKey, dialect }) => keyOf(blobKey, dialect)));
    const lines = [header()];
    for (const key of keys) {
      const facts = this.#facts.get(key);
      if (facts) lines.push(lineOf(key, facts));
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

  #put(key: string, facts: PageFacts): void {
    this.#facts.set(key, facts);
    if (this.#facts.size <= this.#capacity) return;
    const [oldest] = this.#facts.keys();
    this.#facts.delete(oldest!);
  }
}

function keyOf(blobKey: string, dialect: PageDialect): string {
  return DIALECTS[dialect].letter + blobKey;
}

function header(): string {
  return `docent page facts ${FACTS_VERSION}`;
}

/** Key, checksum, facts: a line that a full disk cut short is not taken for facts. */
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
