import { queryWords } from '@docent/docs-check/search/query-words';
import { wordsOf } from '@docent/docs-check/search/words';

/** Factors between a number in a claim and in code, by its unit: 30 seconds are 30_000 milliseconds. */
const UNITS: readonly [RegExp, readonly number[]][] = [
  [/^(?:s|sec|secs|seconds?)\b/i, [1_000]],
  [/^(?:m|min|mins|minutes?)\b/i, [60, 60_000]],
  [/^(?:h|hours?)\b/i, [60, 3_600, 3_600_000]],
  [/^(?:d|days?)\b/i, [24, 86_400, 86_400_000]],
  [/^(?:kb|kib|kilobytes?)\b/i, [1_000, 1_024]],
  [/^(?:mb|mib|megabytes?)\b/i, [1_000, 1_024, 1_000_000, 1_048_576]],
  [/^(?:gb|gib|gigabytes?)\b/i, [1_000, 1_024, 1_000_000, 1_048_576, 1_000_000_000, 1_073_741_824]],
  [/^(?:%|percent\b)/i, [0.01]],
];

const NUMBER = /\d+(?:[.,_]\d+)*/g;
/** Not part of a name, as in `Uint8Array`. */
const ALONE = /(?<![\p{L}\p{N}_])\d+(?:[.,_]\d+)*(?![\p{L}_])/gu;

/**
 * Explains why cited lines cannot support a claim; null if they may. Compares words, not meanings: the lines
 * must have every number, every name in code marks, and at least one other significant word. A person judges
 * the rest.
 */
export function whyUnsupported(claim: string, lines: string): string | null {
  if (lines.trim() === '') return 'The cited lines are empty.';
  const codes = [...claim.matchAll(/`+([^`]+)`+/g)].map(([, code]) => code!.trim()).filter((code) => code !== '');
  const inLines = new Set(wordsOf(lines));
  const code = codes.find((one) => !lines.includes(one) && !everyWord(one, inLines));
  if (code !== undefined) return `The cited lines do not have \`${code}\`.`;
  const number = numbersIn(claim).find((one) => !hasNumber(one, lines));
  if (number) return `The cited lines do not have the number ${number.text}.`;
  const plain = claim.replace(ALONE, ' ');
  const shared = queryWords(plain).filter((word) => inLines.has(word));
  // Words of other scripts are in no code: there, names and numbers have to do.
  const isOtherScript = !/\p{Script=Latin}{2}/u.test(plain.replace(/`[^`]*`/g, ''));
  if (shared.length > 0 || (isOtherScript && codes.length + numbersIn(claim).length > 0)) return null;
  return 'The cited lines contain no word of the claim.';
}

function everyWord(code: string, inLines: ReadonlySet<number>): boolean {
  const words = wordsOf(code);
  return words.length > 0 && words.every((word) => inLines.has(word));
}

interface ClaimedNumber {
  text: string;
  factors: readonly number[];
}

function numbersIn(claim: string): ClaimedNumber[] {
  return [...claim.matchAll(NUMBER)].map(({ 0: text, index }) => {
    const behind = claim.slice(index + text.length).trimStart();
    return { text, factors: UNITS.find(([unit]) => unit.test(behind))?.[1] ?? [] };
  });
}

function hasNumber({ text, factors }: ClaimedNumber, lines: string): boolean {
  const value = valueOf(text);
  const wanted = [value, ...factors.map((factor) => value * factor)];
  const found = [...lines.matchAll(NUMBER)].map(([one]) => one);
  if (found.includes(text)) return true;
  // `60 * 1000`
  const products = [...lines.matchAll(/\d[\d_.]*(?:\s*\*\s*\d[\d_.]*)+/g)].map(([one]) =>
    one.split('*').reduce((product, part) => product * valueOf(part.trim()), 1),
  );
  return [...found.map(valueOf), ...products].some((one) => wanted.some((want) => isSame(one, want)));
}

/**
 * Whole numbers exactly; others may differ by rounding. Beyond 2^53, a different number would look the same.
 */
function isSame(one: number, want: number): boolean {
  if (!Number.isInteger(one) || !Number.isInteger(want)) return Math.abs(one - want) < 1e-12 * Math.abs(one);
  return one === want && Number.isSafeInteger(one);
}

/** NaN for other texts, such as a version. */
function valueOf(text: string): number {
  const plain = text.replaceAll('_', '').replace(/,(?=\d{3}(?:\D|$))/g, '');
  return Number(plain.replace(',', '.'));
}
