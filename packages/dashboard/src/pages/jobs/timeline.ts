import type { JobEvent, JobStreamEvent } from '@docent/client';

type EventData = NonNullable<JobEvent['data']>;

/** A call of the model, and the results of its tool calls. */
export interface Step {
  no: number;
  event: JobEvent;
  /** By the id of the call. */
  results: ReadonlyMap<string, NonNullable<EventData['results']>[number]>;
  /** Whether the results of its calls are known. */
  isOver: boolean;
}

export type TurnPart = { kind: 'step'; step: Step } | { kind: 'event'; event: JobEvent };

export interface Turn {
  no: number;
  parts: TurnPart[];
  startedAt: string;
  ended: JobEvent | null;
  /** How often something was added to it. */
  changes: number;
}

/** What the model is writing now. */
export interface Writing {
  turn: number;
  step: number;
  attempt: number;
  text: string;
}

/** The history of a job, from its events. */
export interface Timeline {
  /** The highest processed number: events without a higher one are repeats. */
  last: number;
  turns: Turn[];
  /** Events outside turns: archived, discarded, and unknown ones. */
  others: JobEvent[];
  writing: Writing | null;
  progress: string | null;
  /** How many events of a kind there were: each new one makes something else worth asking for again. */
  counts: Partial<Record<JobEvent['type'], number>>;
}

export function emptyTimeline(): Timeline {
  return { last: 0, turns: [], others: [], writing: null, progress: null, counts: {} };
}

/**
 * The current timeline for a page. Every part that changed since `before` is a new object, so that components
 * are redrawn; unchanged parts are the same objects.
 */
export function shownOf(timeline: Timeline, before: Timeline): Timeline {
  const turns = timeline.turns.map((turn, i) => {
    const shown = before.turns[i];
    return shown?.changes === turn.changes ? shown : { ...turn, parts: [...turn.parts] };
  });
  const others = timeline.others.length === before.others.length ? before.others : [...timeline.others];
  return { ...timeline, turns, others, counts: { ...timeline.counts } };
}

/** Takes one event of the stream. @returns whether anything changed: a replay changes nothing */
export function take(timeline: Timeline, event: JobStreamEvent): boolean {
  if (event.type === 'words') {
    timeline.writing = written(timeline.writing, event);
    return true;
  }
  if (event.type === 'progress') {
    timeline.progress = event.progress;
    return true;
  }
  if (event.type === 'end') {
    timeline.writing = null;
    timeline.progress = null;
    return true;
  }
  // More types may come that have no number and are not kept.
  if (typeof event.no !== 'number' || event.no <= timeline.last) return false;
  timeline.last = event.no;
  timeline.counts[event.type] = (timeline.counts[event.type] ?? 0) + 1;
  if (event.turn === null) {
    if (!IN_CONVERSATION.has(event.type)) timeline.others.push(event);
    return true;
  }
  takeOfTurn(timeline, turnOf(timeline, event, event.turn), event);
  return true;
}

/** Shown by the messages themselves. */
const IN_CONVERSATION = new Set(['created', 'message']);

function turnOf(timeline: Timeline, event: JobEvent, no: number): Turn {
  const known = timeline.turns.findLast((turn) => turn.no === no);
  if (known) return known;
  const turn: Turn = { no, parts: [], startedAt: event.createdAt, ended: null, changes: 0 };
  timeline.turns.push(turn);
  return turn;
}

function takeOfTurn(timeline: Timeline, turn: Turn, event: JobEvent): void {
  const stepNo = event.data?.step;
  turn.changes += 1;
  if (event.type === 'step' || event.type === 'answer' || event.type === 'turn_ended') timeline.writing = null;
  if (event.type === 'step' && stepNo !== undefined) {
    const isOver = !event.data?.calls?.length;
    turn.parts.push({ kind: 'step', step: { no: stepNo, event, results: new Map(), isOver } });
  } else if (event.type === 'tools') {
    const at = turn.parts.findLastIndex((each) => each.kind === 'step' && each.step.no === stepNo);
    const part = turn.parts[at];
    if (part?.kind !== 'step') return;
    const results = new Map(part.step.results);
    for (const result of event.data?.results ?? []) results.set(result.id, result);
    turn.parts[at] = { kind: 'step', step: { ...part.step, isOver: true, results } };
  } else if (event.type === 'turn_ended') {
    turn.ended = event;
  } else if (event.type !== 'answer' && !IN_CONVERSATION.has(event.type)) {
    // The answer's text is in the conversation.
    turn.parts.push({ kind: 'event', event });
  }
}

function written(before: Writing | null, event: Extract<JobStreamEvent, { type: 'words' }>): Writing {
  const { turn, step, attempt, offset, text } = event;
  const isSame = before?.turn === turn && before.step === step && before.attempt === attempt;
  return { turn, step, attempt, text: (isSame ? before.text.slice(0, offset) : '') + text };
}
