import { processorMs } from './processor-time.ts';

/** What {@link work} takes of a processor of the machines on which the limits of test files were chosen. */
const USUAL_MS = 7;
const TIMES = 9;

/**
 * How many times slower than usual this machine is now; at least 1. Other users of a processor slow it down: the same
 * test file took 2.8 s and, two hours later, 5.0 s of processor time.
 */
export function slowness(): number {
  const taken = Array.from({ length: TIMES }, () => processorMs(work)).toSorted((a, b) => a - b);
  return Math.max(1, taken[Math.floor(TIMES / 2)]! / USUAL_MS);
}

function work(): number {
  const counts = new Map<string, number>();
  let sum = 0;
  for (let i = 0; i < 40_000; i++) {
    counts.set(`k${i % 500}`, i);
    sum += counts.get(`k${(i * 7) % 500}`) ?? 0;
  }
  return sum;
}
