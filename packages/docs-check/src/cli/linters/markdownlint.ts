import { z } from 'zod';
import type { Finding, Linter } from './linter.ts';
import type { Ran } from './run-program.ts';

const CLI2 = 'markdownlint-cli2';

/** The standard error of `markdownlint --json`. */
const Output = z.array(
  z.object({
    fileName: z.string(),
    lineNumber: z.number().int().positive(),
    ruleNames: z.array(z.string()).min(1),
    ruleDescription: z.string(),
    errorDetail: z.string().nullish(),
    errorContext: z.string().nullish(),
    errorRange: z.array(z.number().int()).nullish(),
    severity: z.string().nullish(),
  }),
);

/**
 * The output of markdownlint-cli2: `docs/a.md:3:81 error MD013/line-length Line length [Expected: 80; Actual:
 * 95]`
 */
const LINE = /^(.+?):(\d+)(?::(\d+))? (?:(error|warning) )?([^\s/]+)((?:\/\S+)?) (.+)$/;

export const MARKDOWNLINT: Linter = {
  code: 'markdownlint',
  title: 'markdownlint',
  isConfiguration: /^\.markdownlint(?:-cli2)?\.(?:jsonc?|ya?ml|[cm]js)$/,
  programs: (configurations) =>
    configurations.some((file) => file.includes('-cli2.')) ? [CLI2] : [CLI2, 'markdownlint'],
  install: 'Install it with `npm install --save-dev markdownlint-cli2`',
  runsAtConfiguration: (program) => program !== CLI2,
  args: (program, files) =>
    // With a leading colon: the file of that name, whatever characters it has. Files named in its
    // configuration are not requested.
    program === CLI2
      ? ['--no-globs', ...files.map((file) => `:${file}`)]
      : ['--json', '--', ...files.map((file) => `./${file}`)],
  countsCharacters: false,
  isCausedByRule: true,
  read: (program, ran) => (program === CLI2 ? linesOf(ran) : listOf(ran)),
};

/** It ends with 1 if it has found something. */
function linesOf({ code, stderr }: Ran): Finding[] | null {
  if (code !== 0 && code !== 1) return null;
  const found = stderr.split(/\r?\n/).flatMap((text): Finding[] => {
    const [, file, line, column, severity, rule, alias, message] = LINE.exec(text) ?? [];
    if (file === undefined || rule === undefined) return [];
    return [
      {
        file,
        line: Number(line),
        ...(column !== undefined && { column: Number(column) }),
        rule,
        message: `${rule}${alias}: ${message}`,
        severity: severity === 'warning' ? 'warning' : 'error',
      },
    ];
  });
  // The repository's own reporters may print something else.
  return code === 1 && found.length === 0 ? null : found;
}

function listOf({ code, stdout, stderr }: Ran): Finding[] | null {
  if (code === 0) return [];
  if (code !== 1) return null;
  let value: unknown;
  try {
    value = JSON.parse(stderr.trim() === '' ? stdout : stderr);
  } catch {
    return null;
  }
  const result = Output.safeParse(value);
  if (!result.success) return null;
  return result.data.map((one) => {
    const detail = one.errorDetail ? ` [${one.errorDetail}]` : '';
    const context = one.errorContext ? ` [Context: ${JSON.stringify(one.errorContext)}]` : '';
    return {
      file: one.fileName,
      line: one.lineNumber,
      ...(one.errorRange?.[0] !== undefined && { column: one.errorRange[0] }),
      rule: one.ruleNames[0]!,
      message: `${one.ruleNames.join('/')}: ${one.ruleDescription}${detail}${context}`,
      severity: one.severity === 'warning' ? 'warning' : 'error',
    };
  });
}
