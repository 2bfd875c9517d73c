import type { CompactionMark } from './compaction.ts';
import type { LimitReached } from './limit-reached.ts';
import { hashOf, shownFacts } from './shown-facts.ts';
import type { ToolCall, ToolResult } from './tools/tool-call.ts';
import type { TranscriptEntry } from './transcript.ts';

/**
 * The same call with nothing changed in between: so often before the agent is told, and before it is stopped.
 */
const REPEATS = { warn: 3, stop: 5 };
/**
 * Steps in a row without progress. One that asks what was not asked before, and finds nothing, counts half:
 * to make sure that something is nowhere takes a search for each word that it may be called.
 */
const IDLE_STEPS = { warn: 4, stop: 8 };
const FRUITLESS_QUESTION = 0.5;
/**
 * Times in a row that the conversation outgrew the window again, with nothing changed or seen for the first
 * time in between.
 */
const REREADS = { warn: 1, stop: 2 };

export type Verdict = { kind: 'go-on' } | { kind: 'warn'; text: string } | { kind: 'stop'; limit: LimitReached };

/** What was recorded of one half of a step of the turn, or where the conversation was shortened. */
export interface TurnPart {
  turnNo: number;
  stepNo: number;
  entries: readonly TranscriptEntry[];
  mark: CompactionMark | null;
}

/**
 * Whether an agent goes round in circles, judged from what was recorded of the turn so far: the same record
 * always gives the same verdict. Progress is what is new, not what is worded in a new way:
 *
 * - the files are as they never were before in this turn; a text that is put in and taken out again is no
 *   progress,
 * - a line of a file is shown that the model cannot see in its conversation: for the first time, since the
 *   file changed, or since the
 *   conversation was shortened; the same goes for the files of a folder and for what the docs checks find.
 *
 * What was left out of a conversation may so be read again. An agent that does nothing else, until it is left
 * out again, is stopped too. What the user or the docs checks say is a new task: calls and idle steps are
 * counted from there.
 */
export function judgeLoop(turn: readonly TurnPart[]): Verdict {
  const record = new TurnRecord();
  for (const { turnNo, stepNo, entries, mark } of turn) {
    if (mark) record.shorten(mark.turn < turnNo ? 0 : mark.step);
    for (const entry of entries) record.add(entry, stepNo);
  }
  return record.verdict();
}

const NOT_IDLE = { steps: 0, weight: 0 };

class TurnRecord {
  /** The files as they were after a step. */
  readonly #states = new Set<string>();
  /** The step in which a fact was shown last. */
  readonly #shownIn = new Map<string, number>();
  /** Calls by how often they were made: those since the last change, and those that changed something. */
  #looking = new Map<string, number>();
  #changing = new Map<string, number>();
  #asked = new Set<string>();
  #idle = NOT_IDLE;
  /** What earlier steps showed is not in the conversation any more. */
  #visibleFrom = 0;
  #rereads = 0;
  /** Since the conversation was shortened; null before it was. */
  #isFirsthand: boolean | null = null;
  #calls: readonly ToolCall[] = [];
  #latest: { call: ToolCall; times: number } | null = null;

  shorten(step: number): void {
    this.#visibleFrom = step;
    this.#rereads = this.#isFirsthand === false ? this.#rereads + 1 : 0;
    this.#isFirsthand = false;
    this.#looking = new Map();
    this.#asked = new Set();
  }

  add(entry: TranscriptEntry, step: number): void {
    if (entry.role === 'assistant') this.#calls = entry.toolCalls;
    else if (entry.role === 'tool') this.#addResults(entry, step);
    else if (isTask(entry)) this.#begin();
  }

