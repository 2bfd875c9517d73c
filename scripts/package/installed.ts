import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { lstat, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

export interface RunningDocent {
  /** How long it took to be ready, in words. */
  times: string;
  /** What each of its processes holds, shared memory in shares (PSS), in words. Linux only. */
  memory(): Promise<string>;
  stop(): Promise<void>;
}

/** @returns what it printed @throws with what it printed on standard error */
export async function run(
  program: string,
  words: string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<string> {
  try {
    return (await promisify(execFile)(program, words, { ...options, maxBuffer: 64 * 1024 * 1024 })).stdout;
  } catch (err) {
    const { stdout = '', stderr = '' } = err as { stdout?: string; stderr?: string };
    throw new Error(`${[program, ...words].join(' ')} failed:\n${stdout}${stderr}`, { cause: err });
  }
}

/** Starts everything, and waits until it is ready. */
export async function startDocent(
  program: string,
  { home, env }: { home: string; env: NodeJS.ProcessEnv },
): Promise<RunningDocent> {
  const began = performance.now();
  const child = spawn(process.execPath, [program, 'start', '--home', home, '--port', '0'], {
    cwd: env.HOME,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const seen: string[] = [];
  const at = new Map<string, number>();
  let ready = false;
  for await (const line of createInterface({ input: child.stdout })) {
    seen.push(line);
    const step = /^(.) (PostgreSQL|Temporal server)$/.exec(line.trim());
    // Shown when it begins, and again when it is done.
    if (step) at.set(`${at.has(`begin ${step[2]}`) ? 'end' : 'begin'} ${step[2]}`, performance.now());
    if (!line.includes('Docent is running.')) continue;
    ready = true;
    break;
  }
  if (!ready) throw new Error(`docent start ended:\n${seen.join('\n')}`);
  child.stdout.resume();
  const whole = performance.now() - began;
  const begins = ['PostgreSQL', 'Temporal server'].map((name) => at.get(`begin ${name}`) ?? NaN);
  const ends = ['PostgreSQL', 'Temporal server'].map((name) => at.get(`end ${name}`) ?? NaN);
  const services = Math.max(...ends) - Math.min(...begins);
  return {
    times: `${seconds(whole)}, of which PostgreSQL and Temporal took ${seconds(services)}: ${seconds(whole - services)} of its own`,
    memory: () => memoryBelow(child.pid!),
    async stop() {
      child.kill('SIGINT');
      await exited;
    },
  };
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

/** What it takes on the disk: a file with two names counts once. */
export async function bytesIn(place: string, known = new Set<number>()): Promise<number> {
  const found = await lstat(place);
  if (!found.isDirectory()) {
    if (known.has(found.ino)) return 0;
    known.add(found.ino);
    return found.blocks * 512;
  }
  let sum = 0;
  for (const name of await readdir(place)) sum += await bytesIn(path.join(place, name), known);
  return sum;
}

async function memoryBelow(root: number): Promise<string> {
  const parents = new Map<number, number>();
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
    parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
  }
  const isBelow = (pid: number): boolean => pid === root || (pid > 1 && isBelow(parents.get(pid) ?? 0));
  const sums = new Map<string, number>();
  for (const pid of [...parents.keys()].filter(isBelow)) {
    const [words = '', rollup = ''] = await Promise.all([
      textOf(`/proc/${pid}/cmdline`),
      textOf(`/proc/${pid}/smaps_rollup`),
    ]);
    const kilobytes = Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0);
    const part = partOf(words.replaceAll('\0', ' ').trim());
    sums.set(part, (sums.get(part) ?? 0) + kilobytes);
  }
  const all = [...sums.values()].reduce((sum, size) => sum + size, 0);
  const parts = [...sums].toSorted(([, a], [, b]) => b - a).map(([part, size]) => `${part} ${Math.round(size / 1024)}`);
  return `${Math.round(all / 1024)} MB (${parts.join(', ')})`;
}

function partOf(words: string): string {
  if (words.includes('postgres')) return 'PostgreSQL';
  if (words.includes('start-dev')) return 'Temporal';
  return /cli\.js (api|worker)/.exec(words)?.[1] ?? (words.includes('reaper') ? 'reaper' : 'start');
}

function textOf(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => '');
}
