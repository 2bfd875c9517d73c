import { ExportResultCode } from '@opentelemetry/core';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import type { Logger } from '../log.ts';

type Callback = Parameters<SpanExporter['export']>[1];

/** Logs once that a collector refuses traces, and once that it recovers; only the code, not the message. */
export class LoggingExporter implements SpanExporter {
  readonly #inner: SpanExporter;
  readonly #log: Logger;
  #isFailing = false;

  constructor(inner: SpanExporter, log: Logger) {
    this.#inner = inner;
    this.#log = log;
  }

  export(spans: ReadableSpan[], done: Callback): void {
    this.#inner.export(spans, (result) => {
      const isFailing = result.code === ExportResultCode.FAILED;
      if (isFailing && !this.#isFailing) {
        const reason = reasonOf(result.error);
        this.#log.warn({ reason }, 'traces cannot be sent to the collector; retrying');
      }
      if (!isFailing && this.#isFailing) this.#log.info('the collector accepts traces again');
      this.#isFailing = isFailing;
      // Otherwise OpenTelemetry would log each failure itself.
      done({ code: ExportResultCode.SUCCESS });
    });
  }

  async forceFlush(): Promise<void> {
    await this.#inner.forceFlush?.();
  }

  async shutdown(): Promise<void> {
    await this.#inner.shutdown();
  }
}

/** `ECONNREFUSED` and the like, or the status of an answer. */
function reasonOf(err: Error | undefined): string {
  const code = err && 'code' in err ? err.code : undefined;
  return typeof code === 'string' || typeof code === 'number' ? String(code) : 'no answer in time';
}
