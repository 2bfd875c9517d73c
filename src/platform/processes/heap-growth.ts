import { setFlagsFromString } from 'node:v8';

/**
 * How much the heap may grow beyond what lives, in percent, before V8 collects all of it. By itself, where
 * the limit is 4 GB, V8 waits until there is up to four times as much: a process under even load grows for an
 * hour.
 */
const GROWTH = '--heap-growing-percent=50';
/** Room for new objects in MB, held twice. By itself V8 takes 64. */
const YOUNG = '--max-semi-space-size=16';

/**
 * Flags of Node for processes that carry out one piece of work at a time, and call {@link boundHeapGrowth}
 * besides.
 */
export const HEAP_FLAGS: readonly string[] = [YOUNG];

/**
 * Bounds what this process takes beside what lives: its growth, from the next collection on, and the room for
 * new objects of threads that it starts later. That of its main thread needs {@link HEAP_FLAGS}, which cost a
 * server some 3 % of its processor. A Node that does not know a flag any more ignores it.
 */
export function boundHeapGrowth(): void {
  for (const flag of [GROWTH, YOUNG]) setFlagsFromString(flag);
}

/**
 * For the environment of a process: the C library keeps what its threads give back in up to eight places for
 * each processor, and returns little of it. Two are enough for what is allocated outside of V8.
 * https://www.gnu.org/software/libc/manual/html_node/Memory-Allocation-Tunables.html
 */
export const FEW_ARENAS = { MALLOC_ARENA_MAX: '2' };
