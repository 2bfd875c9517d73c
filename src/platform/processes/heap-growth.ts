import { setFlagsFromString } from 'node:v8';

/** Heap growth in percent before a full collection; by default up to four times the live heap. */
const GROWTH = '--heap-growing-percent=50';
/** Room for new objects in MB, held twice. V8's default is 64. */
const YOUNG = '--max-semi-space-size=16';

/** For processes that do one thing at a time, together with {@link boundHeapGrowth}. */
export const HEAP_FLAGS: readonly string[] = [YOUNG];

/**
 * Limits this process's memory beyond live objects: heap growth from the next collection on, and the room for
 * new objects of later threads. The main thread needs {@link HEAP_FLAGS}, which cost a server about 3 % of
 * its processor. A Node that no longer has a flag ignores it.
 */
export function boundHeapGrowth(): void {
  for (const flag of [GROWTH, YOUNG]) setFlagsFromString(flag);
}

/**
 * For a process's environment: the C library keeps freed memory of threads in up to eight arenas per
 * processor, and returns little of it. Two are enough for allocations outside V8.
 * https://www.gnu.org/software/libc/manual/html_node/Memory-Allocation-Tunables.html
 */
export const FEW_ARENAS = { MALLOC_ARENA_MAX: '2' };
