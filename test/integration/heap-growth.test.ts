import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { HEAP_FLAGS } from '../../src/platform/processes/heap-growth.ts';

const CHURN = new URL('../support/churn-process.ts', import.meta.url).pathname;
const peaks = async (flags: readonly string[], ...words: string[]) => {
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, CHURN, ...words]);
  return JSON.parse(stdout) as { young: number; old: number };
};

// Without them: 68 to 128 MB for young objects.
test('a process with the flags takes little room for new objects', async () => {
  expect((await peaks(HEAP_FLAGS)).young).toBeLessThan(50);
});

// Without it: 120 to 180 MB for old objects.
test('a role that was started without the flags limits the memory of its threads', async () => {
  const { young, old } = await peaks([], 'bound', 'thread');
  expect(young).toBeLessThan(50);
  expect(old).toBeLessThan(100);
});
