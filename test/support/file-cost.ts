/**
 * A setup file of all test projects: records the processor time of each test file, for the reporter in
 * `cost-reporter.ts`.
 */
import { readFileSync } from 'node:fs';
import { afterAll } from 'vitest';
import { slowness } from './slowness.ts';

declare module 'vitest' {
  interface TaskMeta {
    /**
     * Processor time since the file began, of its process and of the children that have ended, in seconds.
     */
    cpuSeconds?: number;
    /** How many times slower than usual the machine was then; only for files that are not cheap. */
    slowness?: number;
  }
}

const CHEAP_SECONDS = 4;
/** Several files share a process if the project is not isolated. */
const before = cpuSeconds();

/** Registered before all hooks of the file, so it runs after them. */
// oxlint-disable-next-line no-empty-pattern -- vitest reads the names of fixtures from here
afterAll(({}, suite) => {
  const { meta } = suite.file;
  meta.cpuSeconds = cpuSeconds() - before;
  // Finding out takes a tenth of a second.
  if (meta.cpuSeconds > CHEAP_SECONDS) meta.slowness = slowness();
});

/** Linux counts the children that were waited for; elsewhere only this process is counted. */
function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6 + endedChildrenSeconds();
}

function endedChildrenSeconds(): number {
  if (process.platform !== 'linux') return 0;
  // proc_pid_stat(5): fields 16 and 17, cutime and cstime, in ticks of a hundredth of a second.
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) / 100;
}
