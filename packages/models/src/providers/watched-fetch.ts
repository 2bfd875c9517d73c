import { ModelProblem } from '../model.ts';

export interface WatchLimits {
  /** Milliseconds without a byte from the provider. */
  idleMs: number;
  /** Milliseconds of the whole answer. */
  totalMs: number;
}

/** Longer answers are nonsense. */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * A `fetch` for one request to a provider, with time limits. It counts bytes, not events, so a provider that
 * only sends keep-alives is noticed. Redirects are refused: they would send the key elsewhere.
 */
export class WatchedFetch {
  /** Why the request was ended by this side, if it was. */
  problem: ModelProblem | null = null;
  /** Whether the provider has begun to answer. */
  hasAnswer = false;
  readonly #abort = new AbortController();
  readonly #inner: typeof fetch;
  readonly #limits: WatchLimits;
  readonly #label: string;
  readonly #total: NodeJS.Timeout;
  #idle: NodeJS.Timeout | undefined;

  constructor(inner: typeof fetch, limits: WatchLimits, label: string) {
    this.#inner = inner;
    this.#limits = limits;
    this.#label = label;
    this.#total = setTimeout(
      () => this.#end(`took longer than ${seconds(limits.totalMs)} for one answer`),
      limits.totalMs,
    );
  }

  /** Ends the request, if it still runs, and the clocks. */
  close(): void {
    clearTimeout(this.#total);
    clearTimeout(this.#idle);
    this.#abort.abort();
  }

  readonly fetch: typeof fetch = async (input, init) => {
    this.#heard();
    const signals = [this.#abort.signal, ...(init?.signal ? [init.signal] : [])];
    const response = await this.#inner(input, { ...init, redirect: 'manual', signal: AbortSignal.any(signals) });
    this.#heard();
    this.hasAnswer = true;
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel();
      this.problem = new ModelProblem(
        'model_rejected',
        `${this.#label} redirects requests (${response.status}). Set the base URL to the provider's actual address.`,
      );
      throw this.problem;
    }
    if (!response.body) return response;
    let bytes = 0;
    const counted = new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        this.#heard();
        bytes += chunk.byteLength;
        if (bytes > MAX_BYTES) this.#end('sent an endless answer');
        controller.enqueue(chunk);
      },
    });
    return new Response(response.body.pipeThrough(counted), response);
  };

  #heard(): void {
    clearTimeout(this.#idle);
    const { idleMs } = this.#limits;
    this.#idle = setTimeout(() => this.#end(`has sent nothing for ${seconds(idleMs)}`), idleMs);
  }

  #end(what: string): void {
    if (this.#abort.signal.aborted) return;
    this.problem ??= new ModelProblem('model_unavailable', `${this.#label} ${what}.`, { passing: true });
    this.#abort.abort(this.problem);
  }
}

function seconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`;
}
