import {
  context,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
  type Span,
  type SpanContext,
  type Tracer,
} from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';
import { RandomIdGenerator, type IdGenerator } from '@opentelemetry/sdk-trace';
import { NO_SPAN, type EndedSpan, type OpenSpan, type SpanIds, type Spans, type SpanStart } from './spans.ts';

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
} as const;

/** Random ids, except for a span whose id was announced before it was created. */
export class SpanIdSource implements IdGenerator {
  readonly #random = new RandomIdGenerator();
  #next: string | undefined;

  generateTraceId(): string {
    return this.#random.generateTraceId();
  }

  generateSpanId(): string {
    const id = this.#next ?? this.#random.generateSpanId();
    this.#next = undefined;
    return id;
  }

  /** Runs `start`, which begins one span, with this id for it. */
  with(id: string, start: () => Span): Span {
    this.#next = id;
    return start();
  }
}

/** Spans by OpenTelemetry. A failed span has only the error's name, because its text may quote people. */
export class OtelSpans implements Spans {
  readonly #tracer: Tracer;
  readonly #ids: SpanIdSource;

  constructor(tracer: Tracer, ids: SpanIdSource) {
    this.#tracer = tracer;
    this.#ids = ids;
  }

  within<T>(start: SpanStart, work: (span: OpenSpan) => Promise<T>): Promise<T> {
    return this.#run(start, running() ? context.active() : undefined, work);
  }

  begin<T>(start: SpanStart, parent: string | undefined, work: (span: OpenSpan) => Promise<T>): Promise<T> {
    return this.#run(start, contextOf(parent) ?? context.active(), work);
  }

  add({ traceparent, parent, links, startedAt, endedAt, ...start }: EndedSpan): void {
    const own = placeOf(traceparent);
    const at = contextOf(parent);
    if (!own || !at) return;
    const span = this.#ids.with(own.spanId, () =>
      this.#tracer.startSpan(
        start.name,
        {
          ...optionsOf(start),
          startTime: startedAt,
          links: links.flatMap((link) => placeOf(link) ?? []).map((place) => ({ context: place })),
        },
        at,
      ),
    );
    span.end(endedAt);
  }

  bind<Args extends unknown[], T>(work: (...args: Args) => T): (...args: Args) => T {
    return context.bind(context.active(), work);
  }

  traceparent(): string | undefined {
    const at = trace.getSpanContext(context.active());
    return at && `00-${at.traceId}-${at.spanId}-0${at.traceFlags & 1}`;
  }

  ids(): SpanIds | undefined {
    const at = running()?.spanContext();
    return at && { trace_id: at.traceId, span_id: at.spanId };
  }

  async #run<T>(start: SpanStart, at: Context | undefined, work: (span: OpenSpan) => Promise<T>): Promise<T> {
    const span = at && this.#tracer.startSpan(start.name, optionsOf(start), at);
    if (!span) return work(NO_SPAN);
    try {
      return await context.with(trace.setSpan(at, span), work, undefined, openSpan(span));
    } catch (err) {
      span.setStatus({ code: SpanStatusCode.ERROR });
      span.setAttribute('error.type', err instanceof Error ? err.name : typeof err);
      throw err;
    } finally {
      span.end();
    }
  }
}

/** The running span. Timers and kept connections keep a request's context: ended spans do not count. */
function running(): Span | undefined {
  const span = trace.getActiveSpan();
  return span?.isRecording() ? span : undefined;
}

function optionsOf({ kind, fields }: SpanStart) {
  return { ...(kind && { kind: KINDS[kind] }), ...(fields && { attributes: fields }) };
}

function openSpan(span: Span): OpenSpan {
  return {
    rename: (name) => span.updateName(name),
    set: (fields) => {
      for (const [name, value] of Object.entries(fields)) if (value !== undefined) span.setAttribute(name, value);
    },
    fail: () => span.setStatus({ code: SpanStatusCode.ERROR }),
  };
}

/** Another process's or a client's trace context; null if it is malformed. */
function placeOf(traceparent: string): SpanContext | null {
  const place = parseTraceParent(traceparent);
  return place && { ...place, isRemote: true };
}

function contextOf(traceparent: string | undefined): Context | undefined {
  const place = traceparent === undefined ? null : placeOf(traceparent);
  return place ? trace.setSpanContext(context.active(), place) : undefined;
}
