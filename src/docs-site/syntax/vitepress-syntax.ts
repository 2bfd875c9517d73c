import { blank, maskHeadingId, maskLines, MAX_LINE, unmasked, type MaskedPage } from './masked-page.ts';

/** `{#id}` with other attributes, as markdown-it-attrs reads it: https://vitepress.dev/guide/markdown#custom-anchors */
const HEADING_ATTRIBUTES =
  /\{(?=[ \t#.\w])(?:(?:[^{}\n]*? )??(?:#|id="?)([^\s{}"]{1,200}))?[^{}\n]*\}[ \t]*#*[ \t]*\r?$/;
/** The same behind a paragraph, an item, a picture, code, emphasis, and the name of a container. */
const ATTRIBUTES = /\{(?!\{)(?:[^{}\n]* )?(?:#|id="?)([^\s{}"]{1,200})[^{}\n]*\}/g;
const CONTAINER = /^[ \t]*(:{3,}.*)$/;
/** https://vitepress.dev/guide/markdown#markdown-file-inclusion */
const INCLUDE = /<!--\s{0,20}@include:\s{0,20}([^\s#{>]{1,500})[^>]{0,500}?-->/g;

export function maskVitepress(text: string): MaskedPage {
  const page = unmasked(text);
  for (const match of text.matchAll(INCLUDE)) {
    const start = match.index + match[0].indexOf(match[1]!);
    page.includes.push({ target: match[1]!, start, end: start + match[1]!.length });
  }
  page.text = maskLines(text, (line, start, next) => {
    const heading = line.includes('{') ? maskHeadingId(line, next, HEADING_ATTRIBUTES) : null;
    if (heading?.id) page.ids.set(start, heading.id);
    if (heading) return heading.line;
    if (line.length <= MAX_LINE && line.includes('{')) {
      for (const match of line.matchAll(ATTRIBUTES)) page.anchors.push(match[1]!);
    }
    const container = line.includes(':::') ? CONTAINER.exec(line)?.[1] : undefined;
    return container === undefined ? null : line.slice(0, line.length - container.length) + blank(container);
  });
  return page;
}
