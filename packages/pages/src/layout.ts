import { createHash } from 'node:crypto';
import { Html, markup, type Content } from './html.ts';
import { STYLE } from './style.ts';

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** No scripts, no loading, no framing, and no referrer, because a page's address is a secret. */
export const PAGE_HEADERS: Record<string, string> = {
  'Content-Security-Policy': [
    "default-src 'none'",
    `style-src 'sha256-${STYLE_HASH}'`,
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; '),
  // Only to this server: with `no-referrer`, browsers send the forms of a page with the origin `null`.
  'Referrer-Policy': 'same-origin',
  'X-Robots-Tag': 'noindex, nofollow',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Opener-Policy': 'same-origin',
};

const STYLE_ELEMENT = new Html(`<style>${STYLE}</style>`);

export function page(title: string, content: Content): string {
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="referrer" content="same-origin">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
${STYLE_ELEMENT}
</head>
<body>
<main>
${content}
</main>
</body>
</html>
`.text;
}
