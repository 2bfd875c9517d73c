import { expect, test } from 'vitest';
import { namesCollector } from '../../../src/platform/telemetry/collector.ts';

test.each([
  [{}, false, false],
  [{ OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'http://c:4318/v1/metrics' }, true, false],
  [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://c:4318/v1/traces' }, false, true],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318' }, true, true],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318', OTEL_SDK_DISABLED: 'true' }, false, false],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318', OTEL_METRICS_EXPORTER: 'none' }, false, true],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318', OTEL_TRACES_EXPORTER: 'none' }, true, false],
])('the usual variables %j name a collector of metrics: %s, of traces: %s', (env, ofMetrics, ofTraces) => {
  expect(namesCollector(env, 'METRICS')).toBe(ofMetrics);
  expect(namesCollector(env, 'TRACES')).toBe(ofTraces);
});
