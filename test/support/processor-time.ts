/** What some work takes of the processor, in milliseconds, of all threads of this process: not of the clock, for others may have the processor. */
export function processorMs(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
