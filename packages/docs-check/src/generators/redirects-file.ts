import { parse } from 'jsonc-parser';
import { isTable, readToml, tablesIn, textIn, type Table } from '../config/toml-value.ts';

const MAX_LINES = 20_000;

/**
 * Redirects of a `_redirects` file, which Netlify and Cloudflare Pages read beside a site's static files:
 * https://docs.netlify.com/routing/redirects/#syntax-for-the-redirects-file. Rewrites (status 200) count as
 * redirects too: readers find something either way.
 */
export function redirectsOfFile(text: string | null): [from: string, to: string][] {
  return (text ?? '')
    .split(/\r?\n/)
    .slice(0, MAX_LINES)
    .flatMap((line): [string, string][] => {
      const [from = '', to = '', ...rest] = line.trim().split(/\s+/);
      // Error pages for missing pages.
      if (rest.some((word) => /^4\d\d!?$/.test(word))) return [];
      if (!from.startsWith('/') || !/^(?:\/|https?:)/.test(to)) return [];
      return [[from, to.replaceAll(':splat', '*')]];
    });
}

/** The host's redirects, from `vercel.json` and `netlify.toml`. */
export function hostRedirects(folder: string, read: (path: string) => string | null): [string, string][] {
  const found: [string, string][] = [];
  for (const place of new Set([folder, ''])) {
    const vercel: unknown = parse(read(inFolder(place, 'vercel.json')) ?? '');
    // Headers have sources, too.
    for (const name of isTable(vercel) ? ['redirects', 'rewrites'] : [])
      for (const rule of tablesIn(vercel as Table, name))
        found.push([textIn(rule, 'source')?.replaceAll('(.*)', '*') ?? '', '/']);
    for (const rule of tablesIn(readToml(read(inFolder(place, 'netlify.toml')) ?? '').table, 'redirects'))
      // Others are error pages for missing pages.
      if (!(Number(rule['status'] ?? 301) >= 400)) found.push([textIn(rule, 'from') ?? '', '/']);
  }
  return found.filter(([from]) => from.startsWith('/'));
}

function inFolder(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}
