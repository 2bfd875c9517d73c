import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { metrics, type Attributes, type Meter } from '@opentelemetry/api';
import type { MeterProvider, MetricData, MetricReader, ResourceMetrics } from '@opentelemetry/sdk-metrics';
import { messageOf } from '@docent/base/thrown';
import type { Logger } from '../log.ts';
import { hostInUrl } from '@docent/base/net/ip-address';
import { monitorEventLoopDelay } from 'node:perf_hooks';

/** The resource usage of the process. @returns a function that ends it */
function observeProcess(meter: Meter): () => void {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  const memory = meter.createObservableGauge('process.memory.usage', {
    description: 'Memory that the process holds.',
    unit: 'By',
  });
  memory.addCallback((result) => result.observe(process.memoryUsage.rss()));
  const heap = meter.createObservableGauge('nodejs.heap.used', {
    description: 'Heap of JavaScript in use.',
    unit: 'By',
  });
  heap.addCallback((result) => result.observe(process.memoryUsage().heapUsed));
  const cpu = meter.createObservableCounter('process.cpu.time', { description: 'CPU time used.', unit: 's' });
  cpu.addCallback((result) => {
    const { user, system } = process.cpuUsage();
    result.observe(user / 1e6, { 'cpu.mode': 'user' });
    result.observe(system / 1e6, { 'cpu.mode': 'system' });
  });
  const lag = meter.createObservableGauge('nodejs.eventloop.delay.p99', {
    description: 'Event loop delay since the last measurement, 99th percentile.',
    unit: 's',
  });
  lag.addCallback((result) => {
    const nanoseconds = delay.percentile(99);
    delay.reset();
    result.observe(Number.isFinite(nanoseconds) ? nanoseconds / 1e9 : 0);
  });
  return () => delay.disable();
}

export interface TelemetryOptions {
  /** `docent api` or `docent worker`. */
  name: string;
  host: string;
  /** Where `/metrics` is answered; 0 for any free port, undefined for none. */
  port: number | undefined;
  /** Whether to send them to a collector. */
  pushes: boolean;
  /** The address of another part of this process with its own metrics, in Prometheus' format. */
  besides?: string;
  log: Logger;
}

/** A gauge that is read whenever someone asks. */
export interface Gauge {
  name: string;
  description: string;
  unit?: string;
}

export interface Telemetry {
  /** Where `/metrics` is answered; null if it is not. */
  url: string | null;
  /** Several gauges from one reading. If it fails, they are left out, with one log line. */
  observe(gauges: readonly Gauge[], look: () => Promise<readonly Observation[]>): void;
  stop(): Promise<void>;
}

export interface Observation {
  gauge: string;
  value: number;
  attributes?: Attributes;
}

const NONE: Telemetry = { url: null, observe: () => {}, stop: async () => {} };
/** A scraper that hangs must not keep a process from ending. */
const CLOSE_MS = 1_000;
const BESIDES_MS = 2_000;

/**
 * Serves `/metrics` for Prometheus on its own port and sends OTLP to a collector. If off, loads nothing.
 * @throws Error with `code`, such as EADDRINUSE
 */
export async function startTelemetry(options: TelemetryOptions): Promise<Telemetry> {
  const { name, host, port, pushes, log } = options;
  if (port === undefined && !pushes) return NONE;
  const sdk = await import('@opentelemetry/sdk-metrics');
  const { resourceOf } = await import('./resource.ts');
  const readers: MetricReader[] = [];
  let server: Server | undefined;
  if (port !== undefined) {
    const scrape = await scraper();
    readers.push(scrape.reader);
    server = await listening(host, port, async () => (await scrape.text()) + (await textBeside(options.besides, log)));
  }
  if (pushes) {
    const { OTLPMetricExporter } = await import('@opentelemetry/exporter-metrics-otlp-http');
    readers.push(new sdk.PeriodicExportingMetricReader({ exporter: new OTLPMetricExporter() }));
  }
  const provider = new sdk.MeterProvider({ resource: resourceOf(name), readers });
  metrics.setGlobalMeterProvider(provider);
  const meter = provider.getMeter('docent');
  const stopObserving = observeProcess(meter);
  const url = server ? `http://${addressOf(server)}/metrics` : null;
  if (url !== null) log.info({ url }, 'serving metrics');
  return {
    url,
    observe: (gauges, look) => observe(meter, gauges, look, log),
    async stop() {
      stopObserving();
      metrics.disable();
      await Promise.all([closed(server), shutDown(provider, log)]);
    },
  };
}

