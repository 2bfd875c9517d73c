import { beginningOf } from '../platform/ellipsis.ts';
import type { ToolCall } from './tools/tool-call.ts';
import type { TranscriptEntry } from './transcript.ts';

const MAX_TEXT = 1_000;
const MAX_ARGUMENT = 300;
const MAX_RESULT = 300;
const MAX_LINES = 200;
const MAX_LINE = 160;

/** An old entry without its long texts. Deterministic; the user's messages stay as they are. */
export function trimmed(entry: TranscriptEntry): TranscriptEntry {
  switch (entry.role) {
    case 'user':
      return entry;
    case 'notice':
      return { ...entry, text: cut(entry.text, MAX_TEXT) };
    case 'assistant': {
      const { native: _, ...answer } = entry;
      const toolCalls = entry.toolCalls.map((call) => ({ ...call, input: trimmedInput(call.input) }));
      return { ...answer, text: cut(entry.text, MAX_TEXT), toolCalls };
    }
    case 'tool':
      return {
        ...entry,
        results: entry.results.map((result) => ({
          ...result,
          text:
            result.text.length <= MAX_RESULT
              ? result.text
              : `${result.text.slice(0, MAX_RESULT / 2)}\n[${result.text.length.toLocaleString('en')} characters in all, left out here because the conversation is long. Call ${result.name} again if you need them.]`,
        })),
      };
  }
}

function trimmedInput(input: unknown): unknown {
  if (typeof input === 'string') return cut(input, MAX_ARGUMENT);
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    const text = JSON.stringify(input) ?? '';
    return text.length <= MAX_ARGUMENT ? input : cut(text, MAX_ARGUMENT);
  }
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      name,
      typeof value === 'object' ? trimmedInput(JSON.stringify(value)) : trimmedInput(value),
    ]),
  );
}

/** Old entries as the user's messages and, between them, lists of what was done. */
export function digest(entries: readonly TranscriptEntry[]): TranscriptEntry[] {
  const result: TranscriptEntry[] = [];
  let run: TranscriptEntry[] = [];
  const endRun = () => {
    if (run.length > 0) result.push({ role: 'notice', text: listOf(run) });
    run = [];
  };
  for (const entry of entries) {
    if (entry.role !== 'user') {
      run.push(entry);
      continue;
    }
    endRun();
    result.push(entry);
  }
  endRun();
  return result;
}

function listOf(run: readonly TranscriptEntry[]): string {
  const refused = new Set(
    run.flatMap((entry) =>
      entry.role === 'tool' ? entry.results.filter(({ ok }) => !ok).map(({ callId }) => callId) : [],
    ),
  );
  const counted = new Map<string, number>();
  for (const entry of run) {
    if (entry.role !== 'assistant') continue;
    for (const call of entry.toolCalls) {
      const line = cut(`${callWords(call)}${refused.has(call.id) ? ' (refused)' : ''}`, MAX_LINE);
      counted.set(line, (counted.get(line) ?? 0) + 1);
    }
  }
  const lines = [...counted].map(([line, count]) => `- ${line}${count > 1 ? ` ×${count}` : ''}`);
  const shown = lines.slice(-MAX_LINES);
  const closing = run.findLast((entry) => entry.role === 'assistant' && entry.toolCalls.length === 0);
  const said =
    closing?.role === 'assistant' && closing.text.trim() ? [`You said: ${cut(closing.text.trim(), MAX_TEXT)}`] : [];
  return [
    'The conversation is long, so this part of your own work is shortened to a list of your calls. What they changed is in the workspace; read again what you need to know.',
    ...(shown.length < lines.length ? [`- ${lines.length - shown.length} earlier calls`] : []),
    ...shown,
    ...said,
  ].join('\n');
}

function callWords({ name, input }: ToolCall): string {
  if (typeof input !== 'object' || input === null) return name;
  const words = Object.entries(input)
    .filter(([, value]) => typeof value === 'string' && value.length <= 100)
    .map(([key, value]) => `${key} ${JSON.stringify(value)}`);
  return [name, ...words].join(' ');
}

function cut(text: string, length: number): string {
  return text.length <= length
    ? text
    : `${beginningOf(text, length)}… [${(text.length - length).toLocaleString('en')} characters left out]`;
}
