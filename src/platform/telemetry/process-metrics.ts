import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Meter } from '@opentelemetry/api';

/** The resource usage of the process. @returns a function that ends it */
export function observeProcess(meter: Meter): () => void {
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
