import { withoutInvisible } from '@docent/docs-check/read/visible-text';

/** An unclosed comment hides the rest, as in browsers and on code hosts. */
const HTML_COMMENT = /<!--[\s\S]*?(?:--!?>|$)|<!(?!--)[^>]*>|<\?[\s\S]*?(?:\?>|$)/g;
/** Definitions of links show nothing: `[//]: # (hidden)`. */
const DEFINITION = /^ {0,3}\[[^\]\n]{1,200}\]:[^\n]*$/gm;
/** The parts of images and links that show only under a pointer. */
const LINK_TITLE = /(\]\([^()\s]*)\s+(?:"[^"\n]*"|'[^'\n]*'|\([^()\n]*\))\s*\)/g;

/**
 * The text that people see. Removes what only machines read: HTML comments (in code, too), invisible
 * characters, link definitions and link titles.
 */
export function visibleWords(body: string): string {
  return withoutInvisible(body.replace(/\r\n?/g, '\n'))
    .replace(HTML_COMMENT, '')
    .replace(DEFINITION, '')
    .replace(LINK_TITLE, '$1)')
    .trim();
}
