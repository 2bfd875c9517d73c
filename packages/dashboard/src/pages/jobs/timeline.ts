import type { JobEvent, JobStreamEvent } from '@docent/client';

type EventData = NonNullable<JobEvent['data']>;

/** The model was asked, and what came of what it asked for. */
export interface Step {
  no: number;
  event: JobEvent;
  /** By the id of the call. */
  results: ReadonlyMap<string, NonNullable<EventData['results']>[number]>;
  /** Whether what came of its calls is known. */
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

/** What the model is writing at this moment. */
export interface Writing {
  turn: number;
  step: number;
  attempt: number;
  text: string;
}

/** What happened to a job, as its events tell it. */
export interface Timeline {
  /** The highest number that was taken: what has no higher one is a replay. */
  last: number;
  turns: Turn[];
  /** What belongs to no turn: archived, discarded, and what is not known yet. */
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
 * The timeline as it is now, for a page to show. What has changed since `before` is another object, however
 * small the change: components are drawn again only where what they are given is another one. What has not is
 * the same.
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

/** Told by the messages themselves. */
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
    // The answer's words stand in the conversation.
    turn.parts.push({ kind: 'event', event });
  }
}

function written(before: Writing | null, event: Extract<JobStreamEvent, { type: 'words' }>): Writing {
  const { turn, step, attempt, offset, text } = event;
  const isSame = before?.turn === turn && before.step === step && before.attempt === attempt;
  return { turn, step, attempt, text: (isSame ? before.text.slice(0, offset) : '') + text };
}