  #begin(): void {
    [this.#looking, this.#changing, this.#asked] = [new Map(), new Map(), new Set()];
    [this.#idle, this.#rereads, this.#latest] = [NOT_IDLE, 0, null];
    if (this.#isFirsthand !== null) this.#isFirsthand = true;
  }

  #addResults({ results, state }: Extract<TranscriptEntry, { role: 'tool' }>, step: number): void {
    const hasChanged = results.some(isChange);
    let isNews = hasChanged && (state === undefined || !this.#states.has(state));
    let isFirsthand = isNews;
    if (state !== undefined) this.#states.add(state);
    for (const fact of results.flatMap(shownFacts)) {
      const before = this.#shownIn.get(fact);
      if (before === undefined) isFirsthand = true;
      if (before === undefined || before < this.#visibleFrom) isNews = true;
      this.#shownIn.set(fact, step);
    }
    const isQuestion = this.#countCalls(results);
    const { steps, weight } = this.#idle;
    this.#idle = isNews ? NOT_IDLE : { steps: steps + 1, weight: weight + (isQuestion ? FRUITLESS_QUESTION : 1) };
    if (isFirsthand && this.#isFirsthand !== null) this.#isFirsthand = true;
  }

  /** @returns whether one of the calls was carried out, and was not made before */
  #countCalls(results: readonly ToolResult[]): boolean {
    let isQuestion = false;
    // A call that stands twice in one answer is clumsy, but no circle.
    const inThisStep = new Set<string>();
    this.#latest = null;
    for (const [i, result] of results.entries()) {
      const call = this.#calls[i];
      if (!call) continue;
      const changed = isChange(result);
      if (changed) this.#looking.clear();
      // With nothing changed in between, the same call has the same result.
      const key = hashOf(`${call.name} ${canonical(call.input)} ${result.ok}`);
      if (inThisStep.has(key)) continue;
      inThisStep.add(key);
      if (result.ok && !changed && !this.#asked.has(key)) isQuestion = true;
      this.#asked.add(key);
      const kind = changed ? this.#changing : this.#looking;
      const times = (kind.get(key) ?? 0) + 1;
      kind.set(key, times);
      if (times > 1 && times > (this.#latest?.times ?? 0)) this.#latest = { call, times };
    }
    return isQuestion;
  }

  verdict(): Verdict {
    const [latest, idle, rereads] = [this.#latest, this.#idle, this.#isFirsthand === false ? this.#rereads : 0];
    if (latest && latest.times >= REPEATS.stop)
      return { kind: 'stop', limit: repeatedCalls(latest.call, latest.times) };
    if (idle.weight >= IDLE_STEPS.stop) return { kind: 'stop', limit: noProgress(idle.steps) };
    if (rereads >= REREADS.stop) return { kind: 'stop', limit: onlyRereads(rereads + 1) };
    if (latest && latest.times >= REPEATS.warn) return { kind: 'warn', text: repeating(latest.call, latest.times) };
    if (idle.weight >= IDLE_STEPS.warn) return { kind: 'warn', text: idling(idle.steps) };
    if (rereads >= REREADS.warn) return { kind: 'warn', text: REREADING };
    return { kind: 'go-on' };
  }
}

/** Something to do that was not known before. */
function isTask(entry: TranscriptEntry): boolean {
  const { role } = entry;
  return role === 'user' || (role === 'notice' && /^(?:problems|conflict|citations)$/.test(entry.kind ?? ''));
}

function isChange(result: ToolResult): boolean {
  return result.ok && result.changed.length > 0;
}

function repeatedCalls({ name }: ToolCall, times: number): LimitReached {
  return {
    code: 'limit_repeated_calls',
    message: `The agent made the same call of ${shownTool(name)} ${times} times with the same result, and was stopped.`,
  };
}

function noProgress(steps: number): LimitReached {
  return {
    code: 'limit_no_progress',
    message: `The agent changed nothing and found nothing new in ${steps} steps, and was stopped.`,
  };
}

function onlyRereads(times: number): LimitReached {
  return {
    code: 'limit_no_progress',
    message: `The conversation outgrew the model's window ${times} times while the agent read the same again and changed nothing, and the agent was stopped.`,
  };
}

function repeating({ name }: ToolCall, times: number): string {
  return `You have made the same call of ${shownTool(name)} ${times} times, and its result was the same each time. Making it again will not help: use what it showed, try another way, or say in plain words what is in your way.`;
}

function idling(steps: number): string {
  return `Your last ${steps} steps changed nothing and showed nothing that you had not seen: the same pages and lines again, searches that find nothing, calls that were refused. Asking in other words will not help. Make the change that was asked for, try another way, or say in plain words what is in your way.`;
}

const REREADING =
  'The conversation outgrew its room again, and since the last time you only read again what you had read before. What you read now will be left out as well. Say in words what you found, and make the changes page by page: read one, change it, go on with the next.';

/** A name that a model made up goes into a sentence that people read. */
function shownTool(name: string): string {
  return /^[\w-]{1,40}$/.test(name) ? name : 'a tool that there is not';
}

/** JSON with sorted keys: the order in which a model names its inputs says nothing. */
function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_, inner: unknown) => {
      if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner;
      return Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)));
    }) ?? ''
  );
}
