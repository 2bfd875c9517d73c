import { expect, test } from 'vitest';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openLogFile } from '../../../src/start/start.ts';
import { createLogView } from '../../../src/start/log-view.ts';

function view({ json = false, verbose = true } = {}) {
  let text = '';
  const inFile: string[] = [];
  const out = { isTTY: false, write: (chunk: string | Uint8Array) => Boolean((text += String(chunk))) };
  const file = (line: string) => void inFile.push(line);
  return { view: createLogView(out, { level: 'info', json, verbose, file }), text: () => text, inFile };
}

const CHILD_LINE = '{"level":30,"time":"2026-01-02T03:04:05.000Z","role":"api","url":"http://x","msg":"answering"}';

test('lines of children are shown with their role, and without JSON around them', () => {
  const { view: log, text } = view();
  log.line('api', CHILD_LINE);
  log.line('worker', 'a library printed this');
  log.loggerFor('docent').warn('worker: it exited with signal SIGKILL.');
  expect(text()).toMatch(/^\d\d:\d\d:05 api      answering \{"url":"http:\/\/x"\}\n/);
  expect(text()).toMatch(/ worker   a library printed this\n/);
  expect(text()).toMatch(/ docent   warning: worker: it exited with signal SIGKILL\.\n$/);
});

test('a warning shows the message of its error, an error its stack too', () => {
  const { view: log, text } = view();
  log.loggerFor('api').warn({ err: new Error('no answer') }, 'a connection broke');
  expect(text()).toMatch(/ api      warning: a connection broke: no answer\n$/);
  log.loggerFor('api').error({ err: new Error('oh no') }, 'a fault');
  expect(text()).toMatch(/error: a fault[^]*at .*log-view\.test/);
});

test('as JSON, every line is one JSON object', () => {
  const { view: log, text } = view({ json: true });
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
  const { view: log, text } = view();
  log.hold();
  log.line('api', CHILD_LINE);
  expect(text()).toBe('');
  log.release();
  expect(text()).toContain('answering');
});

test('requests go into the file alone, and warnings of a role and lines of the start to the terminal, too', () => {
  const { view: log, text, inFile } = view({ verbose: false });
  log.line('api', CHILD_LINE);
  log.line('worker', 'a library printed this');
  expect(text()).toBe('');
  log.line('api', CHILD_LINE.replace('30', '40').replace('answering', 'slow'));
  log.loggerFor('docent').info('worker is running again.');
  expect(text()).toMatch(/ api +warning: slow [^\n]*\n[^\n]* docent +worker is running again\.\n$/);
  expect(inFile.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
    'answering',
    'a library printed this',
    'slow',
    'worker is running again.',
  ]);
});

test('the file is continued by the next start, bounded, and for its owner alone', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'docent-log-'));
  const name = path.join(folder, 'docent.log');
  for (const lines of [['one'], ['two', 'three', 'four']]) {
    const log = openLogFile(name, 10);
    for (const line of lines) log(line);
  }
  expect(readFileSync(`${name}.1`, 'utf8')).toBe('three\n');
  expect(readFileSync(name, 'utf8')).toBe('four\n');
  expect(statSync(name).mode & 0o777).toBe(0o600);
  rmSync(folder, { recursive: true });
});
