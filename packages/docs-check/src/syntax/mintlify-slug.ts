import { parseMarkdown } from '../read/markdown-tree.ts';
import { plainText } from '../read/heading-text.ts';

/**
 * As `cleanHeadingId` of `@mintlify/common`: for ids of headings, steps and updates, and for links' hashes.
 */
export function cleanId(id: string): string {
  let decoded = id;
  try {
    decoded = decodeURIComponent(id.replace(/%(?![\da-f]{2})/gi, '%25'));
  } catch {
    return id;
  }
  return decoded.replace(
    /[?,;:!'"()[\]{}]|\p{Emoji_Modifier}|\p{Emoji_Modifier_Base}|\p{Emoji_Presentation}|\p{Extended_Pictographic}|\u200D|\uFE0E|\uFE0F/gu,
    '',
  );
}

/** As `normalizeCustomId` of `@mintlify/common`, for `## Title {#id}`. */
export function ownId(written: string): string {
  return cleanId(written.trim().replace(/[<>"&]/g, '')).replace(/\s+/g, '-');
}

/**
 * The id of a text before it is numbered: non-ASCII characters stay percent-encoded until {@link cleanId}.
 */
export function textSlug(text: string): string {
  const encoded = encodeURIComponent(text.toWellFormed().toLowerCase().trim().replace(/\s+/g, '-'));
  if (/%[\dA-F]{2}/.test(encoded)) return dashed(encoded, /[^a-zA-Z\d%_]+/g);
  return dashed(encoded.toLowerCase(), /[^a-z\d_]+/g);
}

/** Gives ids as `slugifyWithCounter` of `@sindresorhus/slugify` does: the second is `-2`. */
export function countingSlugger(): (text: string) => string {
  const seen = new Map<string, number>();
  return (text) => {
    const slug = textSlug(text);
    if (slug === '') return '';
    const key = slug.toLowerCase();
    const numberless = seen.get(key.replace(/(?:-\d+)+$/, '')) ?? 0;
    const count = seen.get(key);
    seen.set(key, count === undefined ? 1 : count + 1);
    const next = seen.get(key) ?? 2;
    return next >= 2 || numberless > 2 ? `${slug}-${next}` : slug;
  };
}

/** An id that was given before gets `-2`, `-3`: `deduplicateSlug` of `remarkExtractTableOfContents`. */
export function distinctIds(): (slug: string) => string {
  const seen = new Map<string, number>();
  const next = new Map<string, number>();
  return (slug) => {
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    if (count === 0) return slug;
    // A used number stays used: counting continues from the last one.
    let suffix = Math.max(count + 1, next.get(slug) ?? 0);
    while (seen.has(`${slug}-${suffix}`)) suffix++;
    next.set(slug, suffix + 1);
    seen.set(`${slug}-${suffix}`, 1);
    return `${slug}-${suffix}`;
  };
}

/** Latin letters that `@sindresorhus/transliterate` 1.6.0 does not write by leaving out their signs. */
const LETTERS: Record<string, string> = Object.fromEntries(
  'ß=ss ä=ae æ=ae ð=d ö=oe ø=o ü=ue þ=th đ=d ħ=h ı=i ĳ=ij ł=l'.split(' ').map((pair) => pair.split('=')),
);

/**
 * Ids of accordions, views and parameters, by `@sindresorhus/slugify`; null if the text has letters that it
 * transliterates by its own list.
 */
export function componentSlug(text: string, decamelizes = false): string | null {
  const spelt = text
    .normalize()
    .replaceAll('&', ' and ')
    .replaceAll('🦄', ' unicorn ')
    .replaceAll('♥', ' love ')
    .replace(/[ßäæðöøüþđħıĳł]/gi, (letter) => {
      const latin = LETTERS[letter.toLowerCase()] ?? letter;
      return letter === letter.toLowerCase() ? latin : latin.charAt(0).toUpperCase() + latin.slice(1);
    });
  const plain = spelt.normalize('NFD').replace(/\p{Diacritic}/gu, '');
  const isKnown = /[\p{Script=Latin}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
  for (const [letter] of plain.matchAll(/[^\P{L}\p{ASCII}]/gu)) if (!isKnown.test(letter)) return null;
  const words = decamelizes
    ? plain
        .replace(/([A-Z]{2,})(\d+)/g, '$1 $2')
        .replace(/([a-z\d]+)([A-Z]{2,})/g, '$1 $2')
        .replace(/([a-z\d])([A-Z])/g, '$1 $2')
        .replace(/([A-Z]+)([A-Z][a-rt-z\d]+)/g, '$1 $2')
    : plain;
  return dashed(words.toLowerCase(), /[^a-z\d]+/g);
}

/** Typographic signs, as `remark-smartypants` sets them in a text. */
export function smartText(text: string): string {
  if (!/['"`]|--|\.\.\./.test(text)) return text;
  return text
    .replaceAll('---', '—')
    .replaceAll('--', '—')
    .replaceAll('...', '…')
    .replace(/(^|[\s([{—-])'/g, '$1‘')
    .replaceAll("'", '’')
    .replace(/(^|[\s([{—-])"/g, '$1“')
    .replaceAll('"', '”');
}

/** An id, or a hash, without the quotation marks that it may have in several forms. */
export function withoutQuotes(id: string): string {
  return cleanId(id).replace(/[“”„‘’]/g, '');
}

/** The text of a title, which may contain Markdown. */
export function titleText(title: string): string {
  if (!/[*_`~[\\&<]/.test(title) || title.length > 500) return title;
  return plainText(parseMarkdown(title, 'markdown').root);
}

/** As `@sindresorhus/slugify` 2.2.0: `don't` becomes `dont`. */
function dashed(text: string, signs: RegExp): string {
  const words = text.replace(signs, '-').replace(/([a-zA-Z\d])-([ts])(?=-|$)/g, '$1$2');
  return words.replace(/-{2,}/g, '-').replace(/^-|-$/g, '');
}
