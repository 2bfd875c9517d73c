import { describeTurn, tamed } from '../agent/commit-message.ts';
import { visibleName } from '../agent/visible-text.ts';
import type { JobRow } from '../store/jobs.ts';
import type { TurnRow } from '../store/turns.ts';

const MAX_BODY = 20_000;
const MAX_PROMPT = 2_000;

/**
 * Title and Markdown body of a chain's pull request: what was asked, what was done, and what the checks found, turn by turn.
 * Prompts and the agent's words are quoted, so that no Markdown of theirs breaks out.
 */
export function pullRequestText(
  job: JobRow,
  parts: readonly { turn: TurnRow; prompts: string[]; closing: string }[],
): { title: string; body: string } {
  const [first] = parts;
  const { title } = describeTurn({
    prompts: first?.prompts ?? [job.title],
    closingText: first?.closing ?? '',
    changes: [],
  });
  const sections = parts.flatMap(({ turn, prompts, closing }, index) => [
    ...(parts.length > 1 ? [`### ${index === 0 ? 'First request' : `Follow-up ${index}`}`] : []),
    ...prompts.map((prompt) => quote(tamed(prompt.slice(0, MAX_PROMPT)))),
    ...(closing ? [describeTurn({ prompts, closingText: closing, changes: [] }).body || tamed(closing)] : []),
    ...(turn.problems.length > 0
      ? ['The docs checks still find:', turn.problems.map((problem) => `- ${problemLine(problem)}`).join('\n')]
      : []),
  ]);
  const body = [...sections, `---\nDocent job \`${job.id}\``].join('\n\n');
  return { title, body: body.length <= MAX_BODY ? body : `${body.slice(0, MAX_BODY)}\n\n…` };
}

/** Both come from the repository's files, names and links included. */
function problemLine(problem: Record<string, unknown>): string {
  const path = tamed(visibleName(String(problem['path']))).replaceAll('`', "'");
  return `\`${path}\`: ${tamed(visibleName(String(problem['message']))).replace(/\s+/g, ' ')}`;
}

function quote(text: string): string {
  return text
    .split(/\r?\n/)
    .map((line) => `> ${line}`)
    .join('\n');
}
