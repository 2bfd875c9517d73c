import { createHash } from 'node:crypto';
import { subjectOf, type Problem } from '../../../../docs-site/checks/problem.ts';
import { RULES } from '../../../../docs-site/checks/rules.ts';
import { VERSION } from '../../../../platform/version.ts';
import { oneLine } from '../one-line.ts';
import { messageWithHint, helpAddress, type Report } from './report.ts';

const LEVELS = { error: 'error', warning: 'warning', notice: 'note' } as const;

/**
 * Problems as SARIF 2.1.0: https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html. A result is known again by
 * `docentProblem/v1` wherever in its page it stands.
 */
export function sarif({ outcome, shown }: Report): string {
  const codes = Object.keys(RULES) as Problem['code'][];
  const rules = codes.map((code) => {
    const { summary, help, severity } = RULES[code];
    const address = helpAddress(outcome, code);
    return {
      id: code,
      shortDescription: { text: summary },
      help: { text: `${summary} ${help}` },
      defaultConfiguration: { level: LEVELS[severity] },
      ...(address && { helpUri: address }),
    };
  });
  const seen = new Map<string, number>();
  const results = shown.map((problem) => {
    const { path, line, column, code, severity } = problem;
    const same = `${path}\n${code}\n${subjectOf(problem)}`;
    const nth = (seen.get(same) ?? 0) + 1;
    seen.set(same, nth);
    return {
      ruleId: code,
      ruleIndex: codes.indexOf(code),
      level: LEVELS[severity],
      message: { text: oneLine(messageWithHint(problem)) },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: addressOf(path), uriBaseId: '%SRCROOT%' },
            region: { startLine: line, ...(column !== undefined && { startColumn: column }) },
          },
        },
      ],
      partialFingerprints: {
        'docentProblem/v1': createHash('sha256').update(`${same}\n${nth}`).digest('hex').slice(0, 32),
      },
    };
  });
  const driver = { name: 'Docent', semanticVersion: VERSION, rules };
  return `${JSON.stringify(
    {
      $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
      version: '2.1.0',
      runs: [{ tool: { driver }, columnKind: 'utf16CodeUnits', invocations: [{ executionSuccessful: true }], results }],
    },
    null,
    2,
  )}\n`;
}

function addressOf(path: string): string {
  return path.toWellFormed().split('/').map(encodeURIComponent).join('/');
}
