const ASCII_ONLY = /^[\0-\x7f]*$/;
/** A letter with its combining characters: marks, and the vowels and final consonants of Hangul. */
const CLUSTER = /[^\p{M}\u1160-\u11FF][\p{M}\u1160-\u11FF]*|[\p{M}\u1160-\u11FF]+/gsu;

/**
 * The same form for all texts with the same letters in Unicode, composed or decomposed (é is one code point
 * or two). For comparing paths and searched text: stored text keeps its bytes.
 */
export function canonical(text: string): string {
  return isAscii(text) ? text : text.normalize('NFC');
}

export function isAscii(text: string): boolean {
  return ASCII_ONLY.test(text);
}

/** Where a text contains the letters of another one, in any Unicode form: offsets, not overlapping. */
export function* occurrencesOf(text: string, wanted: string): Generator<[start: number, end: number]> {
  const [composed, sought] = [canonical(text), canonical(wanted)];
  if (sought === '') return;
  const raw = composed === text ? null : offsetsIn(text);
  for (let at = composed.indexOf(sought); at !== -1;) {
    const [start, end] = raw ? [raw[at]!, raw[at + sought.length]!] : [at, at + sought.length];
    const isWhole = start >= 0 && end >= 0;
    if (isWhole) yield [start, end];
    at = composed.indexOf(sought, at + (isWhole ? sought.length : 1));
  }
}

/** A text in the form that a passage of a file has, so that an edit does not mix the two. */
export function inFormOf(text: string, passage: string): string {
  if (canonical(passage) === passage) return text;
  return text.normalize(passage.normalize('NFD') === passage ? 'NFD' : 'NFC');
}

/** For each offset of the composed text, and for its end, the one in the text; -1 within a letter. */
function offsetsIn(text: string): Int32Array {
  const offsets = new Int32Array(text.length * 3 + 1);
  let at = 0;
  for (const { 0: cluster, index } of text.matchAll(CLUSTER)) {
    const composed = canonical(cluster);
    const isSame = composed === cluster;
    for (let i = 0; i < composed.length; i++) offsets[at + i] = i === 0 || isSame ? index + i : -1;
    at += composed.length;
  }
  offsets[at] = text.length;
  return offsets;
}
