import { blank, maskHeadingId, maskLines, MAX_LINE, unmasked, type MaskedPage } from './masked-page.ts';

/**
 * `{#id}` with other attributes, as markdown-it-attrs reads it:
 * https://vitepress.dev/guide/markdown#custom-anchors
 */
const HEADING_ATTRIBUTES =
  /\{(?=[ \t#.\w])(?:(?:[^{}\n]*? )??(?:#|id="?)([^\s{}"]{1,200}))?[^{}\n]*\}[ \t]*#*[ \t]*\r?$/;
/** The same after a paragraph, an item, a picture, code, emphasis, and the name of a container. */
const ATTRIBUTES = /\{(?!\{)(?:[^{}\n]* )?(?:#|id="?)([^\s{}"]{1,200})[^{}\n]*\}/g;
const CONTAINER = /^[ \t]*(:{3,}.*)$/;
/** https://vitepress.dev/guide/markdown#markdown-file-inclusion */
const INCLUDE = /<!--\s{0,20}@include:\s{0,20}([^\s#{>]{1,500})[^>]{0,500}?-->/g;

/** https://vitepress.dev/guide/markdown#import-code-snippets */
const SNIPPET = /^[ \t]*<<<[ \t]*([^\s#{[]{1,500}\.\w{1,20})(?=[\s#{[]|$)/;
const SCRIPT_TAG = /^<(\/?)script\b[^>\n]{0,200}>/gm;
const IMPORT = /^[ \t]*(?:import|export)\b[^'"`;]{0,500}?['"](\.{1,2}\/[^'"\n]{1,500})['"]/gm;

/**
 * A component's tag that continues in the next line: a block up to `>`, however its lines begin
 * (`componentPlugin` of VitePress 1.6 and 2).
 */
const OPEN_TAG = /^ {0,3}<(?:[A-Z]|\w{1,99}-)[^>\n]*$/gm;

export function maskVitepress(text: string): MaskedPage {
  const page = unmasked(text);
  if (text.includes('<script')) page.includes.push(...scriptImports(text));
  for (const match of text.matchAll(INCLUDE)) {
    const start = match.index + match[0].indexOf(match[1]!);
    page.includes.push({ target: match[1]!, start, end: start + match[1]!.length });
  }
  page.text = maskLines(text, (line, start, next) => {
    const heading = line.includes('{') ? maskHeadingId(line, next, HEADING_ATTRIBUTES) : null;
    if (heading?.id) page.ids.set(start, heading.id);
    if (heading) return heading.line;
    const snippet = line.includes('<<<') ? SNIPPET.exec(line)?.[1] : undefined;
    if (snippet !== undefined) {
      const at = start + line.indexOf(snippet, line.indexOf('<<<') + 3);
      page.includes.push({ target: snippet, start: at, end: at + snippet.length, isCode: true });
    }
    if (line.length <= MAX_LINE && line.includes('{')) {
      for (const match of line.matchAll(ATTRIBUTES)) page.anchors.push(match[1]!);
    }
    const container = line.includes(':::') ? CONTAINER.exec(line)?.[1] : undefined;
    return container === undefined ? null : line.slice(0, line.length - container.length) + blank(container);
  });
  page.text = joinTags(page.text);
  return page;
}

/** Joins tags of components into one line: to Markdown, a line that begins with `>` is a quotation. */
function joinTags(text: string): string {
  if (!/^[ \t]*>/m.test(text)) return text;
  const outside = maskLines(text, () => null, undefined, blank);
  let joined = '';
  let from = 0;
  for (const { index } of outside.matchAll(OPEN_TAG)) {
    if (index < from) continue;
    const end = outside.indexOf('>', index);
    if (end === -1) break;
    joined += text.slice(from, index) + text.slice(index, end).replace(/[\r\n]/g, ' ');
    from = end;
  }
  return joined + text.slice(from);
}

/**
 * Imports of a page's scripts from files beside it: https://vitepress.dev/guide/using-vue#script-and-style
 */
function scriptImports(text: string): MaskedPage['includes'] {
  const outside = maskLines(text, () => null, undefined, blank);
  const found: MaskedPage['includes'] = [];
  let from: number | null = null;
  for (const tag of outside.matchAll(SCRIPT_TAG)) {
    if (!tag[1]) from ??= tag.index + tag[0].length;
    else if (from !== null) {
      for (const one of outside.slice(from, tag.index).matchAll(IMPORT)) {
        const start = from + one.index + one[0].lastIndexOf(one[1]!);
        found.push({ target: one[1]!, start, end: start + one[1]!.length, syntax: 'script' });
      }
      from = null;
    }
  }
  return found;
}
