import { ORIGIN_RULE } from '../../../config/project-settings.ts';
import { isIpAddress } from '@docent/base/net/ip-address';

/** Why a page's views are not taken. */
export type OriginRefusal = 'no_origin' | 'not_listed' | 'local' | 'preview';

const LOCAL = /(?:^|\.)(?:localhost|local|localdomain|internal|test|invalid|example|home\.arpa)$/;
const PREVIEWS = [
  // Vercel: by branch, or by a hash of nine characters. Production is one label without either.
  /-git-[a-z0-9-]+\.vercel\.app$/,
  /-[a-z0-9]{9}-[a-z0-9-]+\.vercel\.app$/,
  // Netlify and Firebase: something before two dashes.
  /--[a-z0-9-]+\.(?:netlify\.app|web\.app|firebaseapp\.com)$/,
  // Cloudflare Pages and Workers: a label more than production has.
  /^[a-z0-9-]+\.[a-z0-9-]+\.pages\.dev$/,
  /^[0-9a-f]{8}-[a-z0-9-]+\.[a-z0-9-]+\.workers\.dev$/,
  /-pr-\d+\.onrender\.com$/,
  // Editors and tunnels.
  /\.(?:github\.dev|gitpod\.io|webcontainer\.io|stackblitz\.io|csb\.app|codesandbox\.io|repl\.co|replit\.dev)$/,
  /\.(?:ngrok\.io|ngrok\.app|ngrok-free\.app|ngrok-free\.dev|trycloudflare\.com|loca\.lt|devtunnels\.ms)$/,
];

/**
 * Null if views from pages of this origin are accepted. Exact entries of the list are accepted, including
 * previews and localhost. A `*.` entry accepts subdomains, but no previews. Without a list every public site
 * is accepted.
 * @param origin the `Origin` header
 * @param allowed see {@link ORIGIN_RULE}; null for no list. An invalid entry allows nothing.
 */
export function refusedOrigin(
  origin: string | null | undefined,
  allowed: readonly string[] | null,
): OriginRefusal | null {
  const page = origin ? URL.parse(origin) : null;
  // "null", extensions, files, apps.
  if (page === null || !/^https?:$/.test(page.protocol) || page.origin !== origin?.toLowerCase()) return 'no_origin';
  const host = page.hostname;
  if (allowed?.some((rule) => matches(rule.toLowerCase(), page, 'exact'))) return null;
  if (isLocal(host)) return 'local';
  if (PREVIEWS.some((pattern) => pattern.test(host))) return 'preview';
  if (allowed === null || allowed.some((rule) => matches(rule.toLowerCase(), page, 'wildcard'))) return null;
  return 'not_listed';
}

function matches(rule: string, page: URL, kind: 'exact' | 'wildcard'): boolean {
  const [, scheme, wildcard, host, port] = ORIGIN_RULE.exec(rule) ?? [];
  if (host === undefined || (wildcard !== undefined) !== (kind === 'wildcard')) return false;
  if (scheme !== undefined && `${scheme}:` !== page.protocol) return false;
  if (port === undefined ? scheme !== undefined && page.port !== '' : port !== effectivePort(page)) return false;
  return kind === 'exact' ? page.hostname === host : page.hostname.endsWith(`.${host}`);
}

function effectivePort(page: URL): string {
  return page.port || (page.protocol === 'https:' ? '443' : '80');
}

/** Names that mean this machine or network, bare names, and addresses: no docs site is read under one. */
function isLocal(host: string): boolean {
  return LOCAL.test(host) || !host.includes('.') || host.startsWith('[') || isIpAddress(host);
}
