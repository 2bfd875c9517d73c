import type { LanguageModelV4StreamPart, SharedV4ProviderMetadata } from '@ai-sdk/provider';
import { readOutcome, type DeclaredOutcome } from '../conversation/declared-outcome.ts';
import type { ModelProgress } from '../model.ts';
import type { ToolCall } from '../conversation/tool-call.ts';
import type { TranscriptEntry } from '../conversation/transcript.ts';
import { providerInput, toolName } from './provider-prompt.ts';
import { withoutThinking } from './thinking.ts';

type NativePart =
  | { type: 'text' | 'reasoning'; text: string; providerOptions?: SharedV4ProviderMetadata }
  | {
      type: 'tool-call';
      toolCallId: string;
      toolName: string;
      input: unknown;
      providerOptions?: SharedV4ProviderMetadata;
    };

/** Puts the parts of a stream together to one answer. */
export class AnswerBuilder {
  readonly #open = new Map<string, NativePart & { text: string }>();
  readonly #parts: NativePart[] = [];
  readonly #calls: ToolCall[] = [];
  readonly #usedIds = new Set<string>();
  #text = '';
  #characters = 0;
  #tool: string | null = null;

  constructor(transcript: readonly TranscriptEntry[]) {
    for (const entry of transcript) {
      if (entry.role === 'assistant') for (const { id } of entry.toolCalls) this.#usedIds.add(id);
    }
  }

  /** @returns whether there is something new to watch */
  add(part: LanguageModelV4StreamPart): boolean {
    switch (part.type) {
      case 'text-start':
      case 'reasoning-start':
      case 'text-end':
      case 'reasoning-end':
        this.#piece(part.type.startsWith('text') ? 'text' : 'reasoning', part.id, '', part.providerMetadata);
        return false;
      case 'text-delta':
      case 'reasoning-delta':
        this.#piece(part.type === 'text-delta' ? 'text' : 'reasoning', part.id, part.delta, part.providerMetadata);
        if (part.type === 'text-delta') this.#text += part.delta;
        this.#characters += part.delta.length;
        this.#tool = null;
        return true;
      case 'tool-input-start':
        this.#tool = part.toolName;
        return true;
      case 'tool-input-delta':
        this.#characters += part.delta.length;
        return true;
      case 'tool-call':
        this.#call(part.toolCallId, part.toolName, part.input, part.providerMetadata);
        return true;
      default:
        return false;
    }
  }

  progress(): ModelProgress {
    return { characters: this.#characters, text: withoutThinking(this.#text), tool: this.#tool };
  }

  /**
   * `native` only if there is more than text and calls: reasoning, and its signatures, which some providers
   * want back.
   */
  build(): { text: string; toolCalls: ToolCall[]; outcome?: DeclaredOutcome; native?: unknown[] } {
    const isClosing = this.#calls.length === 0;
    const said = withoutThinking(this.#text);
    const { text, outcome } = isClosing ? readOutcome(said) : { text: said, outcome: null };
    const whole = { text, toolCalls: this.#calls, ...(outcome ? { outcome } : {}) };
    const parts = this.#parts.filter((part) => part.type !== 'text' || part.text.trim() !== '');
    return parts.some((part) => part.type === 'reasoning' || isSigned(part)) ? { ...whole, native: parts } : whole;
  }

  #piece(type: 'text' | 'reasoning', id: string, delta: string, metadata: SharedV4ProviderMetadata | undefined): void {
    const key = `${type} ${id}`;
    let part = this.#open.get(key);
    if (!part) {
      part = { type, text: '' };
      this.#open.set(key, part);
      this.#parts.push(part);
    }
    part.text += delta;
    if (metadata) part.providerOptions = merged(part.providerOptions, metadata);
  }

  #call(givenId: string, name: string, input: string, providerOptions: SharedV4ProviderMetadata | undefined): void {
    const id = this.#unusedId(givenId);
    const call: ToolCall = { id, name, input: parsed(input) };
    this.#calls.push(call);
    this.#parts.push({
      type: 'tool-call',
      toolCallId: id,
      toolName: toolName(call),
      input: providerInput(call.input),
      ...(providerOptions ? { providerOptions } : {}),
    });
    this.#tool = null;
  }

  /** Small servers count their calls from zero in every answer: results are found by id. */
  #unusedId(given: string): string {
    const plain = given.replace(/[^\w-]/g, '_').slice(0, 60) || 'call';
    let id = plain;
    for (let n = 2; this.#usedIds.has(id); n++) id = `${plain.slice(0, 54)}-${n}`;
    this.#usedIds.add(id);
    return id;
  }
}

/**
 * Gemini requires that its calls are returned with the signature of the thoughts that led to them.
 */
const isSigned = ({ providerOptions }: NativePart): boolean =>
  Object.values(providerOptions ?? {}).some((fields) => 'thoughtSignature' in fields);

function merged(
  before: SharedV4ProviderMetadata | undefined,
  more: SharedV4ProviderMetadata,
): SharedV4ProviderMetadata {
  const result: SharedV4ProviderMetadata = { ...before };
  for (const [provider, fields] of Object.entries(more)) result[provider] = { ...result[provider], ...fields };
  return result;
}

/**
 * Arguments that are not JSON stay text: the tool refuses them with a sentence, and the model tries again.
 */
function parsed(input: string): unknown {
  try {
    return input.trim() === '' ? {} : (JSON.parse(input) as unknown);
  } catch {
    return input;
  }
}
