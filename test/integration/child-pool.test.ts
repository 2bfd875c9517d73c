import { existsSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { ChildPool } from '../../src/platform/children/child-pool.ts';

const IDLE_MS = 1_000;
let pool: ChildPool | undefined;

afterEach(() => pool?.close());

test.runIf(existsSync('/proc/self'))(
  'a child that nobody wants is ended, gives its memory back, and is there again for the next call',
  async () => {
    pool = new ChildPool({
      entry: new URL('../support/pid-child-process.ts', import.meta.url),
      size: 1,
      environment: {},
      recycleAbove: 1e12,
      killAbove: 1e12,
      timeLimitMs: 60_000,
      idleMs: IDLE_MS,
      reviveError: (error) => new Error(error.message),
    });
    const first = await pool.run('pid', {});
    expect(await pool.run('pid', {})).toBe(first);
    await expect.poll(() => existsSync(`/proc/${first as number}`)).toBe(false);
    expect(await pool.run('pid', {})).not.toBe(first);
  },
  60_000,
);
