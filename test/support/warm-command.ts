import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import path from 'node:path';
import { CLI } from './processes.ts';
import { runInside } from './run-inside.ts';

/** The words of a NUL-separated file. */
const wordsIn = (file: string) => readFileSync(file, 'utf8').split('\0').slice(0, -1);

/**
 * Carries out the commands of shells in this process, in which the code is loaded: starting a process takes
 * ten times the processor time of most commands.
 */
export class WarmCommand {
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<WarmCommand> {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', (folder) => {
        answer(folder.toString().trim(), socket).catch(() => socket.destroy());
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new WarmCommand(server);
  }

  async close(): Promise<void> {
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /**
   * A program that is used as `docent`. A command that reads its standard input, or is ended with Ctrl-C, has
   * its own process.
   */
  get script(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `#!/bin/bash
if [ -p /dev/stdin ] || [ -f /dev/stdin ] || [[ " $* " == *" --follow "* ]]; then
  exec '${process.execPath}' '${CLI}' "$@"
fi
asked=$(mktemp -d)
printf '%s\\0' docent "$@" >"$asked/words"
env -0 >"$asked/variables"
printf '%s\\0' "$PWD" >"$asked/folder"
exec 3<>/dev/tcp/127.0.0.1/${port}
printf '%s\\n' "$asked" >&3
read -r code <&3
if [ /dev/stdout -ef /dev/stderr ]; then
  cat "$asked/both"
else
  cat "$asked/stdout"
  cat "$asked/stderr" >&2
fi
rm -r "$asked"
exit "$code"
`;
  }
}

/** Writes what a command prints to the folder, and reports its exit code. */
async function answer(folder: string, socket: Socket): Promise<void> {
  const [cwd = '/'] = wordsIn(path.join(folder, 'folder'));
  const env = Object.fromEntries(wordsIn(path.join(folder, 'variables')).map((line) => splitOnce(line)));
  const result = await runInside(wordsIn(path.join(folder, 'words')).slice(1), env, { cwd });
  for (const name of ['stdout', 'stderr', 'both'] as const) writeFileSync(path.join(folder, name), result[name]);
  socket.end(`${result.code}\n`);
}

function splitOnce(line: string): [string, string] {
  const at = line.indexOf('=');
  return [line.slice(0, at), line.slice(at + 1)];
}
