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
    for (const [, part] of (read(inFolder(place, 'vercel.json')) ?? '').matchAll(/"source"\s*:\s*"([^"\n]{1,300})"/g)) {
      found.push([part!.replace(/\(\.\*\)/g, '*'), '/']);
    }
    for (const [, part] of (read(inFolder(place, 'netlify.toml')) ?? '').matchAll(
      /^\s*from\s*=\s*["']([^"'\n]{1,300})["']/gm,
    )) {
      found.push([part!, '/']);
    }
  }
  return found;
}

function inFolder(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}
