/*
 * Spans of traces. Until tracing has begun, each function only does the work, and OpenTelemetry is not
 * loaded. Names and fields are only our own names, counts and hosts: never an address, a project, a prompt, a
 * path, a query's text or an error's text.
 */

export type SpanFields = Readonly<Record<string, string | number | undefined>>;

export interface SpanStart {
  name: string;
  /** The side of a call. Without it, the span is inside this process. */
  kind?: 'server' | 'client' | 'producer' | 'consumer';
  fields?: SpanFields;
}

/** A span while its work runs. */
export interface OpenSpan {
  rename(name: string): void;
  set(fields: SpanFields): void;
  /** Marks it as failed, if its work does not throw. */
  fail(): void;
}

/** A span that is reported when its work is over. */
export interface EndedSpan extends SpanStart {
  /** https://www.w3.org/TR/trace-context/#traceparent-header */
  traceparent: string;
  parent: string;
  /** Other spans that caused it. */
  links: readonly string[];
  /** Milliseconds since 1970. */
  startedAt: number;
  endedAt: number;
}

/** https://opentelemetry.io/docs/specs/otel/compatibility/logging_trace_context/ */
export type SpanIds = { trace_id: string; span_id: string };

/** The OpenTelemetry side, created by {@link startTracing}. */
export interface Spans {
  within<T>(start: SpanStart, work: (span: OpenSpan) => Promise<T>): Promise<T>;
  begin<T>(start: SpanStart, parent: string | undefined, work: (span: OpenSpan) => Promise<T>): Promise<T>;
  add(span: EndedSpan): void;
  bind<Args extends unknown[], T>(work: (...args: Args) => T): (...args: Args) => T;
  traceparent(): string | undefined;
  ids(): SpanIds | undefined;
}

/** For work that no span is about. */
export const NO_SPAN: OpenSpan = { rename() {}, set() {}, fail() {} };

let spans: Spans | undefined;

/** From now on, spans are created; undefined stops this. */
export function makeSpansBy(made: Spans | undefined): void {
  spans = made;
}

export function isTracing(): boolean {
  return spans !== undefined;
}

/** Runs a part of the current span's work in its own span. Without a current, sampled span, there is none. */
export function inSpan<T>(start: SpanStart, work: (span: OpenSpan) => Promise<T>): Promise<T> {
  return spans ? spans.within(start, work) : work(NO_SPAN);
}

/**
 * Incoming or outgoing work.
 * @param parent the received `traceparent`; if missing or malformed, the running span, else a new trace
 */
export function beginSpan<T>(
  start: SpanStart,
  parent: string | undefined,
  work: (span: OpenSpan) => Promise<T>,
): Promise<T> {
  return spans ? spans.begin(start, parent, work) : work(NO_SPAN);
}

/** Adds a span for finished work, from code that cannot create spans. */
export function addSpan(span: EndedSpan): void {
  spans?.add(span);
}

/** Makes `work`, which is called later, belong to the current span. */
export function inThisSpan<Args extends unknown[], T>(work: (...args: Args) => T): (...args: Args) => T {
  return spans ? spans.bind(work) : work;
}

/** The running span, to be sent along; undefined if there is none. */
export function traceparent(): string | undefined {
  return spans?.traceparent();
}

/** Ids of the current span, if it is sampled. */
export function spanIds(): SpanIds | undefined {
  return spans?.ids();
}
