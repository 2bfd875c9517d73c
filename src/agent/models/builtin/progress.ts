import type { ToolCall, ToolResult } from '../../transcript.ts';
import type { Outcome } from './outcome.ts';
import { readChanged } from './tool-answers.ts';

const MAX_TO_DO = 10;

/** How far an instruction is: the calls that it needs next, or what became of it. */
export type Progress =
  /** `last`: their results only need to be reported, so that what follows may go into the same answer. */
  { calls: ToolCall[]; last: boolean } | { outcome: Outcome };

/** Results that the transcript shows, by call id. */
export interface Results {
  get(callId: string): ToolResult | undefined;
}

export function call(id: string, name: string, input: Record<string, unknown>): ToolCall {
  return { id, name, input };
}

export function refusal(summary: string, result: ToolResult): Progress {
  const reason = result.output.replace(/ Nothing was changed\.$/, '');
  return { outcome: { kind: 'refused', summary, details: [reason], changed: [] } };
}

export function done(summary: string, details: string[], outcomes: readonly ToolResult[], short?: string): Progress {
  const changed = [...new Set(outcomes.flatMap(({ output }) => readChanged(output)))];
  return { outcome: { kind: 'done', summary, details, changed, ...(short === undefined ? {} : { short }) } };
}

/** What an answer's first line says behind its colon, as sentences of their own. */
export function notesOf(result: ToolResult): string[] {
  const notes = /: (.+)$/.exec(firstLine(result))?.[1];
  return notes === undefined ? [] : [notes.slice(0, 1).toUpperCase() + notes.slice(1)];
}

/** What an answer leaves to a person: entries of a navigation that is code, redirects that the web server makes. */
export function toDoOf({ output }: ToolResult): string[] {
  const lines = output.split('\n').filter((line) => line.startsWith('To do: '));
  const shown = lines.slice(0, MAX_TO_DO);
  return lines.length > shown.length ? [...shown, `To do: ${lines.length - shown.length} more of the kind.`] : shown;
}

/** The first line of an answer: what happened, for the reader. */
export function firstLine({ output }: ToolResult): string {
  return output.split('\n')[0] ?? '';
}
