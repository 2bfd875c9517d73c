import { html, type Content, type Html } from './html.ts';

/** Longer texts are shown as they are. */
const MAX_CHARACTERS = 100_000;

/**
 * Shows the Markdown that pull request descriptions are made of: headings, lists, fenced code, paragraphs; inside them code, bold and
 * web links. Everything else, HTML too, is shown as text. One pass over the lines, whatever they hold: the text is hostile.
 */
export function renderMarkdown(text: string): Content {
  if (text.length > MAX_CHARACTERS) return html`<div class="plain">${text}</div>`;
  const blocks: Html[] = [];
  let paragraph: string[] = [];
  let items: string[] = [];
  let code: string[] | null = null;
  let fence = '';

  const flush = () => {
    if (paragraph.length > 0) blocks.push(html`<p class="plain">${inline(paragraph.join('\n'))}</p>`);
    if (items.length > 0)
      blocks.push(
        html`<ul>
          ${items.map((item) => html`<li class="plain">${inline(item)}</li>`)}
        </ul>`,
      );
    paragraph = [];
    items = [];
  };

  for (const line of text.split(/\r?\n/)) {
    if (code) {
      if (line.trim() === fence) {
        blocks.push(html`<pre><code>${code.join('\n')}</code></pre>`);
        code = null;
      } else code.push(line);
      continue;
    }
    const opening = /^ {0,3}(`{3,}|~{3,})[^`]*$/.exec(line);
    const heading = /^(#{1,6}) +(\S.*)$/.exec(line);
    const item = /^ {0,3}[-*+] +(\S.*)$/.exec(line);
    if (opening) {
      flush();
      fence = opening[1] ?? '';
      code = [];
    } else if (heading) {
      flush();
      blocks.push(html`<h3>${inline(heading[2] ?? '')}</h3>`);
    } else if (item) {
      if (paragraph.length > 0) flush();
      items.push(item[1] ?? '');
    } else if (line.trim() === '') flush();
    // A comment, like the marks around the part that Docent keeps up to date.
    else if (/^\s*<!--(?:(?!-->).)*-->\s*$/.test(line)) flush();
    else if (items.length > 0) items.push(`${items.pop() ?? ''}\n${line.trim()}`);
    else paragraph.push(line);
  }
  if (code) blocks.push(html`<pre><code>${code.join('\n')}</code></pre>`);
  flush();
  return blocks;
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
    if (code !== undefined) parts.push(html`<code>${code}</code>`);
    else if (bold !== undefined) parts.push(html`<strong>${bold}</strong>`);
    else parts.push(html`<a href="${target ?? bare}" rel="noreferrer nofollow">${label ?? bare}</a>`);
  }
  parts.push(text.slice(end));
  return parts;
}
