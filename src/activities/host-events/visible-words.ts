import { withoutInvisible } from '@docent/docs-check/read/visible-text';

/** A comment that is not closed hides the rest, as browsers and hosts have it. */
const HTML_COMMENT = /<!--[\s\S]*?(?:--!?>|$)|<!(?!--)[^>]*>|<\?[\s\S]*?(?:\?>|$)/g;
/** Definitions of links show nothing: `[//]: # (hidden)`. */
const DEFINITION = /^ {0,3}\[[^\]\n]{1,200}\]:[^\n]*$/gm;
/** The parts of images and links that show only under a pointer. */
const LINK_TITLE = /(\]\([^()\s]*)\s+(?:"[^"\n]*"|'[^'\n]*'|\([^()\n]*\))\s*\)/g;

/**
 * What people write to each other, without what only a machine reads: HTML comments (in code, too), characters without a look, definitions
 * and titles of links.
 */
export function visibleWords(body: string): string {
  return withoutInvisible(body.replace(/\r\n?/g, '\n'))
    .replace(HTML_COMMENT, '')
    .replace(DEFINITION, '')
    .replace(LINK_TITLE, '$1)')
    .trim();
}
