import { readdir, readFile } from 'node:fs/promises';

/** Ticks of a second in /proc; 100 on every Linux that Node runs on. */
const TICKS = 100;

/**
 * Processor time that another process has taken so far, in seconds; null if the system does not report it
 * (only Linux does).
 */
export async function processorSeconds(pid: number | undefined): Promise<number | null> {
  const stat = await readProc(pid, 'stat');
  // The second field is the program's name in brackets, which may hold spaces.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields ? (Number(fields[11]) + Number(fields[12])) / TICKS : null;
}

/**
 * Processor time of a process and of all that descend from it, in seconds: those that live, and those that
 * have ended and were waited for. 0 if the system does not report it.
 */
export async function familySeconds(pid: number | undefined): Promise<number> {
  const stat = await readProc(pid, 'stat');
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? [];
  const own = fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS;
  const tasks = await readdir(`/proc/${pid}/task`).catch(() => []);
  const children = await Promise.all(tasks.map((task) => readProc(pid, `task/${task}/children`)));
  const pids = children.flatMap((text) => (text ?? '').split(' ').filter(Boolean).map(Number));
  const theirs = await Promise.all(pids.map(familySeconds));
  return theirs.reduce((sum, seconds) => sum + seconds, own);
}

/** The peak memory of another process, in bytes; null if the system does not report it. */
export async function peakMemory(pid: number | undefined): Promise<number | null> {
  const match = /^VmHWM:\s+(\d+) kB/m.exec((await readProc(pid, 'status')) ?? '');
  return match ? Number(match[1]) * 1_024 : null;
}

/**
 * Private memory of another process, without files, in bytes; null if the system does not report it.
 */
export async function ownMemory(pid: number | undefined): Promise<number | null> {
  const match = /^Pss_Anon:\s+(\d+) kB/m.exec((await readProc(pid, 'smaps_rollup')) ?? '');
  return match ? Number(match[1]) * 1_024 : null;
}

async function readProc(pid: number | undefined, name: string): Promise<string | null> {
  try {
    return await readFile(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return null;
  }
}

/** Milliseconds by the clock, and of this process's processor time. */
export interface Took {
  wallMs: number;
  cpuMs: number;
}

export async function took(work: () => Promise<unknown>): Promise<Took> {
  const [cpu, startedAt] = [process.cpuUsage(), performance.now()];
  await work();
  const { user, system } = process.cpuUsage(cpu);
  return { wallMs: performance.now() - startedAt, cpuMs: (user + system) / 1_000 };
}
