import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf } from '@docent/base/thrown';
import { HOUR_MS } from '@docent/base/time';
import type { Answer } from './answer.ts';

/** How long an answer holds. */
const HOLDS_MS: Record<Answer['kind'], number> = {
  fine: 24 * HOUR_MS,
  moved: 24 * HOUR_MS,
  dead: HOUR_MS / 4,
  unknown: HOUR_MS / 12,
};
const MAX_ENTRIES = 50_000;
const MAX_BYTES = 32_000_000;

interface Entry {
  answer: Answer;
  /** Wall clock time. */
  at: number;
}

/** Answers of servers in a file, from run to run. */
export class AnswersCache {
  readonly #file: string;
  readonly #header: string;
  readonly #entries: Map<string, Entry>;

  /**
   * Missing, broken or old entries, and those of other programs, are ignored.
   * @param acceptStatus the accepted statuses, on which answers depend
   */
  constructor(file: string, acceptStatus: readonly number[]) {
    this.#file = file;
    this.#header = `docent external links 1 ${acceptStatus.join()}`;
    this.#entries = this.#read();
  }

  get(address: string): Answer | undefined {
    return this.#entries.get(address)?.answer;
  }

  /**
   * Adds answers to the file, which another process may have updated in the meantime: the newer answer for
   * each address counts. Written atomically; the oldest are dropped if there are too many.
   */
  save(answers: ReadonlyMap<string, Answer>): void {
    const at = Date.now();
    const all = this.#read();
    for (const [address, answer] of answers) all.set(address, { answer, at });
    const newest = [...all].toSorted(([, a], [, b]) => b.at - a.at).slice(0, MAX_ENTRIES);
    const lines = newest.map(([address, entry]) => lineOf(address, entry));
    mkdirSync(dirname(this.#file), { recursive: true });
    const temporary = `${this.#file}.${randomUUID()}.tmp`;
    try {
      writeFileSync(temporary, `${[this.#header, ...lines].join('\n')}\n`);
      renameSync(temporary, this.#file);
    } catch (thrown) {
      rmSync(temporary, { force: true });
      throw thrown;
    }
  }

  #read(): Map<string, Entry> {
    const lines = this.#lines();
    const now = Date.now();
    const entries = new Map<string, Entry>();
    if (lines.shift() !== this.#header) return entries;
    for (const line of lines) {
      const [address, entry] = parsedLine(line) ?? [];
      if (address !== undefined && entry && entry.at <= now && now - entry.at < (HOLDS_MS[entry.answer.kind] ?? 0))
        entries.set(address, entry);
    }
    return entries;
  }

  #lines(): string[] {
    try {
      return statSync(this.#file).size > MAX_BYTES ? [] : readFileSync(this.#file, 'utf8').split('\n');
    } catch (thrown) {
      if (codeOf(thrown) === 'ENOENT') return [];
      throw thrown;
    }
  }
}

/** Checksum, then the rest: a line truncated by a full disk is ignored. */
function lineOf(address: string, { answer, at }: Entry): string {
  const json = JSON.stringify([address, at, answer]);
  return `${checksum(json)} ${json}`;
}

function parsedLine(line: string): [string, Entry] | null {
  const [, sum, json] = /^(\S+) (.*)$/.exec(line) ?? [];
  if (json === undefined || checksum(json) !== sum) return null;
  const [address, at, answer] = JSON.parse(json) as [string, number, Answer];
  return [address, { answer, at }];
}

function checksum(text: string): string {
  return createHash('sha1').update(text).digest('base64url').slice(0, 12);
}
