import type { ToolResult } from '@docent/models/conversation/tool-call';
import type { Notice, TranscriptEntry } from '@docent/models/conversation/transcript';
import { carryOut } from './carry-out.ts';
import { fixLinks } from './fix-links.ts';
import type { Instruction, Request } from '@docent/recipes/instruction';
import type { Progress, Results } from './progress.ts';
import { readRequest } from '@docent/recipes/read-request';

export interface Work {
  /** `asked` by the user; `fixing` what the change broke; `again`, because others changed a file. */
  role: 'asked' | 'fixing' | 'again';
  /** How far it is, as far as the transcript shows. */
  progress(): Progress;
}

/** A turn's work, in order, and the other content of its closing words. */
export interface WorkList {
  work: Work[];
  requests: Request[];
  /** Problems that are left after links were fixed, as the checks put them. */
  problems: readonly string[];
}

/**
 * All work of the current turn, in order: the instructions of its messages; instructions to repeat because
 * others changed a file; and, once, links to fix that the turn's own change broke. Derived from the
 * transcript each time, so nothing is remembered. Earlier turns are done: closing words come only when
 * nothing is left.
 */
export function workListOf(transcript: readonly TranscriptEntry[]): WorkList {
  const reader = new TurnReader(resultsOf(transcript));
  const { previous, current } = turnsOf(transcript);
  for (let i = previous; i < transcript.length; i++) {
    const entry = transcript[i]!;
    if (i === current) reader.beginTurn();
    if (entry.role === 'user') reader.message(entry.no, entry.text);
    else if (entry.role === 'notice') reader.notice(i, entry);
  }
  return reader.list;
}

/**
 * Where the current turn and the previous one begin. A turn begins with the first message after closing
 * words, together with the notices before it about the previous turn's outcome. Canceled turns do not count.
 */
function turnsOf(transcript: readonly TranscriptEntry[]): { previous: number; current: number } {
  const cancelled = transcript.findLastIndex((entry) => entry.role === 'notice' && entry.kind === 'cancelled');
  let [previous, current, closing] = [cancelled + 1, cancelled + 1, -1];
  for (let i = cancelled + 1; i < transcript.length; i++) {
    const entry = transcript[i]!;
    if (entry.role === 'assistant' && entry.toolCalls.length === 0) closing = i;
    if (entry.role !== 'user' || closing === -1) continue;
    previous = current;
    current = closing + 1;
    closing = -1;
  }
  return { previous, current };
}

function resultsOf(transcript: readonly TranscriptEntry[]): Results {
  const results = new Map<string, ToolResult>();
  for (const entry of transcript) {
    if (entry.role !== 'tool') continue;
    for (const result of entry.results) results.set(result.callId, result);
  }
  return results;
}

class TurnReader {
  list: WorkList = { work: [], requests: [], problems: [] };
  readonly #results: Results;
  #asked: { id: string; instruction: Instruction }[] = [];
  #before: { id: string; instruction: Instruction }[] = [];
  #fixed = false;

  constructor(results: Results) {
    this.#results = results;
  }

  beginTurn(): void {
    this.list = { work: [], requests: [], problems: [] };
    this.#before = this.#asked;
    this.#asked = [];
    this.#fixed = false;
  }

  message(no: number, text: string): void {
    const request = readRequest(text);
    this.list.requests.push(request);
    if (request.notUnderstood.length > 0) return;
    for (const [i, instruction] of request.instructions.entries()) {
      const id = `m${no}.${i + 1}`;
      this.#asked.push({ id, instruction });
      this.#add('asked', () => carryOut(instruction, id, this.#results, null));
    }
  }

  /** @param at the entry's place in the transcript, for ids that are never given twice */
  notice(at: number, { kind, paths = [], problems = [] }: Notice): void {
    if (kind === 'conflict') this.#again(at, paths);
    if (kind !== 'problems') return;
    if (this.#fixed) this.list.problems = problems;
    else this.#add('fixing', () => fixLinks(`n${at}`, this.#results, {}));
    this.#fixed = true;
  }

  /** Carries out again what changed files that others changed too: the changes to these are gone. */
  #again(at: number, paths: readonly string[]): void {
    const dropped = new Set(paths);
    // Before the turn's first message, a conflict is about what the turn before did not publish.
    const affected = this.#asked.length > 0 ? this.#asked : this.#before;
    for (const { id, instruction } of affected) {
      const first = carryOut(instruction, id, this.#results, null);
      const touched = 'outcome' in first ? first.outcome.changed.filter((path) => dropped.has(path)) : [];
      // A replacement is repeated file by file, everything else as a whole: tools skip parts that are already
      // right.
      const files = instruction.kind === 'replace' ? touched : touched.slice(0, 1);
      for (const [i, file] of files.entries()) {
        this.#add('again', () => carryOut(instruction, `n${at}.${id}.${i + 1}`, this.#results, file));
      }
    }
  }

  #add(role: Work['role'], progress: () => Progress): void {
    this.list.work.push({ role, progress });
  }
}
