import { availableParallelism, totalmem } from 'node:os';

const GIGABYTE = 2 ** 30;

/** What this process may use: within a container, no more than it was given. */
const machine = () => ({
  cores: availableParallelism(),
  gigabytes: Math.min(process.constrainedMemory() || Infinity, totalmem()) / GIGABYTE,
});

/**
 * Child processes of one kind that a process keeps: one for each core, and half of the memory is enough for
 * all of them at the size of a large repository. At least two: one may wait for a slow server.
 */
export function childrenAtOnce({ cores, gigabytes } = machine()): number {
  return within(2, Math.min(cores, Math.floor(gigabytes / 2)), 8);
}

/**
 * Threads with which DuckDB answers a question or merges: one for each core, within what the memory it is
 * given can serve.
 */
export function duckThreads(memoryMb: number, { cores } = machine()): number {
  return within(2, Math.min(cores, Math.floor(memoryMb / 128)), 16);
}

/** Steps of jobs that one worker works on at once, most of which wait for models. */
export function stepsAtOnce({ cores } = machine()): number {
  return within(10, 5 * cores, 40);
}

/** Threads for files, names of hosts and passwords: those of Node by default, or one for each core. */
export function fileThreads({ cores } = machine()): number {
  return within(4, cores, 16);
}

function within(least: number, value: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}
