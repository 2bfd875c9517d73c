import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { followed, outcome } from '../../../src/cli/commands/analytics-import.ts';
import { confirm } from '@docent/base/terminal/confirm';
import { untilInterrupted } from '@docent/cli/interrupt';
import { sparkline } from '@docent/cli/commands/analytics-show';
import { EXIT } from '@docent/base/terminal/failures';
import { table } from '@docent/base/terminal/terminal-text';

describe('the outcome of an import', () => {
  const done = { lines: 9, events: 5, newEvents: 5, uncounted: null, lastTime: null, skipped: new Map() };

  test('distinguishes new from known events, and a second import from a first one', () => {
    expect(outcome(done)).toBe('9 lines read, 5 page views and broken links imported.');
    expect(outcome({ ...done, lines: 1, events: 1, newEvents: 1 })).toBe(
      '1 line read, 1 page view or broken link imported.',
    );
    expect(outcome({ ...done, newEvents: 2 })).toMatch(/imported: 2 new, 3 imported before\.$/);
    expect(outcome({ ...done, newEvents: 0 })).toMatch(/^9 lines read: nothing new\. All 5 /);
    expect(outcome({ ...done, lines: 1, events: 0, newEvents: 0 })).toMatch(/^1 line read: no page view/);
    expect(outcome({ ...done, uncounted: 'No such file.' })).toMatch(/could not be determined: No such file\.$/);
  });

  test('reports the progress of a followed log, and its lag', () => {
    const now = Date.UTC(2026, 10, 22);
    const progress = { ...done, lastTime: now - 3_000 };
    expect(followed(progress, { source: 'a\u001b.log' }, now)).toBe(
      'reading a\\x1b.log: 9 lines, 5 events, 5 new, the newest 3 s old',
    );
    expect(followed({ ...progress, lastTime: now - 90 * 60_000 }, null, now)).toMatch(
      /^waiting for lines: .* 90 min old$/,
    );
    expect(followed(done, null, now)).not.toContain('old');
  });
});

test('a line of bars shows 0 as the lowest bar, and shares bars if there are too many days', () => {
  expect(sparkline([0, 1, 50, 100], 60)).toBe('▁▂▅█');
  expect(sparkline([0, 0], 60)).toBe('▁▁');
  expect(sparkline([], 60)).toBe('');
  expect(
    sparkline(
      Array.from({ length: 365 }, (_, i) => i),
      60,
    ),
  ).toHaveLength(53);
});

test('a table on a narrow terminal cuts its last column, and only there', () => {
  const rows = [['job1', 'A title that is too long for this terminal']];
  const text = table(['ID', 'TITLE'], rows, { columns: 30 });
  expect(text.split('\n').every((line) => line.length <= 30)).toBe(true);
  expect(text).toContain('job1  A title that is too lon…');
  expect(table(['ID', 'TITLE'], rows)).toContain('this terminal');
  expect(
    table(
      ['N', 'X'],
      [
        ['7', 'a'],
        ['10', 'b'],
      ],
      { right: [0] },
    ),
  ).toContain(' 7  a\n10  b');
});

test('scripts, which no one can ask, get a hint about --yes, and nothing is done', async () => {
  await confirm('This deletes all.', { yes: true });
  await expect(confirm('This deletes all.', {})).rejects.toMatchObject({
    message: 'This deletes all. Pass --yes to confirm.',
    exitCode: EXIT.usage,
  });
});

const interrupt = () => process.emit('SIGINT');

async function brokenByTheEnd(signal: AbortSignal) {
  setTimeout(interrupt, 10);
  while (!signal.aborted) await sleep(5);
  throw new Error('Broken by the end of it.');
}

describe('Ctrl-C while a job is followed', () => {
  test('ends the work with words and 130, whatever the work then fails with', async () => {
    await expect(untilInterrupted(() => 'It goes on.', brokenByTheEnd)).rejects.toMatchObject({
      message: 'It goes on.',
      exitCode: 130,
    });
    expect(process.listeners('SIGINT').length).toBe(0);
  });

  test('that npm sends twice is one; a second one ends the process at once', async () => {
    let now = 0;
    const exit = vi.spyOn(process, 'exit').mockImplementation(() => undefined as never);
    const calls: number[] = [];
    const work = async () => {
      for (now of [0, 100, 2_000]) {
        interrupt();
        calls.push(exit.mock.calls.length);
      }
    };
    await expect(
      untilInterrupted(
        () => 'It goes on.',
        work,
        () => now,
      ),
    ).rejects.toThrow('It goes on.');
    expect(calls).toEqual([0, 0, 1]);
    expect(exit).toHaveBeenCalledWith(130);
    exit.mockRestore();
  });
});
