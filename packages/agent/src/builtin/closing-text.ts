import { visibleName } from '@docent/docs-check/read/visible-text';
import { RECIPES } from '@docent/recipes/recipes';
import { withEllipsis } from '@docent/base/ellipsis';
import type { DeclaredOutcome } from '@docent/models/conversation/declared-outcome';
import { MAX_TITLE } from '../commit-message.ts';
import type { Request } from '@docent/recipes/instruction';
import type { Outcome } from './outcome.ts';
import { quoted } from './outcome.ts';

export interface ClosingFacts {
  outcomes: readonly Outcome[];
  /** The results of fixing links that the change broke. */
  fixing: readonly Outcome[];
  /** The results of repeating instructions on files that others had changed. */
  again: readonly Outcome[];
  requests: readonly Request[];
  /** The problems that the checks still find. */
  problems: readonly string[];
  /** The URL of Docent's docs. */
  docsUrl: string;
}

/**
 * The closing words of a turn: a first line fit for a commit's subject, then a line for each change.
 */
export function closingText({ outcomes, fixing, again, requests, problems, docsUrl }: ClosingFacts): string {
  const notUnderstood = requests.filter((request) => request.notUnderstood.length > 0);
  const empty = requests.filter(
    ({ instructions, notUnderstood: unclear }) => instructions.length + unclear.length === 0,
  );
  const carriedOut = [...outcomes, ...fixing].filter(({ kind }) => kind === 'done');
  const done = carriedOut.length > 0 ? carriedOut : again.filter(({ kind }) => kind === 'done');
  const parts = [title(done, outcomes)];
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
  for (const { notUnderstood: unclear, instructions } of notUnderstood)
    parts.push(unclearText(unclear, instructions.length));
  if (notUnderstood.some(asksForSource)) parts.push(NO_SOURCE);
  const wantsHelp = outcomes.some(({ kind }) => kind === 'answered');
  const isHelpless = notUnderstood.length > 0 || (empty.length > 0 && outcomes.length === 0);
  if (wantsHelp)
    parts.push(RECIPES.map(({ title: name, prompt, example }) => `- ${name}: ${prompt(example)}`).join('\n'));
  if (wantsHelp || isHelpless) parts.push(linksTo(docsUrl));
  return parts.join('\n\n');
}

/** The outcome of a turn that changed nothing; null for one that carried out something. */
export function declaredOutcome({
  outcomes,
  fixing,
  again,
  requests,
}: Omit<ClosingFacts, 'problems' | 'docsUrl'>): DeclaredOutcome | null {
  const all = [...outcomes, ...fixing, ...again];
  if (all.some(({ kind }) => kind === 'done')) return null;
  const isUnclear = requests.some(
    ({ instructions, notUnderstood }) => notUnderstood.length > 0 || instructions.length === 0,
  );
  if (isUnclear || all.some(({ kind, unable }) => kind === 'refused' || unable)) return 'refused';
  return all.length > 0 && all.every(({ kind }) => kind === 'answered') ? 'answered' : 'unchanged';
}

function title(done: readonly Outcome[], outcomes: readonly Outcome[]): string {
  const [first, ...others] = done;
  if (!first) {
    if (outcomes.length === 1) return withEllipsis(outcomes[0]!.summary, MAX_TITLE, { trimmed: true });
    return 'Changed nothing';
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

function unclearText(sentences: readonly string[], others: number): string {
  const shown = sentences.slice(0, 3).map((sentence) => quoted(sentence, 100));
  const more = sentences.length > shown.length ? ' and more' : '';
  const rest = others > 0 ? ' Nothing in that message was carried out.' : '';
  return `No recipe matches ${shown.join(', ')}${more}.${rest}`;
}

const SOURCE = '(?:source|sources|code|codebase|implementation)';
/** "In code" alone says where text is, as in "Replace A with B in code". */
const FROM_SOURCE = new RegExp(
  [
    String.raw`\b(?:from|with|by) (?:the |our |its |their )?${SOURCE}\b`,
    String.raw`\b(?:on|as|in|to|against) (?:the|our|its|their) ${SOURCE}\b`,
    String.raw`\bsource code\b`,
    String.raw`\b(?:from|on|in|see) ["'\x60]?[\w./-]+\.(?:ts|js|go|py|rs|java|rb|cs|kt|swift|c|cc|cpp|h|php)\b`,
  ].join('|'),
  'i',
);

/** "Update the reference of `createUser` from the source." */
function asksForSource({ notUnderstood }: Request): boolean {
  return notUnderstood.some((sentence) => FROM_SOURCE.test(sentence));
}

const NO_SOURCE =
  'The built-in editor reads no source code: that needs a language model. Set one with the project ' +
  'setting `model`, for example `docent project update PROJECT --model anthropic/claude-sonnet-5`, or ' +
  'for all projects with `DOCENT_MODEL`.';

/** The built-in editor explains nothing itself: it links to the docs. */
function linksTo(docsUrl: string): string {
  return (
    `The built-in editor only follows [recipes](${docsUrl}/agent/builtin-editor). For other prompts, [set ` +
    `up a model](${docsUrl}/agent/models#choose-a-model).`
  );
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
