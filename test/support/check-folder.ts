import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runInside } from './run-inside.ts';

/** A new folder of docs, and `docent check` in it. */
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

  /** `docent check` in this process, with nothing of Docent running and no settings. */
  async check(
    args: string[],
    { env = {}, stdin = '', inside = '' } = {},
  ): Promise<{ code: number; out: string; err: string }> {
    const variables = { PATH: process.env['PATH'] ?? '', NO_COLOR: '1', ...env };
    const surroundings = { input: stdin, cwd: path.join(this.path, inside) };
    const { code, stdout: out, stderr: err } = await runInside(['check', ...args], variables, surroundings);
    return { code, out, err };
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
