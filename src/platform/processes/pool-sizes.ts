import { availableParallelism, totalmem } from 'node:os';

const GIGABYTE = 2 ** 30;

/** The resources of this process, within the limits of its container. */
const machine = () => ({
  cores: availableParallelism(),
  gigabytes: Math.min(process.constrainedMemory() || Infinity, totalmem()) / GIGABYTE,
});

/** One child per core, within half of the memory; at least two, since one may wait for a server. */
export function childrenAtOnce({ cores, gigabytes } = machine()): number {
  return within(2, Math.min(cores, Math.floor(gigabytes / 2)), 8);
}

/** DuckDB's threads for queries and merges: one per core, as far as its memory allows. */
export function duckThreads(memoryMb: number, { cores } = machine()): number {
  return within(2, Math.min(cores, Math.floor(memoryMb / 128)), 16);
}

/** Parallel job steps of one worker; most of them wait for models. */
export function stepsAtOnce({ cores } = machine()): number {
  return within(10, 5 * cores, 40);
}

/** Threads for files, host names and passwords: Node's default, or one per core. */
export function fileThreads({ cores } = machine()): number {
  return within(4, cores, 16);
}

function within(least: number, value: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}
