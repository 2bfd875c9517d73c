import { decodeHTMLAttribute } from 'entities';
import { QuoteType, Tokenizer } from 'htmlparser2';

export interface HtmlAttribute {
  /** In lower case. */
  name: string;
  /** Decoded. */
  value: string;
  /** Offsets of the value without its quotes. */
  start: number;
  end: number;
}

export interface HtmlTag {
  name: string;
  kind: 'open' | 'close';
  start: number;
  /** After the `>`. */
  end: number;
  attributes: HtmlAttribute[];
}

export interface HtmlScan {
  tags: HtmlTag[];
  comments: [start: number, end: number][];
}

/**
 * Finds tags and comments in a piece of HTML, tolerantly: nothing must be balanced or closed.
 * @param offset is added to all positions
 */
export function scanHtml(html: string, offset: number): HtmlScan {
  const scan: HtmlScan = { tags: [], comments: [] };
  let tag: HtmlTag | null = null;
  let attribute: { name: string; start: number; end: number } | null = null;
  const finish = (end: number) => {
    if (!tag) return;
    scan.tags.push({ ...tag, end: end + 1 + offset });
    tag = null;
  };
  const tokenizer = new Tokenizer(
    { decodeEntities: false },
    {
      onopentagname(start, end) {
        tag = { name: html.slice(start, end), kind: 'open', start: start - 1 + offset, end: 0, attributes: [] };
      },
      onattribname(start, end) {
        attribute = { name: html.slice(start, end).toLowerCase(), start: -1, end: -1 };
      },
      onattribdata(start, end) {
        if (!attribute) return;
        if (attribute.start === -1) attribute.start = start;
        attribute.end = end;
      },
      onattribentity() {},
      onattribend(quote, end) {
        if (tag && attribute && quote !== QuoteType.NoValue) {
          const [start, stop] = attribute.start === -1 ? [end, end] : [attribute.start, attribute.end];
          tag.attributes.push({
            name: attribute.name,
            value: decodeHTMLAttribute(html.slice(start, stop)),
            start: start + offset,
            end: stop + offset,
          });
        }
        attribute = null;
      },
      onopentagend: finish,
      onselfclosingtag: finish,
      onclosetag(start, end) {
        const close = html.indexOf('>', end);
        const stop = close === -1 ? end : close + 1;
        const name = html.slice(start, end);
        scan.tags.push({ name, kind: 'close', start: start - 2 + offset, end: stop + offset, attributes: [] });
      },
      oncomment(start, end) {
        const open = html.lastIndexOf('<!', start);
        const close = Math.min(html.length, end + 1);
        scan.comments.push([(open === -1 ? start : open) + offset, close + offset]);
      },
      oncdata() {},
      ondeclaration() {},
      onend() {},
      onprocessinginstruction() {},
      ontext() {},
      ontextentity() {},
    },
  );
  tokenizer.write(html);
  tokenizer.end();
  return scan;
}

/** The contents of elements for code, including tags. */
export function codeElements(tags: readonly HtmlTag[]): [start: number, end: number][] {
  const found: [start: number, end: number][] = [];
  for (const name of ['pre', 'code', 'script', 'style']) {
    let start: number | null = null;
    for (const tag of tags) {
      if (tag.name.toLowerCase() !== name) continue;
      if (tag.kind === 'open') start ??= tag.start;
      else if (start !== null) {
        found.push([start, tag.end]);
        start = null;
      }
    }
    if (start !== null && (name === 'script' || name === 'style')) found.push([start, Infinity]);
  }
  return found;
}
