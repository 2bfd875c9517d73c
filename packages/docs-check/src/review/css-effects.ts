import type { EffectCollector } from './effects.ts';

const URLS =
  /url\(\s*(?:"([^"]{0,5000})"|'([^']{0,5000})'|([^\s"')]{1,5000}))|(?:@import|image-set\()\s*["']([^"']{1,5000})/gi;
const ACTIVE = /(?:expression\s*\(|behavior\s*:|-moz-binding\s*:)/i;

/** The servers that a style sheet, or a `style` attribute, has a browser ask. */
export function cssEffects(css: string, into: EffectCollector): void {
  const plain = css
    .replace(/\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\//g, '')
    .replace(/\\([0-9a-f]{1,6})\s?|\\(.)/gi, (_whole, hex?: string, other?: string) => {
      const code = hex === undefined ? Number.NaN : Number.parseInt(hex, 16);
      return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : (other ?? '');
    });
  for (const [, ...found] of plain.matchAll(URLS)) into.address(found.find((url) => url !== undefined) ?? '', 'image');
  if (ACTIVE.test(plain)) into.code('a script', css);
}
