import { messageOf } from '@docent/base/thrown';
import { boundHeapGrowth } from '../processes/heap-growth.ts';
import type { CarriedError, FromChild, ToChild } from './child-pool.ts';

export interface CallContext {
  signal: AbortSignal;
  /** Passed on at most four times a second. */
  progress: (message: string) => void;
}

export type ChildMethods = Record<string, (args: never, context: CallContext) => Promise<unknown>>;

const MEMORY_REPORT_MS = 500;
const PROGRESS_MS = 250;

/** Makes this process a child of a ChildPool: it serves calls until its parent is gone. */
export function serveChild(methods: ChildMethods): void {
  boundHeapGrowth();
  const running = new Map<number, AbortController>();

  process.on('message', (message: ToChild) => {
    if ('abort' in message) running.get(message.abort)?.abort();
    else void serve(message.run, message.method, message.args);
  });
  // Without its parent, the work is useless. The parent handles signals to the whole group.
  process.on('disconnect', () => process.exit(1));
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => {});
  send({ ready: true });

  async function serve(id: number, method: string, args: unknown): Promise<void> {
    send({ started: id });
    const abort = new AbortController();
    running.set(id, abort);
    const memory = setInterval(() => send({ rss: process.memoryUsage.rss() }), MEMORY_REPORT_MS);
    let reportedAt = -Infinity;
    const progress = (message: string) => {
      const now = performance.now();
      if (now - reportedAt < PROGRESS_MS) return;
      reportedAt = now;
      send({ progress: id, message });
    };
    try {
      const call = methods[method];
      if (!call) throw new Error(`There is no method ${method}.`);
      const result = await call(args as never, { signal: abort.signal, progress });
      send({ done: id, result, rss: process.memoryUsage.rss() });
    } catch (err) {
      send({ failed: id, error: carry(err), rss: process.memoryUsage.rss() });
    } finally {
      clearInterval(memory);
      running.delete(id);
    }
  }
}

function send(message: FromChild): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => {});
}

function carry(err: unknown): CarriedError {
  if (!(err instanceof Error)) return { name: 'Error', message: messageOf(err), fields: {} };
  const fields = Object.entries<unknown>({ ...err })
    .filter(([, value]) => typeof value === 'string' || typeof value === 'number')
    .map(([name, value]) => [name, String(value)]);
  return { name: err.name, message: err.message, stack: err.stack, fields: Object.fromEntries(fields) };
}
