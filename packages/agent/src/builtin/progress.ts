import type { ToolCall, ToolResult } from '@docent/models/conversation/tool-call';
import type { DataOf, ToolData } from '@docent/models/conversation/tool-data';
import type { Outcome } from './outcome.ts';

const MAX_TO_DO = 10;

/** The progress of an instruction: the calls that it needs next, or its outcome. */
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

/** The tool's data of a call that was carried out. */
export function dataOf<Tool extends ToolData['tool']>({ data }: ToolResult, tool: Tool): DataOf<Tool> {
  if (!isOf(data, tool)) throw new Error(`The result of a call of ${tool} has none of its data.`);
  return data;
}

function isOf<Tool extends ToolData['tool']>(data: ToolData | undefined, tool: Tool): data is DataOf<Tool> {
  return data?.tool === tool;
}

export function refusal(summary: string, { reason }: { reason: string }): Progress {
  return { outcome: { kind: 'refused', summary, details: [reason], changed: [] } };
}

export function done(summary: string, details: string[], results: readonly ToolResult[], short?: string): Progress {
  const changed = changedBy(results);
  return { outcome: { kind: 'done', summary, details, changed, ...(short === undefined ? {} : { short }) } };
}

/** Files, each once. */
export function changedBy(results: readonly ToolResult[]): string[] {
  return [...new Set(results.flatMap((result) => (result.ok ? result.changed : [])))];
}

/** The consequences of moving or deleting a file, in sentences, and the work that is left to a person. */
export function consequencesOf({ notes, toDo }: Pick<DataOf<'move'>, 'notes' | 'toDo'>): string[] {
  const [first, ...others] = notes;
  const followed = first === undefined ? [] : [`${[upperFirst(first), ...others].join(', ')}.`];
  const shown = toDo.first.slice(0, MAX_TO_DO).map((sentence) => `To do: ${sentence}.`);
  const more = toDo.count > shown.length ? [`To do: ${toDo.count - shown.length} more of the kind.`] : [];
  return [...followed, ...shown, ...more];
}

export function upperFirst(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
