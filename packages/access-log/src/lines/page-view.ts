import { LRUCache } from 'lru-cache';
import { copyOf, SharedValue } from '../shared-value.ts';
import { utmHost } from '../pages/channels.ts';
import { normalizePath } from '../pages/normalize-path.ts';
import type { LogRecord } from './record.ts';
import type { NoView, Seen, Target } from './target.ts';

/** Their meanings, for people. */
export const NO_VIEWS: Record<NoView, string> = {
  method: 'Only GET requests read pages, and POST requests an MCP endpoint.',
  redirect: 'A redirect. The target page has its own line.',
  error: 'The request failed.',
  asset: 'An image, script, style sheet, font, feed or other file, not a page.',
  part: 'A part of a page or file (206), not a whole one.',
  prefetch: 'A prefetch or partial request of a browser or framework.',
  no_page: 'The path is not a page: it is too long or has control characters.',
};

const ASSETS = [
  'css m?js cjs map wasm json jsonl? xml rss atom ya?ml txt csv webmanifest inv pagefind pf_\\w+', // of sites
  'png jpe?g gif svg webp avif bmp ico cur tiff? swf woff2? ttf otf eot',
  'mp[34] m4[av] webm og[gv] wav mov flac m3u8',
  'pdf docx? xlsx? pptx? od[tsp] epub ics',
  'zip gz tgz bz2 xz zst 7z tar whl gem jar deb rpm apk dmg exe msi pkg iso bin appimage sh bash ps1 bat py rb sig asc sha\\d+',
  'php\\d? aspx? cgi env sql bak tsx? jsx vue',
];
const ASSET = new RegExp(`\\.(?:${ASSETS.join(' ').replaceAll(' ', '|')})$`, 'i');
/** Files that answer questions of machines, and the folders of frameworks, search engines and hosts. */
const FOLDER =
  /^\/(?:_next|_nuxt|_astro|_app|_vercel|_image|_ipx|_static|_sources|_pagefind|pagefind|\.netlify|\.well-known|\.git|cdn-cgi|wp-(?:admin|content|includes|json)|@(?:vite|fs|id)|__\w+)(?:\/|$)/;
const FEED = /\/(?:feed|rss|atom)$/;
/** Markdown for agents: pages, whatever they end in. */
const LLMS = /\/llms(?:-full|-small|-ctx|-ctx-full)?\.txt$/;
/** Endpoints of the Model Context Protocol, as servers name them. */
const MCP = /\/mcp$/;
/**
 * Next.js fetches a page's payload with `_rsc`, Nuxt `_payload`, Remix `_data`: ahead of time, or as a part
 * of a page.
 */
const FRAMEWORK_QUERY = /[?&](?:_rsc|_data|__nextDataReq)=/;

/**
 * Whether a logged request is a page view, a broken link, or neither. A page view is a GET of a page that was
 * answered with a success or 304, or a successful POST to an MCP endpoint; a broken link is a GET that was
 * answered with 404 or 410.
 */
export function seenIn(record: Pick<LogRecord, 'method' | 'status' | 'pathOrUrl' | 'isPrefetch'>): Seen {
  const { method, status, pathOrUrl, isPrefetch } = record;
  if (method === 'POST') return mcpViewIn(record);
  if (method !== 'GET') return 'method';
  if (status === 206) return 'part';
  if (isPrefetch) return 'prefetch';
  const missing = status === 404 || status === 410;
  if (!missing && status !== 304) {
    if (status >= 400 || status < 200) return 'error';
    if (status >= 300) return 'redirect';
  }
  const target = (pathOrUrl.known ??= targetOf(pathOrUrl.text));
  return typeof target === 'string' ? target : missing ? target.missing : target.view;
}

function mcpViewIn({ status, pathOrUrl }: Pick<LogRecord, 'status' | 'pathOrUrl'>): Seen {
  const target = (pathOrUrl.known ??= targetOf(pathOrUrl.text));
  if (typeof target === 'string' || target.mcp === null) return 'method';
  return status >= 200 && status < 300 ? target.mcp : 'error';
}

/** Longer ones are practically never repeated. */
const CACHED_LENGTH = 256;
const targets = new LRUCache<string, Target>({ max: 20_000 });
const paths = new LRUCache<string, SharedValue<string>>({ max: 20_000 });

function targetOf(pathOrUrl: string): Target {
  if (pathOrUrl.length > CACHED_LENGTH) return judge(pathOrUrl);
  let target = targets.get(pathOrUrl);
  if (target === undefined) targets.set(pathOrUrl, (target = judge(pathOrUrl)));
  return target;
}

function judge(pathOrUrl: string): Target {
  const page = normalizePath(pathOrUrl);
  if (page === null) return 'no_page';
  if (FOLDER.test(page.path) || FEED.test(page.path) || (ASSET.test(page.path) && !LLMS.test(page.path)))
    return 'asset';
  if (FRAMEWORK_QUERY.test(pathOrUrl)) return 'prefetch';
  const path = sharedPath(page.path);
  const seen = { path, format: page.format, source: utmHost(pathOrUrl) };
  return {
    view: { kind: 'view', ...seen },
    missing: { kind: 'not-found', ...seen },
    mcp: MCP.test(page.path) ? { kind: 'view', ...seen, format: 'mcp' } : null,
  };
}

/** The same object for the same path, in any spelling. */
function sharedPath(path: string): SharedValue<string> {
  let shared = paths.get(path);
  if (shared === undefined) {
    shared = new SharedValue(copyOf(path));
    if (path.length <= CACHED_LENGTH) paths.set(shared.value, shared);
  }
  return shared;
}
