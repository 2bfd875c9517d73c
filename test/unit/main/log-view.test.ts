import { expect, test } from 'vitest';
import { createLogView } from '../../../src/main/start/log-view.ts';

function view(json: boolean) {
  let text = '';
  const out = { isTTY: false, write: (chunk: string | Uint8Array) => Boolean((text += String(chunk))) };
  return { view: createLogView(out, { level: 'info', json }), text: () => text };
}

const CHILD_LINE = '{"level":30,"time":"2026-01-02T03:04:05.000Z","role":"api","url":"http://x","msg":"answering"}';

test('lines of children are shown with their role, and without JSON around them', () => {
  const { view: log, text } = view(false);
  log.line('api', CHILD_LINE);
  log.line('worker', 'a library printed this');
  log.loggerFor('docent').warn('worker: it ended with signal SIGKILL.');
  expect(text()).toMatch(/^\d\d:\d\d:05 api      answering \{"url":"http:\/\/x"\}\n/);
  expect(text()).toMatch(/ worker   a library printed this\n/);
  expect(text()).toMatch(/ docent   warning: worker: it ended with signal SIGKILL\.\n$/);
});

test('a warning shows the message of its error, an error its stack too', () => {
  const { view: log, text } = view(false);
  log.loggerFor('api').warn({ err: new Error('no answer') }, 'a connection broke');
  expect(text()).toMatch(/ api      warning: a connection broke: no answer\n$/);
  log.loggerFor('api').error({ err: new Error('oh no') }, 'a fault');
  expect(text()).toMatch(/error: a fault[^]*at .*log-view\.test/);
});

test('as JSON, every line is one JSON object', () => {
  const { view: log, text } = view(true);
  log.line('api', CHILD_LINE);
  log.line('worker', '{ not json');
  const lines = text()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { role: string; msg: string });
  expect(lines).toMatchObject([
    { role: 'api', msg: 'answering' },
    { role: 'worker', msg: '{ not json' },
  ]);
});

test('nothing is lost while the progress display owns the terminal', () => {
  const { view: log, text } = view(false);
  log.hold();
  log.line('api', CHILD_LINE);
  expect(text()).toBe('');
  log.release();
  expect(text()).toContain('answering');
});
