import { expect, test } from 'vitest';
import { childrenAtOnce, duckThreads, poolThreads, stepsAtOnce } from '../../../src/platform/processes/pool-sizes.ts';

function sizes(cores: number, gigabytes: number): number[] {
  const machine = { cores, gigabytes };
  return [childrenAtOnce(machine), duckThreads(512, machine), stepsAtOnce(machine), poolThreads(machine)];
}

test('a larger machine is used, and a small one is not asked for more than it has', () => {
  expect(sizes(1, 1)).toEqual([2, 2, 10, 24]);
  expect(sizes(2, 8)).toEqual([2, 2, 10, 24]);
  expect(sizes(8, 8)).toEqual([4, 4, 40, 28]);
  expect(sizes(64, 256)).toEqual([8, 4, 40, 36]);
  expect(duckThreads(4_096, { cores: 64, gigabytes: 256 })).toBe(16);
});
