import { execFileSync, spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { identityOf } from '@docent/servers/processes/identity';
import { BARE_ENV, BUILT_PROCESSES } from './bare-env.ts';
import { readRunFile, type RunFile } from '../../src/start/home.ts';
import { patienceMs, until } from './patience.ts';

export const ROOT = path.join(import.meta.dirname, '..', '..');
/**
 * Arguments for Node, before a program that is not the command line: its imports are cheap then, as the
 * command line's are.
 */
export const QUICKLY = ['--import', path.join(import.meta.dirname, 'quicken.ts')];
/** A process of `test/support`, as a bundle that the run has built before. */
export const builtProcess = (name: string): string => path.join(BUILT_PROCESSES, `${name}.js`);
/** The program of this checkout. */
export const SOURCES = path.join(ROOT, 'src', 'cli', 'main.ts');
/** The same as few files, which start in half the processor time. */
export const BUILT = path.join(ROOT, 'dist', 'cli', 'main.js');
/** What tests start: what the run has built before, else the sources. */
export const CLI = path.resolve(ROOT, process.env.DOCENT_TEST_PROGRAM ?? SOURCES);

/** `docent start` on a home, as a person runs it. */
export class StartedDocent {
  readonly home: string;
  readonly child: ChildProcess;
  #output = '';

  constructor(
    home: string,
    options: { args?: string[]; command?: string[]; env?: Record<string, string>; spawn?: SpawnOptions } = {},
  ) {
    this.home = home;
    const [command = process.execPath, ...args] = options.command ?? [process.execPath, CLI, 'start'];
    this.child = spawn(command, [...args, '--home', home, ...(options.args ?? ['--port', '0'])], {
      cwd: ROOT,
      env: { ...BARE_ENV, HOME: home, ...cacheVariables(), ...options.env },
      ...options.spawn,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.child.stdout, this.child.stderr])
      stream?.on('data', (chunk: Buffer) => (this.#output += chunk.toString()));
  }

  get output(): string {
    return this.#output;
  }

  get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** What it reported in run.json. Rejects with its output when it ends instead. */
  async ready(withinMs = patienceMs()): Promise<RunFile> {
    let run: RunFile | null = null;
    await this.until(
      'it runs',
      () => {
        run = readRunFile(this.home);
        if (this.hasEnded) throw new Error(`It ended:\n${this.output}`);
        return run !== null && this.output.includes('Docent is running.');
      },
      withinMs,
    );
    return run as unknown as RunFile;
  }

  async ended(withinMs = patienceMs()): Promise<number | NodeJS.Signals | null> {
    await this.until('it ends', () => this.hasEnded, withinMs);
    return this.child.signalCode ?? this.child.exitCode;
  }

  until(what: string, isTrue: () => boolean | Promise<boolean>, withinMs = patienceMs()): Promise<void> {
    return until(what, isTrue, withinMs, () => `. It printed:\n${this.output}`);
  }

  /** The process id of a part, as the record in the home has it. */
  pidOf(part: string): number {
    const file = path.join(this.home, 'processes.json');
    const wards = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { name: string; pid: number }[]) : [];
    const pid = wards.find(({ name }) => name === part)?.pid;
    if (pid === undefined) throw new Error(`There is no ${part}.`);
    return pid;
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    if (!this.hasEnded) this.child.kill(signal);
    await this.ended();
  }
}

/** The developer's own cache: a server need not be built for a test that has another HOME. */
export function cacheVariables(): Record<string, string> {
  return { XDG_CACHE_HOME: process.env.XDG_CACHE_HOME ?? path.join(process.env.HOME ?? '/root', '.cache') };
}

/** All processes that descend from one, whatever their process group. */
export function descendantsOf(pid: number): number[] {
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  const pairs = rows.map((row) => row.trim().split(/\s+/).map(Number));
  const below = (parent: number): number[] =>
    pairs.flatMap(([child = 0, itsParent]) => (itsParent === parent ? [child, ...below(child)] : []));
  return below(pid);
}

/** Those that are still there, zombies not counted. */
export async function survivorsOf(pids: readonly number[]): Promise<number[]> {
  const alive = await Promise.all(pids.map(async (pid) => ((await identityOf(pid)) === null ? [] : [pid])));
  return alive.flat();
}
