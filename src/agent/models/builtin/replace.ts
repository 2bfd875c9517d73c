import { plural } from '../../../platform/plural.ts';
import type { ToolResult } from '../../transcript.ts';
import type { Instruction } from './instruction.ts';
import { quoted, sum } from './outcome.ts';
import { call, done, firstLine, refusal, type Progress, type Results } from './progress.ts';
import { readReplacements } from './tool-answers.ts';

export function replace(
  { from, to, within: scopes, inCode, inWords }: Extract<Instruction, { kind: 'replace' }>,
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
      replaceAll: true,
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
  return replaced(from, to, answers as ToolResult[]);
}

/** Replacing an address or a path means links too; replacing a word does not. */
function isAddress(text: string): boolean {
  return /[/:#@]|\w\.[a-z]{2}/i.test(text);
}

function replaced(from: string, to: string, answers: readonly ToolResult[]): Progress {
  const good = answers.filter(({ isError }) => !isError);
  const numbers = answers.map(({ output }) => readReplacements(output));
  const left = new Map<string, number>();
  for (const one of numbers) for (const [where, n] of one.left) left.set(where, (left.get(where) ?? 0) + n);
  const notes = leftNotes(left);
  const [files, places] = [sum(numbers.map((one) => one.files)), sum(numbers.map((one) => one.count))];
  if (good.length === 0) {
    const absent = answers.every(({ output }) => /does not occur/.test(output));
    if (!absent)
      return refusal(
        `Could not replace ${quoted(from)}`,
        answers.find(({ output }) => !/does not occur/.test(output))!,
      );
    const details =
      notes.length > 0 ? notes : ['The text is nowhere in the pages that were searched; upper and lower case count.'];
    return { outcome: { kind: 'nothing', summary: `Found no ${quoted(from)} to replace`, details, changed: [] } };
  }
  const failed = answers.filter(({ isError, output }) => isError && !/does not occur/.test(output)).map(firstLine);
  const details = [`${quoted(from, 60)} became ${quoted(to, 60)} in ${plural(places, 'place')}.`, ...notes, ...failed];
  const where = plural(files, 'file');
  return done(summaryOf(from, to, where), details, good, `Replaced ${quoted(from)} in ${where}`);
}

/** As much of the two texts as a line holds. */
function summaryOf(from: string, to: string, where: string): string {
  const lines = [24, 18, 12].map((most) => `Replaced ${quoted(from, most)} with ${quoted(to, most)} in ${where}`);
  return lines.find((line) => line.length <= 72) ?? lines.at(-1)!;
}

function leftNotes(left: ReadonlyMap<string, number>): string[] {
  const notes: [string, (n: number) => string][] = [
    ['code', (n) => `Left ${plural(n, 'occurrence')} in code alone; say “in code too” to change these.`],
    [
      'longer words',
      (n) => `Left ${plural(n, 'occurrence')} inside longer words alone; say “also inside words” to change these.`,
    ],
    ['links', (n) => `Left ${plural(n, 'occurrence')} in link targets alone, which would break.`],
    ['markup', (n) => `Left ${plural(n, 'occurrence')} in tags, imports and settings alone.`],
  ];
  return notes.flatMap(([where, note]) => (left.has(where) ? [note(left.get(where)!)] : []));
}
