import { stemmer } from 'stemmer';

/** Letters of a word that count, so that a file of one long word takes little memory. */
const MAX_WORD = 64;
/** Parts of a name such as `a.b.c` that are also taken together. */
const MAX_PARTS = 6;
/** Names and words whose numbers are cached, and the longest such name. */
const MAX_KNOWN = 100_000;
const MAX_KNOWN_LENGTH = 100;

/** Words, and names of several parts: `base-url`, `snake_case`, `docs.json`. */
const NAME = /[\p{L}\p{N}\p{M}]+(?:[_.-][\p{L}\p{N}\p{M}]+)*/gu;
const PLAIN = /^[a-z]+$/;
/** Scripts without spaces between words; Hangul, whose particles stick to them. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]+/gu;
const HUMPS = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[^\p{Lu}]+/gu;

const names = new Map<string, readonly number[]>();
const wordIds = new Map<string, number>();

/**
 * The words of a text as numbers, equal for equivalent words. Case, accents and English endings do not count
 * (`Domains`, `domain`). A compound name yields its parts and the whole, so that `--base-url`, `baseUrl` and
 * `BASE_URL` are the same; scripts without spaces yield pairs of letters. Takes time in proportion to the
 * text. The numbers are hashes of 32 bits: two words of a hundred thousand may share one, which only affects
 * the order of results.
 */
export function wordsOf(text: string): number[] {
  const words: number[] = [];
  for (const name of text.match(NAME) ?? []) {
    let ids = names.get(name);
    if (!ids) {
      ids = idsOf(name);
      if (name.length <= MAX_KNOWN_LENGTH) remember(names, name, ids);
    }
    for (const id of ids) words.push(id);
  }
  return words;
}

function idsOf(name: string): number[] {
  if (PLAIN.test(name)) return [idOf(name)];
  const ids: number[] = [];
  const parts: string[] = [];
  for (const part of name.split(/[_.-]/)) {
    const runs = [...part.matchAll(UNSPACED)];
    if (runs.length === 0) {
      for (const hump of humpsOf(part)) parts.push(hump);
      continue;
    }
    let from = 0;
    for (const { 0: run, index } of runs) {
      if (index > from) ids.push(idOf(part.slice(from, index)));
      for (const pair of pairsOf(run)) ids.push(idOf(pair));
      from = index + run.length;
    }
    if (from < part.length) ids.push(idOf(part.slice(from)));
  }
  for (const part of parts) ids.push(idOf(part));
  if (parts.length > 1 && parts.length <= MAX_PARTS) ids.push(idOf(parts.join('')));
  return ids;
}

/** `getUser` as `get` and `User`. */
function humpsOf(part: string): readonly string[] {
  const isCamel = part.length <= MAX_WORD && /\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}/u.test(part);
  return (isCamel ? part.match(HUMPS) : null) ?? [part];
}

function pairsOf(run: string): string[] {
  const letters = [...run];
  return letters.length === 1 ? letters : letters.slice(1).map((letter, i) => letters[i]! + letter);
}

function idOf(word: string): number {
  const cut = word.slice(0, MAX_WORD);
  const known = wordIds.get(cut);
  if (known !== undefined) return known;
  const id = hashOf(normalized(cut));
  remember(wordIds, cut, id);
  return id;
}

function remember<Value>(map: Map<string, Value>, key: string, value: Value): void {
  if (map.size >= MAX_KNOWN) map.clear();
  map.set(key, value);
}

function normalized(word: string): string {
  const lower = word.toLowerCase();
  const bare = PLAIN.test(lower)
    ? lower
    : lower
        .normalize('NFKD')
        .replace(/[\u0300-\u036F]/g, '')
        .normalize('NFC');
  return PLAIN.test(bare) ? stemmer(bare) : bare;
}

/** FNV-1a, and the last mixing of MurmurHash3. */
function hashOf(word: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
