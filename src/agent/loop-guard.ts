import { createHash } from 'node:crypto';
import type { LimitReached } from './limit-reached.ts';
import type { ToolCall, ToolResult } from './tools/tool-call.ts';
import type { TranscriptEntry } from './transcript.ts';

/** The same call with the same result: so often before the agent is told, and before it is stopped. */
const REPEATS = { warn: 3, stop: 5 };
/** Steps in a row that changed nothing and showed nothing new. */
const IDLE_STEPS = { warn: 4, stop: 8 };

export type Verdict = { kind: 'go-on' } | { kind: 'warn'; text: string } | { kind: 'stop'; limit: LimitReached };

/**
 * Whether an agent goes round in circles, judged from what was recorded of the turn so far: the same record always gives the
 * same verdict.
 *
 * A call is repeated when its name, its input and its result are the same again. Calls that look (and those that were
 * refused) start anew after each change; calls that change something are counted over the whole turn, so that a text which is put
 * in and taken out again is seen too. A step is idle when it changed nothing and none of its results, refusals aside, is new.
 * What the user or the docs checks say is new information: everything is counted from there.
 */
export function judgeLoop(turn: readonly TranscriptEntry[]): Verdict {
  let counts = newCounts();
  let latest: { call: ToolCall; times: number } | null = null;
  let calls: readonly ToolCall[] = [];
  for (const entry of turn) {
    if (entry.role === 'user' || (entry.role === 'notice' && entry.kind !== 'repeating')) counts = newCounts();
    if (entry.role === 'assistant') calls = entry.toolCalls;
    if (entry.role === 'tool') latest = addStep(counts, calls, entry.results);
  }
  if (latest && latest.times >= REPEATS.stop) return { kind: 'stop', limit: repeatedCalls(latest.call, latest.times) };
  if (counts.idle >= IDLE_STEPS.stop) return { kind: 'stop', limit: noProgress(counts.idle) };
  if (latest && latest.times >= REPEATS.warn) return { kind: 'warn', text: repeating(latest.call, latest.times) };
  if (counts.idle >= IDLE_STEPS.warn) return { kind: 'warn', text: idling(counts.idle) };
  return { kind: 'go-on' };
}

interface Counts {
  /** By call and result: those since the last change, and those that changed something. */
  looking: Map<string, number>;
  changing: Map<string, number>;
  seen: Set<string>;
  idle: number;
}

function newCounts(): Counts {
  return { looking: new Map(), changing: new Map(), seen: new Set(), idle: 0 };
}

/** @returns the call of the step that was made most often, if one was made before */
function addStep(
  counts: Counts,
  calls: readonly ToolCall[],
  results: readonly ToolResult[],
): { call: ToolCall; times: number } | null {
  let most: { call: ToolCall; times: number } | null = null;
  let progress = false;
  // A call that stands twice in one answer is clumsy, but no circle.
  const inThisStep = new Set<string>();
  for (const [i, result] of results.entries()) {
    const call = calls[i];
    if (!call) continue;
    const changed = result.ok && result.changed.length > 0;
    const shown = hashOf(result.text);
    if (changed || (result.ok && !counts.seen.has(shown))) progress = true;
    counts.seen.add(shown);
    if (changed) counts.looking.clear();
    const key = `${call.name} ${hashOf(canonical(call.input))} ${shown}`;
    if (inThisStep.has(key)) continue;
    inThisStep.add(key);
    const kind = changed ? counts.changing : counts.looking;
    const times = (kind.get(key) ?? 0) + 1;
    kind.set(key, times);
    if (times > 1 && (!most || times > most.times)) most = { call, times };
  }
  counts.idle = progress ? 0 : counts.idle + 1;
  return most;
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

function repeating({ name }: ToolCall, times: number): string {
  return `You have made the same call of ${shownTool(name)} ${times} times, and its result was the same each time. Making it again will not help: use what it showed, try another way, or say in plain words what is in your way.`;
}

function idling(steps: number): string {
  return `In the last ${steps} steps nothing was changed and nothing new was found. Make the change that was asked for, try another way, or say in plain words what is in your way.`;
}

/** A name that a model made up goes into a sentence that people read. */
function shownTool(name: string): string {
  return /^[\w-]{1,40}$/.test(name) ? name : 'a tool that there is not';
}

function hashOf(text: string): string {
  return createHash('sha1').update(text).digest('base64');
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
