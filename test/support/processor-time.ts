/**
 * Begins to count what is taken of the processor, in milliseconds, by all threads of this process: not of the
 * clock, for others may have the processor.
 */
export function processorClock(): () => number {
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  };
}

/** What some work takes of it. */
export function processorMs(work: () => unknown): number {
  const taken = processorClock();
  work();
  return taken();
}

export const processorSeconds = (work: () => unknown): number => processorMs(work) / 1_000;
