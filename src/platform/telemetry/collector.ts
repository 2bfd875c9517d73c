/** Whether a collector is named and used: https://opentelemetry.io/docs/specs/otel/protocol/exporter/ */
export function namesCollector(env: NodeJS.ProcessEnv, signal: 'METRICS' | 'TRACES'): boolean {
  const endpoint = env[`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`] || env.OTEL_EXPORTER_OTLP_ENDPOINT;
  return Boolean(endpoint) && env.OTEL_SDK_DISABLED !== 'true' && env[`OTEL_${signal}_EXPORTER`] !== 'none';
}
