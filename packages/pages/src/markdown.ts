import { markup, type Content, type Html } from './html.ts';

/** Longer texts are shown as they are. */
const MAX_CHARACTERS = 100_000;

/** The open block: a paragraph, a quotation, a list, a fenced block, or none. */
type Block =
  | { kind: 'paragraph'; lines: string[] }
  | { kind: 'quote'; lines: string[] }
  | { kind: 'list'; items: string[] }
  | { kind: 'code'; lines: string[]; fence: string };

/**
 * Renders the Markdown of pull request descriptions: headings, lists, quotations, rules, fenced code and
 * paragraphs, with inline code, bold and web links. Everything else, including HTML, is shown as text. Makes
 * one pass over the lines: the text is hostile (30,000 nested quotations keep a full Markdown parser busy for
 * seconds).
 */
export function renderMarkdown(text: string): Content {
  if (text.length > MAX_CHARACTERS) return markup`<div class="plain">${text}</div>`;
  const done: Html[] = [];
  let open: Block | null = null;
  for (const line of text.split(/\r?\n/)) {
    const next: Block | Html | null = read(line, open);
    if (next !== open && open) done.push(renderBlock(open));
    open = next && 'kind' in next ? next : null;
    if (next && !('kind' in next)) done.push(next);
  }
  if (open) done.push(renderBlock(open));
  return done;
}

/** Reads one line. Returns the block that is open after it or, without one, the HTML of the line. */
function read(line: string, open: Block | null): Block | Html | null {
  if (open?.kind === 'code') {
    if (line.trim() === open.fence) return null;
    open.lines.push(line);
    return open;
  }
  const fence = /^ {0,3}(`{3,}|~{3,})[^`]*$/.exec(line)?.[1];
  if (fence !== undefined) return { kind: 'code', lines: [], fence };
  const heading = /^#{1,6} +(\S.*)$/.exec(line)?.[1];
  if (heading !== undefined) return markup`<h3>${inline(heading)}</h3>`;
  // A comment is for programs, like the marks around the part of a description that Docent keeps up to date.
  if (line.trim() === '' || /^\s*<!--(?:(?!-->).)*-->\s*$/.test(line)) return null;
  if (open?.kind !== 'paragraph' && /^ {0,3}(?:-{3,}|\*{3,}|_{3,})\s*$/.test(line)) return markup`<hr>`;
  const quoted = /^ {0,3}>[ ]?(.*)$/.exec(line)?.[1];
  if (quoted !== undefined) {
    if (open?.kind !== 'quote') return { kind: 'quote', lines: [quoted] };
    open.lines.push(quoted);
    return open;
  }
  const item = /^ {0,3}[-*+] +(\S.*)$/.exec(line)?.[1];
  if (item !== undefined) {
    if (open?.kind !== 'list') return { kind: 'list', items: [item] };
    open.items.push(item);
    return open;
  }
  if (open?.kind === 'list') {
    open.items.push(`${open.items.pop() ?? ''}\n${line.trim()}`);
    return open;
  }
  if (open?.kind !== 'paragraph') return { kind: 'paragraph', lines: [line] };
  open.lines.push(line);
  return open;
}

function renderBlock(block: Block): Html {
  if (block.kind === 'code') return markup`<pre><code>${block.lines.join('\n')}</code></pre>`;
  if (block.kind === 'paragraph') return markup`<p class="plain">${inline(block.lines.join('\n'))}</p>`;
  if (block.kind === 'quote') return markup`<blockquote class="plain">${inline(block.lines.join('\n'))}</blockquote>`;
  return markup`<ul>${block.items.map((item) => markup`<li class="plain">${inline(item)}</li>`)}</ul>`;
}

/** Code, bold, `[text](https://…)` and bare links. No nesting. */
const INLINE =
  /`([^`\n]+)`|\*\*([^*\n]+)\*\*|\[([^[\]\n]{1,500})\]\((https?:\/\/[^\s()<>"']{1,2000})\)|(https?:\/\/[^\s()<>"'`]{1,2000})/g;

function inline(text: string): Content[] {
  const parts: Content[] = [];
  let end = 0;
  for (const match of text.matchAll(INLINE)) {
    const [whole, code, bold, label, target, bare] = match;
    parts.push(text.slice(end, match.index));
    end = match.index + whole.length;
    if (code !== undefined) parts.push(markup`<code>${code}</code>`);
    else if (bold !== undefined) parts.push(markup`<strong>${bold}</strong>`);
    else parts.push(markup`<a href="${target ?? bare}" rel="noreferrer nofollow">${label ?? bare}</a>`);
  }
  parts.push(text.slice(end));
  return parts;
}
