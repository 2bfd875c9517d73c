import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { BARE_ENV } from './bare-env.ts';
import type { WarmCommand } from './warm-command.ts';

/** Runs a command that never ends, and presses Ctrl-C as soon as it waits for lines. */
const UNTIL_IT_WAITS = `until_it_waits() {
  "$@" >"$HOME/waits" 2>&1 &
  while kill -0 $! && ! grep -q 'waiting for lines' "$HOME/waits"; do sleep 0.1; done
  kill -INT $!
  wait $! || { cat "$HOME/waits"; return 1; }
  cat "$HOME/waits"
}`;

/** A terminal in a fresh home: what one block exports, the next one has. */
export class Shell {
  readonly folder: string;
  readonly #home: string;
  readonly #plain: Record<string, string>;
  readonly #state: string;

  /**
   * @param root where `home` and `checkout` are
   * @param command what `docent` is
   * @param options `plain`: variables that are not exported
   */
  constructor(
    root: string,
    command: WarmCommand,
    options: { plain?: Record<string, string>; folder?: string | undefined } = {},
  ) {
    this.folder = options.folder ?? path.join(root, 'checkout');
    this.#home = path.join(root, 'home');
    this.#plain = options.plain ?? {};
    this.#state = path.join(root, 'exported');
    writeFileSync(this.#state, '');
    if (existsSync(this.#home)) return;
    mkdirSync(this.#home);
    // Before the linked command in the path, which is a process for each command.
    mkdirSync(path.join(this.#home, 'quick'));
    writeFileSync(path.join(this.#home, 'quick', 'docent'), command.script, { mode: 0o755 });
    writeFileSync(path.join(this.#home, '.npmrc'), `prefix=${this.#home}/.local\naudit=false\nupdate-notifier=false\n`);
    // As at a terminal, where the progress that curl prints does not mix with the answer.
    writeFileSync(path.join(this.#home, '.curlrc'), 'silent\nshow-error\n');
    writeFileSync(path.join(this.#home, '.gitconfig'), '[user]\nname = A Person\nemail = person@example.org\n');
  }

  /** Stops at the first command that fails. The output is both streams, as they came. */
  async run(
    block: string,
    variables: Record<string, string> = {},
    exported: Record<string, string> = {},
  ): Promise<{ output: string; code: number }> {
    const plain = Object.entries({ ...this.#plain, ...variables }).map(([name, value]) => `${name}='${value}'`);
    const script = [
      'set -eo pipefail',
      'exec 2>&1',
      UNTIL_IT_WAITS,
      ...plain,
      `. '${this.#state}'`,
      block,
      `export -p > '${this.#state}'`,
    ].join('\n');
    const child = spawn('bash', ['-c', script], {
      cwd: this.folder,
      env: {
        ...BARE_ENV,
        HOME: this.#home,
        PATH: [`${this.#home}/quick`, `${this.#home}/.local/bin`, path.dirname(process.execPath), BARE_ENV.PATH].join(
          path.delimiter,
        ),
        DOCENT_HOME: path.join(path.dirname(this.#home), 'checkout', '.docent'),
        DOCENT_ANALYTICS_DIR: path.join(path.dirname(this.#home), 'checkout', '.docent', 'analytics'),
        ...exported,
      },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [output, code] = await Promise.all([
      text(child.stdout),
      new Promise<number>((resolve, reject) => {
        child.once('error', reject);
        child.once('close', (status) => resolve(status ?? 1));
      }),
    ]);
    return { output, code };
  }
}
