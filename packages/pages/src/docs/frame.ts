import { markup, type Content } from '../html.ts';

export interface FrameParts {
  title: string;
  description?: string;
  /** The path of the docs as browsers see it: `/docs`, after the prefix of a proxy. */
  prefix: string;
  /** The path of the dashboard. */
  home: string;
  /** Addresses of the style sheets and scripts, of this server alone. */
  styles: readonly string[];
  scripts: readonly string[];
  current: 'docs' | 'reference';
  /** The path of the same page as Markdown. */
  markdown?: string;
}

/** The frame of every docs page: its head, and the bar at the top. */
export function frame(parts: FrameParts, content: Content): string {
  const { prefix, current } = parts;
  return markup`<!doctype html>
<html lang="en" data-docs="${prefix}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${parts.title}</title>
${parts.description && markup`<meta name="description" content="${parts.description}">`}
<link rel="icon" href="${prefix}/images/mark.svg" type="image/svg+xml">
${parts.markdown && markup`<link rel="alternate" type="text/markdown" href="${parts.markdown}">`}
${parts.styles.map((href) => markup`<link rel="stylesheet" href="${href}">\n`)}
${parts.scripts.map((src, i) => markup`<script src="${src}"${i > 0 && markup` defer`}></script>\n`)}
</head>
<body class="${current}">
<a class="skip" href="#docs.content">Skip to content</a>
<header class="bar">
<button class="menu" type="button" aria-expanded="false" aria-controls="docs.pages" hidden><span aria-hidden="true">☰</span><span class="unseen">Pages</span></button>
<a class="brand" href="${prefix}"><img src="${prefix}/images/mark.svg" alt="" width="24" height="24"> Docent</a>
<search class="find" hidden><label class="unseen" for="docs.find">Search the docs</label>
<input id="docs.find" type="search" placeholder="Search" autocomplete="off" spellcheck="false" aria-describedby="docs.find-count"><kbd aria-hidden="true">/</kbd>
<p class="unseen" id="docs.find-count" role="status"></p><ul id="docs.found" class="found" hidden></ul></search>
<nav class="places" aria-label="Places">
<a href="${prefix}"${current === 'docs' && markup` aria-current="true"`}>Docs</a>
<a href="${prefix}/api"${current === 'reference' && markup` aria-current="true"`}>API</a>
<a href="${parts.home}">Dashboard</a>
</nav>
</header>
${content}
</body>
</html>
`.text;
}
