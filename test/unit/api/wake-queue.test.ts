import { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { WakeQueue } from '../../../src/api/wake-queue.ts';
import { createLogger } from '../../../src/platform/log.ts';

function logged() {
  let text = '';
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += chunk.toString();
      done();
    },
  });
  return { log: createLogger({ level: 'debug', name: 'test' }, sink), lines: () => text.trim().split('\n') };
}

describe('the calls to Temporal behind the answers', () => {
  test('are four at once at most, in order, and all are made', async () => {
    const wakes = new WakeQueue(logged().log);
    let atOnce = 0;
    let most = 0;
    const sent: number[] = [];
    for (let n = 0; n < 40; n += 1) {
      wakes.add(async () => {
        most = Math.max(most, (atOnce += 1));
        sent.push(n);
        await sleep(2);
        atOnce -= 1;
      });
    }
    expect(sent, 'nothing is sent before the caller has gone on').toEqual([]);
    await wakes.close(10_000);
    expect(most).toBe(4);
    expect(sent).toEqual(Array.from({ length: 40 }, (_, n) => n));
  });

  test('that are too many are left to the reconciler, which is reported once', async () => {
    const { log, lines } = logged();
    const wakes = new WakeQueue(log, { maxWaiting: 10 });
    const hold = Promise.withResolvers<void>();
    let sent = 0;
    const add = () =>
      wakes.add(async () => {
        await hold.promise;
        sent += 1;
      });
    for (let n = 0; n < 50; n += 1) add();
    hold.resolve();
    await wakes.close(10_000);
    expect(sent).toBe(14);
    expect(lines().filter((line) => line.includes('slower than the requests'))).toHaveLength(1);
  });

  test('that fail are logged where the request is, and do not affect others', async () => {
    const queue = logged();
    const request = logged();
    const wakes = new WakeQueue(queue.log);
    wakes.add(() => Promise.reject(new Error('14 UNAVAILABLE')), request.log);
    let sent = false;
    wakes.add(async () => void (sent = true));
    await wakes.close(10_000);
    expect(sent).toBe(true);
    expect(request.lines().join()).toContain('14 UNAVAILABLE');
    expect(queue.lines().join()).toBe('');
  });

  test('hold up the end of the process for a bounded time', async () => {
    const { log, lines } = logged();
    const wakes = new WakeQueue(log);
    let begun = 0;
    for (let n = 0; n < 9; n += 1) {
      wakes.add(() => {
        begun += 1;
        return new Promise(() => {});
      });
    }
    await wakes.close(50);
    expect(begun).toBe(4);
    expect(JSON.parse(lines().at(-1) ?? '{}')).toMatchObject({ left: 9 });
  });
});
