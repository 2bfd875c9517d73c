import { describeProblems, reports } from '@docent/docs-check/checks/causes';
import type { Problem } from '@docent/docs-check/checks/problem';
import type { ToolCall } from '@docent/models/conversation/tool-call';
import type { Notice } from '@docent/models/conversation/transcript';
import { visibleName } from '@docent/docs-check/read/visible-text';
import { beginningOf, withEllipsis, withEllipsisInBytes } from '@docent/base/ellipsis';
import { redact } from '../../platform/log.ts';

const MAX_WORDS = 100;
/** Together with the step number it is a summary in Temporal's Web UI. The server takes 400 bytes. */
const MAX_FEEDBACK_BYTES = 300;
const MAX_PROBLEMS = 50;

/** One short line for progress displays: `edit guides/start.mdx, search`. Untrusted, so bounded. */
export function describeCalls(calls: readonly ToolCall[]): string {
  const words = calls.map(({ name, input }) => [name, pathOf(input)].filter(Boolean).join(' '));
  const counted = new Map<string, number>();
  for (const word of words) counted.set(word, (counted.get(word) ?? 0) + 1);
  const line = [...counted].map(([word, count]) => (count > 1 ? `${word} ×${count}` : word)).join(', ');
  return withEllipsisInBytes(withEllipsis(redact(visibleName(line)), MAX_WORDS), MAX_FEEDBACK_BYTES);
}

/** The notice to the agent about problems that its change introduced. */
export function problemsNotice(problems: readonly Problem[]): Notice {
  const groups = reports(problems);
  const shown = groups.slice(0, MAX_PROBLEMS).map(describeProblems);
  const more = groups.slice(MAX_PROBLEMS).flat().length;
  const text = [
    'The docs checks found problems that your changes introduced. Fix them, or say why they must stay:',
    ...shown.map((line) => `- ${line}`),
    ...(more > 0 ? [`- and ${more} more`] : []),
  ].join('\n');
  return { role: 'notice', kind: 'problems', problems: shown, text };
}

function pathOf(input: unknown): string {
  if (typeof input !== 'object' || input === null) return '';
  const { path, from } = input as { path?: unknown; from?: unknown };
  const value = typeof path === 'string' ? path : typeof from === 'string' ? from : '';
  return beginningOf(value, 60);
}
