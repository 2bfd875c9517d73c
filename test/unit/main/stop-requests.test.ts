import { afterEach, expect, test } from 'vitest';
import { stopRequests } from '../../../src/roles/stop-requests.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const before = new Map(SIGNALS.map((name) => [name, process.listeners(name)]));

afterEach(() => {
  for (const name of SIGNALS)
    for (const listener of process.listeners(name))
      if (!before.get(name)?.includes(listener)) process.off(name, listener);
});

test('Ctrl-C under npm arrives twice and is one request; a second Ctrl-C later means at once', () => {
  let clock = 1_000;
  let kills = 0;
  const stop = stopRequests(() => clock);
  stop.onImpatience(() => (kills += 1));
  process.emit('SIGINT');
  clock += 40;
  process.emit('SIGINT');
  expect(stop.signal.aborted).toBe(true);
  expect(kills).toBe(0);
  clock += 3_000;
  process.emit('SIGINT');
  expect(kills).toBe(1);
});

test.each(SIGNALS)('%s stops', async (name) => {
  const stop = stopRequests();
  process.emit(name);
  await stop.asked;
  expect(stop.signal.aborted).toBe(true);
});
