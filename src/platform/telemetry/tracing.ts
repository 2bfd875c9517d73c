import { setTimeout as sleep } from 'node:timers/promises';
import type { SpanExporter, TracerProvider } from '@opentelemetry/sdk-trace';
import { namesCollector } from './collector.ts';
import { logBesides, type Logger } from '../log.ts';
import { makeSpansBy, spanIds } from './spans.ts';

/** Spans that wait for the collector, at most: newer ones are dropped. */
const MAX_WAITING = 4_096;
const SEND_EVERY_MS = 2_000;
/** A collector that does not answer holds up the end of a process for no longer. */
const LAST_SEND_MS = 3_000;

/**
 * Turns traces on if the usual variables name a collector; else loads nothing. A slow collector costs only
 * traces.
 * @param name `docent api` or `docent worker`
 * @returns sends the rest and ends
 */
export async function startTracing(name: string, env: NodeJS.ProcessEnv, log: Logger): Promise<() => Promise<void>> {
  if (!namesCollector(env, 'TRACES')) return async () => {};
  const protocol = env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL || env.OTEL_EXPORTER_OTLP_PROTOCOL || 'http/protobuf';
  const make = EXPORTERS[protocol];
  if (!make) {
    log.warn(
      'Docent sends traces only over HTTP, not with the protocol in OTEL_EXPORTER_OTLP_PROTOCOL, so ' +
        'tracing is off. Set it to http/protobuf (or OTEL_EXPORTER_OTLP_TRACES_PROTOCOL) and use the HTTP ' +
        'port of the collector, usually 4318.',
    );
    return async () => {};
  }
  const [{ BatchSpanProcessor, TracerProvider: Provider }, { AsyncLocalStorageContextManager }, { context }] =
    await Promise.all([
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/context-async-hooks'),
      import('@opentelemetry/api'),
    ]);
  const { LoggingExporter } = await import('./logging-exporter.ts');
  const { OtelSpans, SpanIdSource } = await import('./otel-spans.ts');
  const { resourceOf } = await import('./resource.ts');
  const { samplerOf } = await import('./sampler.ts');
  const ids = new SpanIdSource();
  const provider = new Provider({
    resource: resourceOf(name),
    sampler: samplerOf(env, log),
    idGenerator: ids,
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new LoggingExporter(await make(), log),
        maxQueueSize: MAX_WAITING,
        scheduledDelayMillis: SEND_EVERY_MS,
      }),
    ],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  makeSpansBy(new OtelSpans(provider.getTracer('docent'), ids));
  logBesides(spanIds);
  log.info('sending traces to the collector');
  return async () => {
    makeSpansBy(undefined);
    await shutDown(provider, log);
  };
}

const EXPORTERS: Readonly<Record<string, () => Promise<SpanExporter>>> = {
  'http/protobuf': async () => new (await import('@opentelemetry/exporter-trace-otlp-proto')).OTLPTraceExporter(),
  'http/json': async () => new (await import('@opentelemetry/exporter-trace-otlp-http')).OTLPTraceExporter(),
};

async function shutDown(provider: TracerProvider, log: Logger): Promise<void> {
  const done = new AbortController();
  const late = sleep(LAST_SEND_MS, 'late', { signal: done.signal }).catch(() => 'done');
  const ended = await Promise.race([provider.shutdown().catch(() => 'failed'), late]);
  done.abort();
  if (ended === 'late' || ended === 'failed') log.warn('The last traces could not be sent.');
}
