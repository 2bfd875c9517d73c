import { createHash } from 'node:crypto';
import { ruleOf, subjectOf, type Problem } from '../../checks/problem.ts';
import { RULES } from '../../checks/rules.ts';
import { TextLines } from '../../read/text-lines.ts';
import { VERSION } from '../../version.ts';
import { editOf } from '../fix-links.ts';
import { oneLine } from '../one-line.ts';
import { messageWithHint, helpAddress, type Report } from './report.ts';

const LEVELS = { error: 'error', warning: 'warning', notice: 'note' } as const;

/**
 * Problems as SARIF 2.1.0: https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html.
 * `docentProblem/v1` identifies a result independently of its position in the page.
 */
export function sarif({ outcome, shown, suppressed }: Report): string {
  const codes = Object.keys(RULES) as Problem['code'][];
  const rules = codes.map((code) => {
    const { summary, help, severity, needs } = RULES[code];
    const address = helpAddress(outcome, code);
    return {
      id: code,
      shortDescription: { text: summary },
      help: { text: `${summary} ${help}` },
      defaultConfiguration: { level: LEVELS[severity], ...(needs && { enabled: false }) },
      ...(address && { helpUri: address }),
    };
  });
  const seen = new Map<string, number>();
  const resultOf = (problem: Problem) => {
    const { path, line, column, code, severity } = problem;
    const same = `${path}\n${code}\n${subjectOf(problem)}`;
    const nth = (seen.get(same) ?? 0) + 1;
    seen.set(same, nth);
    const fix = fixOf(problem);
    return {
      // The part after a slash is a sub-rule of the index's rule: section 3.27.5.
      ruleId: ruleOf(problem),
      ruleIndex: codes.indexOf(code),
      level: LEVELS[severity],
      message: { text: oneLine(messageWithHint(problem)) },
      locations: [
        {
          physicalLocation: {
            artifactLocation: fileAt(path),
            region: { startLine: line, ...(column !== undefined && { startColumn: column }) },
          },
        },
      ],
      partialFingerprints: {
        'docentProblem/v1': createHash('sha256').update(`${same}\n${nth}`).digest('hex').slice(0, 32),
      },
      ...(fix && { fixes: [fix] }),
    };
  };
  const fixOf = fixesIn(outcome);
  const results = [
    ...shown.map((problem) => resultOf(problem)),
    ...suppressed.map(({ problem, by, reason }) => ({
      ...resultOf(problem),
      suppressions: [
        {
          kind: by === 'comment' ? 'inSource' : 'external',
          ...(reason !== null && { justification: oneLine(reason) }),
        },
      ],
    })),
  ];
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

/** The edit that writes a suggestion into its link: the region of the target, and the new one. */
function fixesIn({ docs }: Report['outcome']): (problem: Problem) => object | null {
  const lines = new Map<string, TextLines>();
  return (problem) => {
    const { path, suggestion } = problem;
    const facts = suggestion === undefined ? null : docs.facts(path);
    const edit = facts && editOf(facts, problem);
    if (!edit) return null;
    const known = lines.get(path) ?? new TextLines(docs.readText(path) ?? '');
    lines.set(path, known);
    const [start, end] = [known.placeOf(edit.start), known.placeOf(edit.end)];
    const deletedRegion = {
      startLine: start.line,
      startColumn: start.column,
      endLine: end.line,
      endColumn: end.column,
    };
    const replacements = [{ deletedRegion, insertedContent: { text: edit.text } }];
    const description = { text: oneLine(`Link to ${JSON.stringify(edit.text)}.`) };
    return { description, artifactChanges: [{ artifactLocation: fileAt(path), replacements }] };
  };
}

function fileAt(path: string): { uri: string; uriBaseId: string } {
  return { uri: addressOf(path), uriBaseId: '%SRCROOT%' };
}

function addressOf(path: string): string {
  return path.toWellFormed().split('/').map(encodeURIComponent).join('/');
}
