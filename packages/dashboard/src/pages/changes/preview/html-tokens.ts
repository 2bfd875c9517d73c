type Attributes = [name: string, value: string][];

export type Token =
  | { kind: 'text'; text: string }
  | { kind: 'open'; name: string; attributes: Attributes }
  | { kind: 'close'; name: string }
  /** Without children; `text` is the content of a script or a style. */
  | { kind: 'whole'; name: string; attributes: Attributes; text: string | null };

const TAG =
  /<!--[\s\S]*?(?:-->|$)|<[!?][^>]*>|<(\/?)([a-z][\w.:-]*)((?:[^<>"']|"[^"]{0,2000}"|'[^']{0,2000}'){0,1000})>/gi;
const ATTRIBUTE = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/g;
const EMPTY = /^(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)$/i;
/** Between their tags, nothing is a tag. */
const RAW = /^(?:script|style|textarea|title|xmp|iframe|noembed|noframes|plaintext|noscript|template)$/i;
const MAX_ATTRIBUTES = 40;

/**
 * Tags and text of HTML. Never passed to the browser's own parser: an allowlist of names decides which
 * elements are drawn.
 */
export function tokensOf(html: string): Token[] {
  const tokens: Token[] = [];
  let end = 0;
  TAG.lastIndex = 0;
  for (let match = TAG.exec(html); match; match = TAG.exec(html)) {
    if (match.index > end) tokens.push({ kind: 'text', text: decoded(html.slice(end, match.index)) });
    end = TAG.lastIndex;
    const [, slash, name, rest = ''] = match;
    if (name === undefined) continue;
    if (slash) tokens.push({ kind: 'close', name });
    else if (RAW.test(name)) {
      const closing = new RegExp(`</${name.replaceAll(/[^\w-]/g, '')}\\s*>`, 'ig');
      closing.lastIndex = end;
      const close = closing.exec(html);
      const text = html.slice(end, close?.index ?? html.length);
      tokens.push({ kind: 'whole', name, attributes: attributesOf(rest), text });
      end = close ? closing.lastIndex : html.length;
      TAG.lastIndex = end;
    } else if (EMPTY.test(name) || rest.trimEnd().endsWith('/'))
      tokens.push({ kind: 'whole', name, attributes: attributesOf(rest), text: null });
    else tokens.push({ kind: 'open', name, attributes: attributesOf(rest) });
  }
  if (end < html.length) tokens.push({ kind: 'text', text: decoded(html.slice(end)) });
  return tokens;
}

function attributesOf(text: string): Attributes {
  return [...text.matchAll(ATTRIBUTE)]
    .slice(0, MAX_ATTRIBUTES)
    .map(([, name = '', double, single, bare]) => [name, decoded(double ?? single ?? bare ?? '')]);
}

const NAMED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

function decoded(text: string): string {
  return text.replaceAll(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos|nbsp));/gi,
    (all, decimal, hex, name) => {
      if (name) return NAMED[String(name).toLowerCase()] ?? all;
      const code = decimal ? Number(decimal) : Number.parseInt(String(hex), 16);
      return code > 0 && code <= 0x10_ff_ff && !(code >= 0xd8_00 && code <= 0xdf_ff)
        ? String.fromCodePoint(code)
        : '\uFFFD';
    },
  );
}
