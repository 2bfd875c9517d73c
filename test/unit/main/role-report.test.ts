import { expect, test } from 'vitest';
import { RoleReport } from '../../../src/start/role-report.ts';

const REASON = 'Invalid settings: DOCENT_MODELS_FILE is not JSON.';
const logLine = (level: number, msg: string) => JSON.stringify({ level, time: 0, name: 'worker', msg });
const says = {
  line: (report: RoleReport) => void report.line(logLine(60, REASON)),
  message: (report: RoleReport) => report.message({ type: 'refused', reason: REASON }),
};

test.for([
  ['line', 'message'],
  ['message', 'line'],
] as const)('a refusal is one, whichever of log and message arrives first: %s, %s', (order) => {
  const report = new RoleReport();
  for (const name of order) says[name](report);
  expect(report.lastOutput).toEqual({ text: REASON, isRefusal: true });
});

test('a fatal line alone is no refusal, and a warning is no reason to end', () => {
  const report = new RoleReport();
  expect(report.line(logLine(30, 'ready for jobs'))).toBeUndefined();
  expect(report.line(logLine(40, 'slow'))).toBe('slow');
  expect([report.complaint, report.lastOutput]).toEqual(['slow', undefined]);
  expect(report.line('node: bad option')).toBe('node: bad option');
  report.line(logLine(60, 'broken'));
  expect([report.complaint, report.lastOutput]).toEqual(['broken', { text: 'broken', isRefusal: false }]);
});

test('it is ready after the message `ready`', async () => {
  const report = new RoleReport();
  report.message({ type: 'ready' });
  await report.ready;
  expect(report.lastOutput).toBeUndefined();
});
