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

/** The most queries of DuckDB that a process runs at the same time, besides whole listings. */
export const QUERIES_AT_ONCE = 4;
/** The most whole listings at the same time. Each holds a DuckDB connection and its sorted rows. */
export const LISTINGS_AT_ONCE = 16;

/**
 * Threads for files, host names and passwords (Node's default, or one per core), and one for each query of
 * DuckDB, which keeps it until it ends: otherwise, a few slow queries would stop all access to files.
 */
export function poolThreads({ cores } = machine()): number {
  return within(4, cores, 16) + QUERIES_AT_ONCE + LISTINGS_AT_ONCE;
}

function within(least: number, value: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}
