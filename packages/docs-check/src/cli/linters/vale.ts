import { z } from 'zod';
import type { Finding, Linter } from './linter.ts';

/** https://vale.sh/docs/output: findings by file. */
const Output = z.record(
  z.string(),
  z.array(
    z.object({
      Check: z.string(),
      Line: z.number().int().positive(),
      Message: z.string(),
      Severity: z.string(),
      Span: z.array(z.number().int()).optional(),
    }),
  ),
);

const SEVERITIES: Record<string, Finding['severity']> = { error: 'error', warning: 'warning', suggestion: 'notice' };

export const VALE: Linter = {
  code: 'vale',
  title: 'Vale',
  isConfiguration: /^[._]vale\.ini$/,
  programs: () => ['vale'],
  install: 'Install it, so that `vale` is on the PATH (https://vale.sh/docs/install), and run `vale sync`',
  runsAtConfiguration: () => true,
  args: (_program, files) => ['--output=JSON', '--no-wrap', ...files.map((file) => `./${file}`)],
  countsCharacters: true,
  isCausedByRule: false,
  /** It ends with 1 if it has found errors, and with 2 if it failed. */
  read(_program, { code, stdout }) {
    if (code !== 0 && code !== 1) return null;
    const result = Output.safeParse(jsonOf(stdout));
    if (!result.success) return null;
    return Object.entries(result.data).flatMap(([file, alerts]) =>
      alerts.map(({ Check, Line, Message, Severity, Span }) => ({
        file,
        line: Line,
        ...(Span?.[0] !== undefined && Span[0] > 0 && { column: Span[0] }),
        rule: Check,
        message: `${Check}: ${Message}`,
        severity: SEVERITIES[Severity] ?? 'warning',
      })),
    );
  },
};

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text.trim() === '' ? '{}' : text);
  } catch {
    return undefined;
  }
}
