/*
 * Spans of traces. Until tracing has begun, each function only does the work, and nothing of OpenTelemetry is loaded for it. Names and fields are
 * names of our own, counts and hosts alone: never an address, a project, a prompt, a path, a query's text or an error's words.
 */

export type SpanFields = Readonly<Record<string, string | number | undefined>>;

export interface SpanStart {
  name: string;
  /** Which side of a call it is. Without it, something inside of this process. */
  kind?: 'server' | 'client' | 'producer' | 'consumer';
  fields?: SpanFields;
}

/** A span while its work runs. */
export interface OpenSpan {
  rename(name: string): void;
  set(fields: SpanFields): void;
  /** Marks it as failed, where its work does not throw. */
  fail(): void;
}

/** A span that is told of when its work is over. */
export interface EndedSpan extends SpanStart {
  /**
   * Its own place, as others were told of it in W3C's form:
   * https://www.w3.org/TR/trace-context/#traceparent-header
   */
  traceparent: string;
  parent: string;
  /** What else led to it. */
  links: readonly string[];
  /** Milliseconds since 1970. */
  startedAt: number;
  endedAt: number;
}

/**
 * What names a span in a line of the log:
 * https://opentelemetry.io/docs/specs/otel/compatibility/logging_trace_context/
 */
export type SpanIds = { trace_id: string; span_id: string };

/** What {@link startTracing} makes of OpenTelemetry. */
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

/** From now on, spans are made; with undefined no more. */
export function makeSpansBy(made: Spans | undefined): void {
  spans = made;
}

export function isTracing(): boolean {
  return spans !== undefined;
}

/**
 * A part of the work that the running span is about. Where none runs, or its trace is not sampled, there is
 * no span.
 */
export function inSpan<T>(start: SpanStart, work: (span: OpenSpan) => Promise<T>): Promise<T> {
  return spans ? spans.within(start, work) : work(NO_SPAN);
}

/**
 * What came from outside, or is sent there to be carried on.
 * @param parent the `traceparent` that came with it. Without it, or where it is malformed, the running span
 * is the parent; else a new trace begins
 */
export function beginSpan<T>(
  start: SpanStart,
  parent: string | undefined,
  work: (span: OpenSpan) => Promise<T>,
): Promise<T> {
  return spans ? spans.begin(start, parent, work) : work(NO_SPAN);
}

/** A span whose work has ended, somewhere that makes none by itself. */
export function addSpan(span: EndedSpan): void {
  spans?.add(span);
}

/** Has `work`, which is called later by someone else, belong to the span that runs now. */
export function inThisSpan<Args extends unknown[], T>(work: (...args: Args) => T): (...args: Args) => T {
  return spans ? spans.bind(work) : work;
}

/** The running span, to be sent along; undefined where there is none. */
export function traceparent(): string | undefined {
  return spans?.traceparent();
}

/** Of the span that runs, where it is sampled. */
export function spanIds(): SpanIds | undefined {
  return spans?.ids();
}
