import { visibleName } from '../../../docs-site/read/visible-text.ts';
import { withEllipsis } from '../../../platform/ellipsis.ts';
import type { DeclaredOutcome } from '../../declared-outcome.ts';
import { MAX_TITLE } from '../../commit-message.ts';
import type { Request } from './instruction.ts';
import { nearestSentences } from './nearest-sentence.ts';
import type { Outcome } from './outcome.ts';
import { quoted } from './outcome.ts';

export const CAN_DO = `The built-in editor carries out a small set of written instructions, one per sentence:
- Replace "old text" with "new text" (in guides/**, in code too)
- Fix broken links
- Add a page titled "Title" at \`guides/page\` in group "Group": its text
- Append a section "Heading" to \`guides/page\`: its text
- Change the title, or the description, of page \`guides/page\` to "Title"
- Rename the heading "Old" to "New" in \`guides/page\`
- Remove the section "Heading", or the sentence "Its words.", from \`guides/page\`
- Rename page \`guides/old\` to \`guides/new\`
- Move folder \`guides\` to \`how-to\`, or page \`guides/client\` under \`reference\`
- Delete page \`guides/page\` (and redirect it to \`guides/other\`)
- Rename the group "Old" to "New"
- Move \`guides/page\` before \`guides/other\`, the group "Group" to the top, or page \`guides/page\` to the group "Group"
- Add a redirect from \`/old\` to \`guides/page\`
- Add the image \`logo.png\` at \`images/logo.png\` (of a file attached to the message)
- Undo the last change

Other requests need a language model: the page "The builtin editor" of Docent's documentation says how a project gets one.`;

export interface Told {
  outcomes: readonly Outcome[];
  /** Of fixing links that the change broke. */
  fixing: readonly Outcome[];
  /** Of what was carried out once more, on files that others had changed. */
  again: readonly Outcome[];
  requests: readonly Request[];
  /** What the checks still find. */
  problems: readonly string[];
}

/** The closing words of a turn: a first line fit for a commit's subject, then what was done, one line each. */
export function closingText({ outcomes, fixing, again, requests, problems }: Told): string {
  const notUnderstood = requests.filter((request) => request.notUnderstood.length > 0);
  const empty = requests.filter(
    ({ instructions, notUnderstood: unclear }) => instructions.length + unclear.length === 0,
  );
  const carriedOut = [...outcomes, ...fixing].filter(({ kind }) => kind === 'done');
  const done = carriedOut.length > 0 ? carriedOut : again.filter(({ kind }) => kind === 'done');
  const parts = [title(done, outcomes, notUnderstood)];
  const lines = [...outcomes, ...fixing.filter(({ kind }) => kind !== 'nothing')].map(lineOf);
  const single = outcomes.length === 1 && fixing.every(({ kind }) => kind === 'nothing');
  if (single && outcomes[0]!.details.length > 0) parts.push(outcomes[0]!.details.join('\n'));
  else if (!single && lines.length > 0) parts.push(lines.join('\n'));
  for (const { kind, details } of fixing)
    if (kind === 'nothing' && details.length > 0 && problems.length === 0) parts.push(details.join('\n'));
  if (again.length > 0) parts.push(againText(again));
  if (problems.length > 0) {
    parts.push(['The docs checks still find:', ...problems.slice(0, 10).map((problem) => `- ${problem}`)].join('\n'));
  }
  for (const { aside } of requests)
    if (aside.length > 0) parts.push(`Left aside: ${aside.map((one) => quoted(one, 100)).join(', ')}`);
  for (const { notUnderstood: unclear, instructions } of notUnderstood)
    parts.push(unclearText(unclear, instructions.length));
  const wantsHelp = outcomes.some(({ kind }) => kind === 'answered');
  if (wantsHelp || notUnderstood.length > 0 || (empty.length > 0 && outcomes.length === 0)) parts.push(CAN_DO);
  return parts.join('\n\n');
}

/** What a turn came to that changed nothing; null for one that carried out something. */
export function declaredOutcome({ outcomes, fixing, again, requests }: Omit<Told, 'problems'>): DeclaredOutcome | null {
  const all = [...outcomes, ...fixing, ...again];
  if (all.some(({ kind }) => kind === 'done')) return null;
  const isUnclear = requests.some(
    ({ instructions, notUnderstood }) => notUnderstood.length > 0 || instructions.length === 0,
  );
  if (isUnclear || all.some(({ kind, unable }) => kind === 'refused' || unable)) return 'refused';
  return all.length > 0 && all.every(({ kind }) => kind === 'answered') ? 'answered' : 'unchanged';
}

function title(done: readonly Outcome[], outcomes: readonly Outcome[], notUnderstood: readonly Request[]): string {
  const [first, ...others] = done;
  if (!first) {
    if (outcomes.length === 1) return withEllipsis(outcomes[0]!.summary, MAX_TITLE, { trimmed: true });
    return notUnderstood.length > 0 && outcomes.length === 0
      ? 'Changed nothing: the request was not understood'
      : 'Changed nothing';
  }
  if (others.length === 0) return withEllipsis(first.summary, MAX_TITLE, { trimmed: true });
  for (const name of ['summary', 'short'] as const) {
    const all = [first, ...others].map((outcome) => outcome[name] ?? outcome.summary);
    const line = all.map((one, i) => (i === 0 ? one : lowerFirst(one))).join(', ');
    if (line.length <= MAX_TITLE) return line;
  }
  const more = ` and ${others.length} more ${others.length === 1 ? 'change' : 'changes'}`;
  return withEllipsis(first.short ?? first.summary, MAX_TITLE - more.length, { trimmed: true }) + more;
}

function lowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1);
}

function lineOf({ summary, details }: Outcome): string {
  return [`- ${summary}.`, ...details.map((detail) => `  ${detail}`)].join('\n');
}

/** Sentences that were not understood, and sentences that are offered instead. */
const MOST_GUESSED = 3;

function unclearText(sentences: readonly string[], others: number): string {
  const shown = sentences.slice(0, 3).map((sentence) => quoted(sentence, 150));
  const more = sentences.length > shown.length ? ` and ${sentences.length - shown.length} more` : '';
  const rest = others > 0 ? ' So nothing of that message was carried out, lest it be done by half.' : '';
  const near = [...new Set(sentences.slice(0, MOST_GUESSED).flatMap(nearestSentences))].slice(0, MOST_GUESSED);
  const guess = near.length > 0 ? `\n\nDid you mean:\n${near.map((sentence) => `- ${sentence}`).join('\n')}` : '';
  return `Not understood: ${shown.join(', ')}${more}.${rest}${guess}`;
}

function againText(again: readonly Outcome[]): string {
  const files = [...new Set(again.flatMap(({ changed }) => changed))];
  const failed = again.filter(({ kind }) => kind === 'refused').map((outcome) => lineOf(outcome));
  const made =
    files.length > 0
      ? [
          `Others had changed some of the same files; the changes were made again on ${files.map(visibleName).join(', ')}.`,
        ]
      : [];
  return (
    [...made, ...failed].join('\n') || 'Others had changed some of the same files; nothing was left to change there.'
  );
}
