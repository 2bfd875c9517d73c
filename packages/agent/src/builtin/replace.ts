import { MAX_TITLE } from '../commit-message.ts';
import { plural } from '@docent/base/plural';
import type { LeftReason } from '@docent/models/conversation/tool-data';
import type { ToolResult } from '@docent/models/conversation/tool-call';
import type { ReplaceInstruction } from '@docent/recipes/instruction';
import { quoted, sum } from './outcome.ts';
import { call, changedBy, dataOf, done, refusal, type Progress, type Results } from './progress.ts';

export function replace(
  { from, to, within: scopes, except, inCode, inWords, first, loose }: ReplaceInstruction,
  id: string,
  results: Results,
  only: string | null,
): Progress {
  const places = only !== null ? [only] : scopes.length > 0 ? scopes : ['**'];
  const calls = places.map((place, i) => {
    const isFile = only !== null || (/\.\w+$/.test(place) && !/[*?[{]/.test(place));
    return call(`${id}.${i + 1}`, 'edit', {
      ...(isFile ? { path: place } : { glob: place }),
      oldText: from,
      newText: to,
      ...(first ? { first: true } : { replaceAll: true }),
      ...(except.length > 0 && !isFile ? { except } : {}),
      ...(inCode ? { outsideMarkup: true } : { outsideCode: true }),
      ...(isAddress(from) ? {} : { outsideLinks: true }),
      ...(inWords ? {} : { wholeWords: true }),
    });
  });
  if (from === to)
    return {
      outcome: { kind: 'nothing', summary: `Replaced nothing: ${quoted(from)} is the same`, details: [], changed: [] },
    };
  const answers = calls.map(({ id: callId }) => results.get(callId));
  if (answers.some((answer) => answer === undefined)) return { calls, last: true };
  return replaced({ from, to, loose }, answers as ToolResult[]);
}

/** Replacing an address or a path means links too; replacing a word does not. */
function isAddress(text: string): boolean {
  return /[/:#@]|\w\.[a-z]{2}/i.test(text);
}

function replaced(
  { from, to, loose }: { from: string; to: string; loose: boolean },
  answers: readonly ToolResult[],
): Progress {
  const good = answers.filter(({ ok }) => ok);
  // A refusal without data has another cause than a missing text.
  const searched = answers.filter(({ ok, data }) => ok || data?.tool === 'edit').map((one) => dataOf(one, 'edit'));
  const unread = new Set(searched.flatMap((one) => one.unread ?? []));
  const notes = [
    ...leftNotes(searched.map(({ left }) => left)),
    ...Array.from(unread, (one) => `Not searched: ${one}`),
  ];
  const failed = answers.flatMap((one) => (one.ok || one.data?.tool === 'edit' ? [] : [one]));
  const [first] = failed;
  if (good.length === 0 && first) return refusal(`Could not replace ${quoted(from)}`, first);
  if (good.length === 0) {
    const details = notes.length > 0 ? notes : ['The text is nowhere in the pages that were searched; case matters.'];
    const unable = loose ? { unable: true as const } : {};
    return {
      outcome: { kind: 'nothing', summary: `Found no ${quoted(from)} to replace`, details, changed: [], ...unable },
    };
  }
  const places = plural(sum(searched.map((one) => one.replaced)), 'place');
  const reasons = failed.map(({ reason }) => reason);
  const details = [`${quoted(from, 60)} became ${quoted(to, 60)} in ${places}.`, ...notes, ...reasons];
  const where = plural(changedBy(good).length, 'file');
  return done(summaryOf(from, to, where), details, good, `Replaced ${quoted(from)} in ${where}`);
}

/** As much of the two texts as a line holds. */
function summaryOf(from: string, to: string, where: string): string {
  const lines = [24, 18, 12].map((most) => `Replaced ${quoted(from, most)} with ${quoted(to, most)} in ${where}`);
  return lines.find((line) => line.length <= MAX_TITLE) ?? lines.at(-1)!;
}

type Left = Partial<Record<LeftReason, number>>;

/** By the reason for skipping, in the order of the report. */
const LEFT_NOTES: readonly [LeftReason, (occurrences: string) => string][] = [
  ['code', (occurrences) => `Left ${occurrences} in code alone; say “in code too” to change these.`],
  [
    'longer words',
    (occurrences) => `Left ${occurrences} inside longer words alone; say “also inside words” to change these.`,
  ],
  [
    'other blanks',
    (occurrences) => `Left ${occurrences} alone, with a line break or a no-break space between the words.`,
  ],
  ['links', (occurrences) => `Left ${occurrences} in link targets alone, which would break.`],
  ['markup', (occurrences) => `Left ${occurrences} in tags, imports and settings alone.`],
];

function leftNotes(all: readonly Left[]): string[] {
  return LEFT_NOTES.flatMap(([reason, note]) => {
    const occurrences = sum(all.map((left) => left[reason] ?? 0));
    return occurrences > 0 ? [note(plural(occurrences, 'occurrence'))] : [];
  });
}
