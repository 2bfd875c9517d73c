/** Differences between a text and a model's copy that do not change its meaning, named for people. */
const DIFFERENCES = [
  'upper and lower case',
  'blanks or line breaks',
  'the kind of quotation marks',
  'the kind of dashes or dots',
  'escaping (a backslash before a character, or \\n for a line break)',
  'HTML entities (such as &amp;)',
] as const;

export type Difference = (typeof DIFFERENCES)[number];

const [CASE, BLANKS, QUOTES, DASHES, ESCAPING, ENTITIES] = DIFFERENCES;

/** A passage that differs from the wanted text only by such differences. */
export interface LooseMatch {
  start: number;
  end: number;
  differences: Difference[];
}

/** Finds a text despite known differences, and lists these. Takes linear time. */
export function findLoosely(text: string, wanted: string): LooseMatch | null {
  const folded = fold(text, new Set(DIFFERENCES));
  const sought = fold(wanted, new Set(DIFFERENCES)).text.trim();
  const at = sought === '' ? -1 : folded.text.indexOf(sought);
  if (at === -1) return null;
  const start = folded.offsets[at]!;
  const passage = text.slice(start, folded.offsets[at + sought.length] ?? text.length).trimEnd();
  // A difference is one without which the two would not be the same.
  const differences = DIFFERENCES.filter((one) => {
    const others = new Set(DIFFERENCES.filter((other) => other !== one));
    return fold(passage, others).text.trim() !== fold(wanted, others).text.trim();
  });
  return { start, end: start + passage.length, differences };
}

/** A text without some differences, and where each of its characters came from. */
function fold(text: string, without: ReadonlySet<Difference>): { text: string; offsets: number[] } {
  const offsets: number[] = [];
  const result: string[] = [];
  let last = '';
  for (let i = 0; i < text.length;) {
    const sequence = sequenceAt(text, i, without);
    const as = foldCharacter(sequence?.as ?? text[i]!, without);
    const again = (as === ' ' && without.has(BLANKS)) || (as === '-' && without.has(DASHES));
    if (!(again && last === as)) {
      result.push(as);
      last = as;
      for (let n = 0; n < as.length; n++) offsets.push(i);
    }
    i += sequence?.length ?? 1;
  }
  return { text: result.join(''), offsets };
}

const ESCAPE = /\\[nrt"'`\\/<>{}[\]()*_#|]/y;
const ENTITY = /&(?:amp|lt|gt|quot|apos|nbsp|mdash|ndash|#39|#34|#x27);/y;
const ESCAPED: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };
const NAMED: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#34;': '"',
  '&apos;': "'",
  '&#39;': "'",
  '&#x27;': "'",
  '&nbsp;': '\u00A0',
  '&mdash;': '\u2014',
  '&ndash;': '\u2013',
};

/** Several characters that represent one. */
function sequenceAt(text: string, at: number, without: ReadonlySet<Difference>): { as: string; length: number } | null {
  if (text[at] === '\\' && without.has(ESCAPING)) {
    ESCAPE.lastIndex = at;
    const character = ESCAPE.exec(text)?.[0][1];
    if (character !== undefined) return { as: ESCAPED[character] ?? character, length: 2 };
  }
  if (text[at] === '&' && without.has(ENTITIES)) {
    ENTITY.lastIndex = at;
    const entity = ENTITY.exec(text)?.[0];
    if (entity !== undefined) return { as: NAMED[entity]!, length: entity.length };
  }
  return null;
}

function foldCharacter(c: string, without: ReadonlySet<Difference>): string {
  if (c >= 'a' && c <= 'z') return c;
  if (without.has(BLANKS) && /\s/.test(c)) return ' ';
  if (without.has(QUOTES)) {
    if (/[\u2018-\u201B\u2032\u00B4`]/.test(c)) return "'";
    if (/[\u201C-\u201F\u2033\u00AB\u00BB]/.test(c)) return '"';
  }
  if (without.has(DASHES)) {
    if (/[\u2010-\u2015\u2212]/.test(c)) return '-';
    if (c === '\u2026') return '...';
  }
  const letter = without.has(CASE) ? c.toLowerCase() : c;
  return letter.normalize('NFD');
}
