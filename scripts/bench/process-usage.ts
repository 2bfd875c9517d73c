import { readFile } from 'node:fs/promises';

/** Ticks of a second in /proc; 100 on every Linux that Node runs on. */
const TICKS = 100;

/** Processor time that another process has taken so far, in seconds; null where the system does not tell (no Linux). */
export async function processorSeconds(pid: number | undefined): Promise<number | null> {
  const stat = await readProc(pid, 'stat');
  // The second field is the program's name in brackets, which may hold spaces.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields ? (Number(fields[11]) + Number(fields[12])) / TICKS : null;
}

/** The most memory that another process has had, in bytes; null where the system does not tell. */
export async function peakMemory(pid: number | undefined): Promise<number | null> {
  const match = /^VmHWM:\s+(\d+) kB/m.exec((await readProc(pid, 'status')) ?? '');
  return match ? Number(match[1]) * 1_024 : null;
}

async function readProc(pid: number | undefined, name: string): Promise<string | null> {
  try {
    return await readFile(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return null;
  }
}
