import { reports } from '../checks/causes.ts';
import { ruleOf, type Problem } from '../checks/problem.ts';
import { plural } from '@docent/base/plural';
import { oneLine } from './one-line.ts';

/** GitHub shows ten of each severity for a step; the log keeps them all. */
const COMMANDS: Record<Problem['severity'], string> = { error: 'error', warning: 'warning', notice: 'notice' };

/**
 * Problems as workflow commands, only the first of one cause in many places:
 * https://docs.github.com/actions/reference/workflow-commands-for-github-actions
 */
export function githubAnnotations(problems: readonly Problem[], all = false): string {
  return (all ? problems.map((problem) => [problem]) : reports(problems))
    .map((group) => {
      const { path, line, column, message, severity, suggestion } = group[0]!;
      const more =
        group.length > 1
          ? ` The same problem in ${plural(group.length - 1, 'more place')}; use --all to show each.`
          : '';
      const hint = suggestion === undefined ? '' : ` Did you mean ${JSON.stringify(suggestion)}?`;
      const properties = { file: path, line: String(line), col: String(column ?? 1), title: ruleOf(group[0]!) };
      const list = Object.entries(properties).map(([name, value]) => `${name}=${escapedProperty(value)}`);
      return `::${COMMANDS[severity]} ${list.join(',')}::${escapedData(oneLine(message + hint + more))}\n`;
    })
    .join('');
}

/** As `@actions/core` escapes. */
function escapedData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('##[', '# #[');
}

function escapedProperty(text: string): string {
  // No file on GitHub has other control characters in its name that could be shown.
  return escapedData(text.replace(/(?![\r\n])\p{Cc}/gu, '?'))
    .replaceAll(':', '%3A')
    .replaceAll(',', '%2C');
}
