import { expect, test } from 'vitest';
import { untilStopped } from '@docent/base/terminal/until-stopped';

const listeners = () => ['SIGINT', 'SIGTERM'].map((name) => process.listenerCount(name));

test('aborts the work at the first signal, and leaves no listener behind', async () => {
  const before = listeners();
  const reason = new Error('Stopped.');
  const work = untilStopped(async (signal) => {
    process.emit('SIGTERM', 'SIGTERM');
    signal.throwIfAborted();
  }, reason);
  await expect(work).rejects.toBe(reason);
  expect(listeners()).toEqual(before);
});

test('aborts what the work has left open when it ends', async () => {
  const left = await untilStopped(async (signal) => {
    expect(signal.aborted).toBe(false);
    return signal;
  });
  expect(left.aborted).toBe(true);
});