async function scraper(): Promise<{ reader: MetricReader; text(): Promise<string> }> {
  const { MetricReader: Reader } = await import('@opentelemetry/sdk-metrics');
  const { PrometheusSerializer } = await import('@opentelemetry/exporter-prometheus');
  class PullReader extends Reader {
    protected override onShutdown(): Promise<void> {
      return Promise.resolve();
    }
    protected override onForceFlush(): Promise<void> {
      return Promise.resolve();
    }
  }
  const reader = new PullReader();
  const serializer = new PrometheusSerializer();
  return { reader, text: async () => serializer.serialize(withUnits((await reader.collect()).resourceMetrics)) };
}

const UNITS: Readonly<Record<string, string>> = { s: 'seconds', By: 'bytes' };

/**
 * Adds units to names, which its serializer leaves out:
 * https://opentelemetry.io/docs/specs/otel/compatibility/prometheus_and_openmetrics/
 */
function withUnits(all: ResourceMetrics): ResourceMetrics {
  const scopeMetrics = all.scopeMetrics.map((scope) => ({ ...scope, metrics: scope.metrics.map(withUnit) }));
  return { ...all, scopeMetrics };
}

function withUnit(metric: MetricData): MetricData {
  const { name, unit } = metric.descriptor;
  return unit in UNITS ? { ...metric, descriptor: { ...metric.descriptor, name: `${name}_${UNITS[unit]}` } } : metric;
}

function listening(host: string, port: number, text: () => Promise<string>): Promise<Server> {
  const server = createServer((request, response) => {
    if (request.url !== '/metrics' || (request.method !== 'GET' && request.method !== 'HEAD')) {
      response.writeHead(404, { 'Content-Type': 'text/plain' }).end('Not found. Use /metrics.\n');
      return;
    }
    text().then(
      (body) => response.writeHead(200, { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' }).end(body),
      () => response.writeHead(500).end(),
    );
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve(server);
    });
  });
}

function addressOf(server: Server): string {
  const { address, port } = server.address() as AddressInfo;
  return `${hostInUrl(address)}:${port}`;
}

/** Empty if the other part does not answer: the rest is still useful. */
async function textBeside(address: string | undefined, log: Logger): Promise<string> {
  if (address === undefined) return '';
  try {
    const answer = await fetch(`http://${address}/metrics`, { signal: AbortSignal.timeout(BESIDES_MS) });
    return answer.ok ? await answer.text() : '';
  } catch (err) {
    log.debug({ err }, 'the metrics of Temporal’s SDK cannot be read');
    return '';
  }
}

function observe(
  meter: Meter,
  gauges: readonly Gauge[],
  look: () => Promise<readonly Observation[]>,
  log: Logger,
): void {
  const made = new Map(
    gauges.map(({ name, description, unit }) => [name, meter.createObservableGauge(name, { description, unit })]),
  );
  let hasFailed = false;
  meter.addBatchObservableCallback(
    async (result) => {
      try {
        for (const { gauge, value, attributes } of await look()) result.observe(made.get(gauge)!, value, attributes);
        hasFailed = false;
      } catch (err) {
        // Without them, alerts on absent metrics fire, as intended.
        if (!hasFailed) log.warn(`Some metrics cannot be read right now: ${messageOf(err)}`);
        hasFailed = true;
      }
    },
    [...made.values()],
  );
}

async function closed(server: Server | undefined): Promise<void> {
  if (!server) return;
  const timer = setTimeout(() => server.closeAllConnections(), CLOSE_MS);
  await new Promise((resolve) => server.close(resolve));
  clearTimeout(timer);
}

async function shutDown(provider: MeterProvider, log: Logger): Promise<void> {
  try {
    await provider.shutdown();
  } catch (err) {
    log.warn(`The last metrics could not be sent: ${messageOf(err)}`);
  }
}
