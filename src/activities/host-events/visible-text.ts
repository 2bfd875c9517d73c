import { withoutInvisible } from '@docent/docs-check/read/visible-text';
import { CODE } from '../../jobs/host-text.ts';

/** An unclosed comment hides the rest, as in browsers and on code hosts. */
const HTML_COMMENT = /<!--[\s\S]*?(?:--!?>|$)|<!(?!--)[^>]*(?:>|$)|<\?[\s\S]*?(?:\?>|$)/g;
const TITLE = `(?:"[^"]*"|'[^']*'|\\([^()]*\\))`;
/** Before a definition, even in quotes and lists. */
const INDENT = String.raw`(?: {0,3}(?:>[ \t]?|[*+-][ \t]+|\d{1,9}[.)][ \t]+)){0,20} {0,3}`;
const LABEL = String.raw`\[(?!\^)(?:\\[^\n]|[^\\[\]]){1,999}\]`;
const BREAK = String.raw`[ \t]*\n[ \t>]*`;
/** Definitions of links show nothing: `[//]: # (hidden)`. What follows on their line is removed, too. */
const DEFINITION = new RegExp(`^${INDENT}${LABEL}:(?:${BREAK})?[^\\n]*(?:\\n[ \\t>]*${TITLE}[ \\t]*$)?`, 'gm');
const DESTINATION = String.raw`(?:<[^<>\n]*>|[^\s()<]*(?:\([^\s()]*\)[^\s()]*){0,9})`;
/** The parts of links and images that show only under a pointer. */
const LINK_TITLE = new RegExp(String.raw`(\]\([ \t]*${DESTINATION})\s+${TITLE}\s*\)`, 'g');
/** What shows only if an image does not. */
const IMAGE_TEXT = /!\[(?:\\.|[^\\[\]]|\[[^\\[\]]*\])*\](?=[([])/g;
const TAG = /<[a-z][\w-]*(?:"[^"]*"|'[^']*'|[^"'<>])*>/g;
const UNSEEN_ATTRIBUTE =
  /\s(?:alt|title|placeholder|summary|aria-[a-z]+|data-[\w-]+)\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+)/gi;

/**
 * The text that people see. Removes what only machines read: HTML comments (in code, too), invisible
 * characters, link definitions, link titles, and the alternative texts of images.
 */
export function visibleText(body: string): string {
  const text = withoutInvisible(body.replace(/\r\n?/g, '\n')).replace(HTML_COMMENT, '');
  return outsideCode(text, (prose) => prose.replace(IMAGE_TEXT, '![]').replace(TAG, withoutUnseen))
    .replace(DEFINITION, '')
    .replace(LINK_TITLE, '$1)')
    .trim();
}

const withoutUnseen = (tag: string) => tag.replace(UNSEEN_ATTRIBUTE, '');

function outsideCode(text: string, change: (prose: string) => string): string {
  let at = 0;
  let changed = '';
  for (const { index, 0: code } of text.matchAll(CODE)) {
    changed += change(text.slice(at, index)) + code;
    at = index + code.length;
  }
  return changed + change(text.slice(at));
}
