import { LLMock, type FixtureOpts, type FixtureResponse } from '@copilotkit/aimock';

type Usage = { input: number; output: number };

/** What the model does next. */
export type Move =
  | { say: string; calls?: [tool: string, input: Record<string, unknown> | string][]; finish?: string; slowly?: true }
  | { status: number; message?: string; code?: string; retryAfter?: number }
  /** The stream ends in the middle, with no word of an end. */
  | { cut: string }
  /** Nothing comes for this many milliseconds. */
  | { silentMs: number };

/**
 * Providers that play a script per job, distinguished by a word of its prompt: the n-th request of the job
 * gets the n-th move, the last move is recreated and again.
 */
export class ScriptedModels {
  readonly mock = new LLMock({ port: 0, logLevel: 'silent', chunkSize: 12 });
  readonly #asked = new Map<string, number>();
  readonly usage: Usage = { input: 1_000, output: 100 };

  /** How often the job of this word has asked. */
  asked(word: string): number {
    return this.#asked.get(word) ?? 0;
  }

  play(word: string, ...moves: Move[]): void {
    for (const [i, move] of moves.entries()) {
      const isLast = i === moves.length - 1;
      this.mock.on(
        {
          predicate: ({ messages }) => {
            const asked = this.asked(word);
            return JSON.stringify(messages).includes(word) && (asked === i || (isLast && asked > i));
          },
        },
        () => {
          this.#asked.set(word, this.asked(word) + 1);
          return this.#responseOf(move);
        },
        optionsOf(move),
      );
    }
  }

  /** Like `play`, with moves distinguished by how many results the model has seen, as a real model would. */
  playByResults(word: string, ...moves: Move[]): void {
    for (const [i, move] of moves.entries()) {
      this.mock.on(
        {
          predicate: ({ messages }) =>
            JSON.stringify(messages).includes(word) && messages.filter(({ role }) => role === 'tool').length === i,
        },
        () => {
          this.#asked.set(word, this.asked(word) + 1);
          return this.#responseOf(move);
        },
        optionsOf(move),
      );
    }
  }

  /** Asks for each move of the job, with the messages that its model has seen. */
  answer(word: string, moveFor: (messages: readonly { role: string; content: unknown }[]) => Move): void {
    this.mock.on({ predicate: ({ messages }) => JSON.stringify(messages).includes(word) }, ({ messages }) => {
      this.#asked.set(word, this.asked(word) + 1);
      return this.#responseOf(moveFor(messages));
    });
  }

  #responseOf(move: Move): FixtureResponse {
    const { input, output } = this.usage;
    const usage = { prompt_tokens: input, completion_tokens: output, input_tokens: input, output_tokens: output };
    if ('status' in move) {
      const { status, message = 'It went wrong.', code, retryAfter } = move;
      return { error: { message, type: code ?? 'api_error', code }, status, retryAfter };
    }
    if ('silentMs' in move) return { content: 'Too late to be heard.', usage };
    if ('cut' in move) return { content: move.cut.repeat(20), usage };
    const toolCalls = move.calls?.map(([name, args]) => ({
      name,
      arguments: typeof args === 'string' ? args : JSON.stringify(args),
    }));
    const finishReason = move.finish;
    return toolCalls
      ? { content: move.say, toolCalls, usage, finishReason }
      : { content: move.say, usage, finishReason };
  }
}

function optionsOf(move: Move): FixtureOpts {
  if ('cut' in move) return { truncateAfterChunks: 2 };
  if ('silentMs' in move) return { latency: move.silentMs };
  return 'slowly' in move && move.slowly ? { latency: 150 } : {};
}
