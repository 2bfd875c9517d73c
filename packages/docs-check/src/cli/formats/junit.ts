import { ruleOf, type Problem } from '../../checks/problem.ts';
import { oneLine } from '../one-line.ts';
import { messageWithHint, type Report } from './report.ts';

/**
 * Problems as JUnit XML, a suite for each file: problems that make the check fail are failures, others are
 * passed tests with output. Without problems, one test passed. (https://github.com/testmoapp/junitxml)
 */
export function junit({ shown, summary, fails }: Report): string {
  const files = Map.groupBy(shown, ({ path }) => path);
  const suites = [...files].map(([path, problems]) => {
    const failures = problems.filter(fails).length;
    const cases = problems.map((problem) => testCase(problem, fails(problem)));
    return `  <testsuite name="${xml(path)}" tests="${problems.length}" failures="${failures}" errors="0">\n${cases.join('')}  </testsuite>\n`;
  });
  if (suites.length === 0) {
    suites.push(
      `  <testsuite name="docent check" tests="1" failures="0" errors="0">\n    <testcase classname="docent check" name="${xml(summary)}"/>\n  </testsuite>\n`,
    );
  }
  const tests = Math.max(1, shown.length);
  const failures = shown.filter(fails).length;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="docent check" tests="${tests}" failures="${failures}" errors="0">\n${suites.join('')}</testsuites>\n`;
}

function testCase(problem: Problem, isFailure: boolean): string {
  const { path, line, column, severity } = problem;
  const rule = xml(ruleOf(problem));
  const place = `${path}:${line}:${column ?? 1}`;
  const message = xml(messageWithHint(problem));
  const inside = isFailure
    ? `<failure type="${rule}" message="${message}">${xml(place)}</failure>`
    : `<system-out>${severity}: ${message} ${xml(place)}</system-out>`;
  const name = `${line}:${column ?? 1} ${rule}`;
  return `    <testcase classname="${xml(path)}" name="${name}" file="${xml(path)}" line="${line}">${inside}</testcase>\n`;
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };

/** On one line, and without characters that XML 1.0 does not allow. */
function xml(text: string): string {
  return oneLine(text.toWellFormed())
    .replace(/[\uFFFE\uFFFF]/g, '\uFFFD')
    .replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}
