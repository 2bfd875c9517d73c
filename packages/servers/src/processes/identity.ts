import { execFile } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Distinguishes processes with one number by start time and boot. Null for none and for zombies. */
export async function identityOf(pid: number): Promise<string | null> {
  return process.platform === 'linux' ? linuxIdentity(pid) : psIdentity(pid);
}

function linuxIdentity(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command's name (second field) may hold spaces and brackets: count from its closing bracket.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state] = fields;
    const startTime = fields[19];
    if (state === 'Z' || state === 'X' || startTime === undefined) return null;
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot}/${startTime}`;
  } catch {
    return null; // No such process (or it ended while being read).
  }
}

async function psIdentity(pid: number): Promise<string | null> {
  try {
    const { stdout } = await run('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], {
      env: { LC_ALL: 'C', PATH: '/bin:/usr/bin' },
    });
    const [state, ...started] = stdout.trim().split(/\s+/);
    return state === undefined || state.startsWith('Z') || started.length === 0 ? null : started.join(' ');
  } catch {
    return null; // `ps` exits with 1 where there is no such process.
  }
}

/** The command line of a running process, as one text; empty if it cannot be read. */
export async function commandLineOf(pid: number): Promise<string> {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    const { stdout } = await run('ps', ['-o', 'args=', '-p', String(pid)]);
    return stdout;
  } catch {
    return '';
  }
}

/** A running process's working folder; null if unknown, as on other systems than Linux. */
export function workingFolderOf(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return null; // It has ended, or there is no /proc.
  }
}
