import type { CompactionMark } from './compaction.ts';
import type { LimitReached } from '@docent/models/conversation/limit-reached';
import { hashOf, shownFacts } from './shown-facts.ts';
import type { ToolCall, ToolResult } from '@docent/models/conversation/tool-call';
import type { TranscriptEntry } from '@docent/models/conversation/transcript';

/** How often the same call may repeat without a change in between, before a warning and before the stop. */
const REPEATS = { warn: 3, stop: 5 };
/** Steps without progress. A new query without results counts half: proving absence takes several. */
const IDLE_STEPS = { warn: 4, stop: 8 };
const FRUITLESS_QUESTION = 0.5;
/** Times in a row that the window was exceeded without anything changed or newly seen. */
const REREADS = { warn: 1, stop: 2 };

export type Verdict = { kind: 'go-on' } | { kind: 'warn'; text: string } | { kind: 'stop'; limit: LimitReached };

/** The record of one half of a step of the turn, or a mark that the conversation was shortened. */
export interface TurnPart {
  turnNo: number;
  stepNo: number;
  entries: readonly TranscriptEntry[];
  mark: CompactionMark | null;
}

/**
 * Whether an agent repeats itself, judged from the record of the turn so far: the same record always gives
 * the same verdict. Only new facts are progress, not new wording:
 *
 * - the files are in a state that is new in this turn. Adding a text and removing it again is not progress.
 * - the model sees a line that is not in its conversation: for the first time, after the file changed, or
 *   after the conversation was shortened. The same goes for the files of a folder and the findings of the
 *   docs checks.
 *
 * So the agent may read removed passages again. If it does nothing else until the next shortening, it is
 * stopped, too. A message of the user or the docs checks is a new task: calls and idle steps are counted from
 * there.
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
  /** The last step that showed a fact. */
  readonly #shownIn = new Map<string, number>();
  /** Calls by how often they were made: those since the last change, and those that changed something. */
  #looking = new Map<string, number>();
  #changing = new Map<string, number>();
  #asked = new Set<string>();
  #idle = NOT_IDLE;
  /** Facts of earlier steps are no longer in the conversation. */
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
    // A duplicate call within one answer is clumsy, but no repetition.
    const inThisStep = new Set<string>();
    this.#latest = null;
    for (const [i, result] of results.entries()) {
      const call = this.#calls[i];
      if (!call) continue;
      const changed = isChange(result);
      if (changed) this.#looking.clear();
      // Without changes in between, the same call has the same result.
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
    message: `The agent was stopped: it made the same call of ${shownTool(name)} ${times} times with the same result.`,
  };
}

function noProgress(steps: number): LimitReached {
  return {
    code: 'limit_no_progress',
    message: `The agent was stopped: it changed nothing and found nothing new in ${steps} steps.`,
  };
}

function onlyRereads(times: number): LimitReached {
  return {
    code: 'limit_no_progress',
    message: `The agent was stopped: it changed nothing, and filled the model's window ${times} times with text that it had read before.`,
  };
}

function repeating({ name }: ToolCall, times: number): string {
  return (
    `You have made the same call of ${shownTool(name)} ${times} times, and its result was the same each ` +
    'time. Making it again will not help: use what it showed, try another way, or say in plain words what ' +
    'is in your way.'
  );
}

function idling(steps: number): string {
  return (
    `Your last ${steps} steps changed nothing and showed nothing that you had not seen: the same pages and ` +
    'lines again, searches that find nothing, calls that were refused. Asking in other words will not ' +
    'help. Make the change that was asked for, try another way, or say in plain words what is in your way.'
  );
}

const REREADING =
  'The conversation outgrew its room again, and since the last time you only read again what you had ' +
  'read before. What you read now will be left out as well. Say in words what you found, and make the ' +
  'changes page by page: read one, change it, continue with the next.';

/** A name that a model made up goes into a sentence that people read. */
function shownTool(name: string): string {
  return /^[\w-]{1,40}$/.test(name) ? name : 'a tool that does not exist';
}

/** JSON with sorted keys, because the order of a model's inputs has no meaning. */
function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_, inner: unknown) => {
      if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner;
      return Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)));
    }) ?? ''
  );
}
