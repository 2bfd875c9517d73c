import { spawnSync } from 'node:child_process';
import path from 'node:path';

/** The output of `docent check --json`. */
export interface CheckReport {
  site: { kind: string };
  pages: number;
  problems: { path: string; line: number; code: string; message: string; severity: string; target?: string }[];
}

const CLI = path.join(import.meta.dirname, '..', '..', 'src', 'cli', 'main.ts');

/** Runs `docent check` of this checkout. @throws Error if it could not check */
export function runCheck(folder: string, options: readonly string[] = []): CheckReport {
  const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, 'check', folder, '--json', ...options], {
    maxBuffer: 2 ** 30,
    encoding: 'utf8',
  });
  if (status !== 0 && status !== 1) throw new Error(`docent check ended with ${status}: ${stderr}`);
  return JSON.parse(stdout) as CheckReport;
}
