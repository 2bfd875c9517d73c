import type { LanguageModelV4Message, LanguageModelV4Prompt, SharedV4ProviderOptions } from '@ai-sdk/provider';
import { ShownFiles } from '../conversation/attached-files.ts';
import { withOutcome } from '../conversation/declared-outcome.ts';
import type { ModelRequest } from '../model.ts';
import type { ModelFacts } from '../model-facts.ts';
import type { ToolResult } from '../conversation/tool-call.ts';
import type { Attached, TranscriptEntry } from '../conversation/transcript.ts';

type AssistantContent = Extract<LanguageModelV4Message, { role: 'assistant' }>['content'];

type AssistantEntry = Extract<TranscriptEntry, { role: 'assistant' }>;

/**
 * Marks the end of what a provider may cache for the next request. Providers that cache automatically ignore
 * it.
 */
const CACHED: SharedV4ProviderOptions = { anthropic: { cacheControl: { type: 'ephemeral' } } };
const NOT_RUN = 'Not carried out: the turn ended before.';

/**
 * A request in the form that providers take: every call is followed by its result, nothing is empty, and
 * consecutive user messages are merged. The beginning stays the same from step to step, so that providers can
 * cache it. Cache marks are on the system text, on the end, and on the end of the previous step.
 */
export function providerPrompt(
  { system, transcript, files }: Pick<ModelRequest, 'system' | 'transcript' | 'files'>,
  facts: Pick<ModelFacts, 'contextTokens' | 'images'> = { contextTokens: Infinity, images: false },
): LanguageModelV4Prompt {
  const messages: LanguageModelV4Message[] = [];
  const shown = new ShownFiles(transcript, files ?? new Map(), facts);
  for (const [i, entry] of transcript.entries()) {
    if (entry.role === 'user') {
      addText(messages, entry.text);
      for (const attached of entry.attachments ?? []) addAttachment(messages, attached, shown);
    }
    if (entry.role === 'notice') addText(messages, `<notice>\n${entry.text}\n</notice>`);
    else if (entry.role === 'assistant') addAnswer(messages, entry, resultsBehind(transcript, i));
  }
  // Some providers complete a last message of the assistant instead of answering it.
  if (messages.at(-1)?.role !== 'user' && messages.at(-1)?.role !== 'tool')
    addText(messages, '<notice>\nGo on.\n</notice>');
  markEnds(messages);
  return [{ role: 'system', content: system, providerOptions: CACHED }, ...messages];
}

function addText(messages: LanguageModelV4Message[], text: string): void {
  const given = text.trim() === '' ? '(nothing)' : text;
  const last = messages.at(-1);
  if (last?.role === 'user') {
    const end = last.content.at(-1);
    if (end?.type === 'text')
      last.content = [...last.content.slice(0, -1), { ...end, text: `${end.text}\n\n${given}` }];
    else last.content = [...last.content, { type: 'text', text: given }];
  } else {
    messages.push({ role: 'user', content: [{ type: 'text', text: given }] });
  }
}

/** Its text, followed by the image if it can be shown. */
function addAttachment(messages: LanguageModelV4Message[], attached: Attached, shown: ShownFiles): void {
  const { text, image } = shown.of(attached);
  addText(messages, text);
  const last = messages.at(-1);
  if (!image || last?.role !== 'user') return;
  const { mediaType } = attached;
  last.content = [...last.content, { type: 'file', mediaType, data: { type: 'data', data: image } }];
}

function addAnswer(
  messages: LanguageModelV4Message[],
  entry: AssistantEntry,
  results: ReadonlyMap<string, ToolResult>,
): void {
  const content = entry.native ? (entry.native as AssistantContent) : plainContent(entry);
  if (content.length === 0) return;
  messages.push({ role: 'assistant', content: [...content] });
  if (entry.toolCalls.length === 0) return;
  messages.push({
    role: 'tool',
    content: entry.toolCalls.map((call) => {
      const { ok = false, text = NOT_RUN } = results.get(call.id) ?? {};
      return {
        type: 'tool-result',
        toolCallId: call.id,
        toolName: toolName(call),
        output: { type: ok ? 'text' : 'error-text', value: text || '(nothing)' },
      };
    }),
  });
}

function plainContent({
  text,
  toolCalls,
  outcome,
}: Pick<AssistantEntry, 'text' | 'toolCalls' | 'outcome'>): AssistantContent {
  return [
    ...(text.trim() === '' ? [] : [{ type: 'text' as const, text: withOutcome(text, outcome) }]),
    ...toolCalls.map((call) => ({
      type: 'tool-call' as const,
      toolCallId: call.id,
      toolName: toolName(call),
      input: providerInput(call.input),
    })),
  ];
}

/**
 * The input of a call as providers accept it: an object. Any other input of the model is shown to it again.
 */
export function providerInput(input: unknown): Record<string, unknown> {
  if (typeof input === 'object' && input !== null && !Array.isArray(input)) return input as Record<string, unknown>;
  return { unreadable: (typeof input === 'string' ? input : JSON.stringify(input)).slice(0, 2_000) };
}

/** Models invent tool names that their providers then reject. */
export function toolName({ name }: { name: string }): string {
  return name.replace(/[^\w-]/g, '_').slice(0, 64) || 'unknown';
}

/** The results of an answer's calls: they are between it and the next answer. */
function resultsBehind(transcript: readonly TranscriptEntry[], at: number): Map<string, ToolResult> {
  const results = new Map<string, ToolResult>();
  for (const entry of transcript.slice(at + 1)) {
    if (entry.role === 'assistant') break;
    if (entry.role === 'tool') for (const result of entry.results) results.set(result.callId, result);
  }
  return results;
}

function markEnds(messages: LanguageModelV4Message[]): void {
  const last = messages.at(-1);
  if (last) last.providerOptions = CACHED;
  const before = messages.slice(0, -1).findLast(({ role }) => role === 'user' || role === 'tool');
  if (before) before.providerOptions = CACHED;
}
