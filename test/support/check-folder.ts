import { execFile, execFileSync, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CLI } from './processes.ts';

/** A new folder of docs, and `docent check` in it as a person or a CI system starts it. */
export class CheckFolder {
  readonly path = mkdtempSync(path.join(tmpdir(), 'docent-check-'));

  write(files: Record<string, string>): void {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(this.path, name)), { recursive: true });
      writeFileSync(path.join(this.path, name), text);
    }
  }

  git(...args: string[]): string {
    const as = ['-c', 'user.name=A', '-c', 'user.email=a@example.org'];
    return execFileSync('git', [...as, ...args], {
      cwd: this.path,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  /** With nothing of Docent running and no settings. */
  check(
    args: string[],
    { env = {}, stdin = '', inside = '' } = {},
  ): Promise<{ code: number; out: string; err: string }> {
    return new Promise((resolve) => {
      const child: ChildProcess = execFile(
        process.execPath,
        [CLI, 'check', ...args],
        { cwd: path.join(this.path, inside), env: { PATH: process.env['PATH'] ?? '', NO_COLOR: '1', ...env } },
        (error, out, err) => resolve({ code: error ? Number(error.code) : 0, out, err }),
      );
      child.stdin?.end(stdin);
    });
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
