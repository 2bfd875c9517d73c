import { pythonSlugger } from '../read/heading-slug.ts';
import { blank, maskHeadingId, maskLines, MAX_LINE, unmasked, type MaskedPage } from './masked-page.ts';

/** https://python-markdown.github.io/extensions/attr_list/ */
const HEADING_ATTRIBUTES =
  /\{:?(?=[\s#.\w])(?:[^{}\n]*?(?:#|\bid=["']?)([^\s{}#"']{1,200}))?[^{}\n]*\}[ \t]*#*[ \t]*\r?$/;
const ATTRIBUTES = /\{:?[^{}\n]*?(?:#|\bid=["']?)([^\s{}#"']{1,200})[^{}\n]*\}/g;
/** The title of a tab, from which `pymdownx.tabbed` may make an id. */
const TAB = /^[ \t]*===[!+]*[ \t]+"([^"\n]{1,500})"/gm;
/** Comments that hooks replace: `<!-- md:option name -->`. */
const HOOK = /<!--[ \t]{1,9}[a-z]+:[a-z]+[ \t]{1,9}([^\n>]{1,200}?)[ \t]{0,9}-->/g;
/** The output of mkdocstrings, mkdocs-click and macros has headings of its own. */
const GENERATED =
  /^[ \t]{0,40}(?::::[ \t]+\S|\{%[\s-]{0,40}(?:include|import|for|call)\b|\{\{[ \t]*\w+\(|\{\{[^{}\n]{1,200}\}\}[ \t]*$|#{1,6}[^\n]{0,500}\{[{%])/m;
const FENCE_ATTRIBUTES = /^[ \t>]{0,100}(?:`{3,9}|~{3,9})[^\n#]{0,200}#([\w.:-]{1,200})[^\n]{0,200}\}[ \t]*\r?$/gm;
/** Admonitions, collapsible blocks and tabs: indented lines below belong to them. */
const BLOCK = /^([ \t]*)(?:!!!|\?\?\?\+?|===[!+]*)(?:[ \t]+.*)?\r?$/;
/** https://facelessuser.github.io/pymdown-extensions/extensions/snippets/ */
const SNIPPET = /^[ \t]*-{1,}8<-{1,}[ \t]+(['"])([^'"\n]{1,500})\1[ \t]*\r?$/;

/** `{!file!}` of markdown-include: https://github.com/cmacmackin/markdown-include */
const INCLUDE = /\{![ \t]{0,20}([^\s!{}][^!{}\n]{0,500}?)[ \t]{0,20}!\}/g;

/** Deeper than any page nests. */
const MAX_DEPTH = 40;

/**
 * Python-Markdown's own blocks as a Markdown parser can read them: `!!! note` with an indented text becomes a
 * quotation, so that headings, links and lists in it are seen. The four columns of each level stay four
 * columns.
 */
export function maskMkdocs(text: string): MaskedPage {
  const page = { ...unmasked(text), hasMoreAnchors: GENERATED.test(text) };
  for (const pattern of [HOOK, FENCE_ATTRIBUTES]) {
    for (const match of text.matchAll(pattern)) page.anchors.push(...match[1]!.split(/\s+/));
  }
  for (const match of text.matchAll(TAB)) page.anchors.push(pythonSlugger('lower')()(match[1]!));
  /** Columns at which blocks that are open have begun. */
  let blocks: number[] = [];
  page.text = maskLines(
    quoteBlocks(text),
    (line, start, next) => {
      const heading = line.includes('{') ? maskHeadingId(line, next, HEADING_ATTRIBUTES) : null;
      if (heading?.id) {
        page.ids.set(start, heading.id);
        page.takenIds.push(heading.id);
      }
      if (heading) return heading.line;
      if (line.length > MAX_LINE) return null;
      if (line.includes('{')) {
        for (const match of line.matchAll(ATTRIBUTES)) {
          page.anchors.push(match[1]!);
          page.takenIds.push(match[1]!);
        }
      }
      const snippet = line.includes('8<') ? SNIPPET.exec(line)?.[2] : undefined;
      if (snippet !== undefined) {
        include(snippet, start + line.indexOf(snippet));
        return blank(line);
      }
      if (!line.includes('{!')) return null;
      return line.replace(INCLUDE, (whole, target: string, at: number) => {
        page.includes.push({
          target,
          start: start + at + whole.indexOf(target),
          end: start + at + whole.indexOf(target) + target.length,
        });
        return blank(whole);
      });
    },
    undefined,
    (line, start) => {
      // Snippets are put in before fences are read.
      const snippet = line.includes('8<') ? SNIPPET.exec(line)?.[2] : undefined;
      if (snippet !== undefined) include(snippet, start + line.indexOf(snippet), true);
      return line;
    },
  );
  return page;

  function include(snippet: string, at: number, isCode = false): void {
    const target = snippet.replace(/:[\w,:-]*$/, '');
    page.includes.push({ target, start: at, end: at + target.length, isCode });
  }

  function quoteBlocks(source: string): string {
    if (!/^[ \t]*(?:!!!|\?\?\?|===)/m.test(source)) return source;
    const lines = source.split('\n');
    let fence: { mark: string; indent: number } | null = null;
    for (const [i, line] of lines.entries()) {
      const indent = /^ */.exec(line)![0].length;
      if (line.trim() === '') continue;
      if (!fence) blocks = blocks.filter((column) => indent >= column + 4);
      const quoted =
        blocks.length === 0
          ? line
          : quote(
              line,
              blocks.filter((column) => indent >= column + 4),
            );
      const mark = /^ *(?:(?:[-*+]|\d+\.) +)?(`{3,}|~{3,})/.exec(line)?.[1];
      if (fence) {
        if (mark?.startsWith(fence.mark) && line.trim() === mark) fence = null;
        lines[i] = quoted;
      } else if (mark !== undefined) {
        fence = { mark, indent };
        lines[i] = quoted;
      } else if (BLOCK.test(line)) {
        lines[i] = quote(
          quoted.includes('](')
            ? quoted.replace(/!!!|\?\?\?\+?|===[!+]*/, blank)
            : quoted.slice(0, indent) + blank(quoted.slice(indent)),
          [indent],
        );
        if (blocks.length < MAX_DEPTH) blocks.push(indent);
      } else lines[i] = quoted;
    }
    return lines.join('\n');
  }
}

function quote(line: string, columns: readonly number[]): string {
  let result = line;
  for (const column of columns) result = `${result.slice(0, column)}>${result.slice(column + 1)}`;
  return result;
}
