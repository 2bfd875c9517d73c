import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { patienceMs } from './patience.ts';

/**
 * Runs a program on a pseudo-terminal of 80 columns: what comes in is typed, what it shows goes out, SIGTERM
 * is passed on, its exit code is ours.
 */
const ON_TERMINAL = `
import fcntl, os, pty, select, signal, struct, sys, termios
pid, master = pty.fork()
if pid == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, int(os.environ.get("TEST_COLUMNS", "80")), 0, 0))
    os.execvp(sys.argv[1], sys.argv[1:])
signal.signal(signal.SIGTERM, lambda *_: os.kill(pid, signal.SIGTERM))
sources = [0, master]
while True:
    ready, _, _ = select.select(sources, [], [])
    if 0 in ready:
        typed = os.read(0, 4096)
        if typed: os.write(master, typed)
        else: sources.remove(0)
    if master in ready:
        try: shown = os.read(master, 4096)
        except OSError: break
        if not shown: break
        os.write(1, shown)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) % 256)
`;

/** Whether terminals can be had here: Python's standard library makes them. */
export const HAS_TERMINALS = spawnSync('python3', ['-c', 'import pty']).status === 0;

/** A command that runs another one on a terminal. */
export function terminalCommand(command: readonly string[]): string[] {
  return ['python3', '-c', ON_TERMINAL, ...command];
}

/** A program on a terminal. */
export function onTerminal(command: string[], env: NodeJS.ProcessEnv) {
  const [program = '', ...words] = terminalCommand(command);
  const child = spawn(program, words, { env: { TERM: 'xterm', ...env }, stdio: 'pipe' });
  let shown = '';
  child.stdout.on('data', (chunk: Buffer) => (shown += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (shown += chunk.toString()));
  const ended = once(child, 'close') as Promise<[number | null]>;
  return {
    /** All that was shown so far. */
    shown: () => shown,
    type: (text: string) => child.stdin.write(text),
    async sees(what: string | RegExp, withinMs = patienceMs()): Promise<void> {
      const until = performance.now() + withinMs;
      while (!(typeof what === 'string' ? shown.includes(what) : what.test(shown))) {
        if (performance.now() > until) throw new Error(`${String(what)} was not shown, but:\n${shown}`);
        await sleep(30);
      }
    },
    async ends(): Promise<{ code: number | null; shown: string }> {
      const [code] = await ended;
      return { code, shown };
    },
    kill: () => child.kill('SIGKILL'),
  };
}
