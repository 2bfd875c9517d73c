import { blank, blankMark, maskHeadingId, maskLines, MAX_LINE, unmasked, type MaskedPage } from './masked-page.ts';

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

/** A tag with attributes as Vue has them: `@click`, `#slot`, `:[name]`. */
const VUE_TAG = /<([A-Za-z][\w-]*)(?:\s+[\w@:#[][\w@:#[\].-]*(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?)+\s*\/?>/g;
const ATTRIBUTE_NAME = /(\s)([@:#\w[][\w@:#[\].-]*)(?=[\s=/>])|"[^"]*"|'[^']*'/g;

/** A tag of a component, as `MyPart` or `my-part`. */
const COMPONENT_TAG = /<([A-Z]\w{0,99}|[a-z]\w{0,50}(?:-\w{1,50}){1,9})(?=[\s/>])/g;
const COMPONENT_IMPORT = /^[ \t]*import[ \t]+(\w{1,100})[ \t]+from[ \t]+['"]([^'"\n]{1,300})['"]/gm;

export function maskVitepress(text: string): MaskedPage {
  const page = unmasked(text);
  const shown = new Set<string>();
  const imported = new Map<string, string>();
  if (text.includes('<script')) {
    for (const [, name, module] of text.matchAll(COMPONENT_IMPORT)) imported.set(name!, module!);
  }
  if (text.includes('<script')) page.includes.push(...scriptImports(text));
  for (const match of text.matchAll(INCLUDE)) {
    const start = match.index + match[0].indexOf(match[1]!);
    page.includes.push({ target: match[1]!, start, end: start + match[1]!.length });
  }
  page.text = maskLines(text, (line, start, next) => {
    if (line.includes('<') && line.length <= MAX_LINE) {
      for (const [, name] of line.matchAll(COMPONENT_TAG)) shown.add(`vue:${imported.get(name!) ?? name!}`);
    }
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
    return container === undefined ? null : line.slice(0, line.length - container.length) + blankMark(container);
  });
  page.text = joinTags(htmlAttributes(page.text));
  return shown.size === 0 ? page : { ...page, shown };
}

/**
 * Replaces what HTML does not allow in names of attributes, so that a Markdown parser finds the tags.
 * VitePress allows `@` everywhere, and anything in elements that are not HTML and begin a line.
 */
function htmlAttributes(text: string): string {
  if (!/\s[@#:]/.test(text)) return text;
  return text.replace(VUE_TAG, (tag: string, name: string, index: number) => {
    const isBlock = /[A-Z-]/.test(name) || /^(?:template|component|slot)$/.test(name);
    const startsLine = isBlock && text.slice(text.lastIndexOf('\n', index) + 1, index).trim() === '';
    const wrong = startsLine ? /[@#[\]]/g : /@/g;
    return tag.replace(ATTRIBUTE_NAME, (whole: string, blankBefore?: string, attribute?: string) =>
      attribute === undefined ? whole : blankBefore! + attribute.replace(wrong, '_'),
    );
  });
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
