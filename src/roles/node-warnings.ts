import type { Logger } from '../platform/log.ts';

/** Log lines have one form: Node itself would write its warnings as text, on standard error. */
export function logNodeWarnings(log: Logger): void {
  process.removeAllListeners('warning');
  process.on('warning', (warning) => log.warn({ err: warning }, 'Node.js warning'));
}
