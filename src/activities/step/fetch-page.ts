import { createGuardedFetch, type GuardedFetch } from '@docent/base/net/guarded-fetch';
import { networkReason } from '@docent/base/net/network-reason';
import { isListedPage, type NamedPage, readPage } from '@docent/base/net/page-pattern';

/** Of each request, with its body. */
const LIMITS = { maxBytes: 1_048_576, timeoutMs: 15_000 };
const MAX_REDIRECTS = 3;

const HTML = new Set(['text/html', 'application/xhtml+xml']);
const PLAIN = new Set(['text/markdown', 'text/x-markdown', 'text/plain']);

/** A page as its server sent it, or why there is none, in a sentence. */
export type SentPage = { url: string; isHtml: boolean; body: string } | { problem: string };

/** Refuses private addresses, pages of more than 1 MB, and those that take more than 15 s. */
export const createPageFetch = (privateHosts: readonly string[]): GuardedFetch =>
  createGuardedFetch({ allowed: privateHosts, ...LIMITS });

/**
 * Requests a page, and follows redirects to pages that are listed, too. Sends neither credentials nor
 * queries.
 * @param fetch checks addresses, and limits size and time
 * @param patterns as the project has them
 * @throws what aborts the signal
 */
export async function fetchPage(
  fetch: GuardedFetch,
  { asked, patterns }: { asked: string; patterns: readonly string[] },
  signal: AbortSignal,
): Promise<SentPage> {
  let page = readPage(asked);
  if (page === null)
    return { problem: `${JSON.stringify(asked)} is not the address of a page. Write https:// and no query.` };
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    if (!isListedPage(patterns, page)) return { problem: notListed(page, hop, patterns) };
    const url: string = `${page.origin}${page.path}`;
    try {
      const response = await fetch(url, {
        redirect: 'manual',
        headers: { Accept: ACCEPT, 'User-Agent': 'Docent' },
        signal,
      });
      const location = response.headers.get('location');
      if (response.status < 300 || response.status > 399 || location === null) return await read(response, url);
      await response.body?.cancel();
      const next = URL.canParse(location, url) ? readPage(new URL(location, url).href.replace(/#.*$/s, '')) : null;
      if (next === null) return { problem: `${url} redirects to an address that is not a plain page.` };
      page = next;
    } catch (err) {
      signal.throwIfAborted();
      return { problem: `${url} could not be read: ${networkReason(err)}` };
    }
  }
  return { problem: `${JSON.stringify(asked)} redirects more than ${MAX_REDIRECTS} times.` };
}

const ACCEPT = 'text/markdown, text/html;q=0.9, text/plain;q=0.8';

function notListed({ origin, path }: NamedPage, hop: number, patterns: readonly string[]): string {
  const which = hop === 0 ? `${origin}${path}` : `The page redirects to ${origin}${path}, which`;
  return `${which} is not among the web pages of this project: ${patterns.join(', ')}.`;
}

/** @throws what the guarded fetch throws for a body that is too long, or too slow */
async function read(response: Response, url: string): Promise<SentPage> {
  const [type = '', ...parameters] = (response.headers.get('content-type') ?? '').toLowerCase().split(';');
  const isHtml = HTML.has(type.trim());
  const refusal = !response.ok
    ? `${url} answered with status ${response.status}.`
    : isHtml || PLAIN.has(type.trim())
      ? null
      : `${url} is not a page of text, but ${JSON.stringify(type.trim().slice(0, 100))}.`;
  if (refusal !== null) {
    await response.body?.cancel();
    return { problem: refusal };
  }
  const bytes = await response.arrayBuffer();
  return { url, isHtml, body: decoded(bytes, parameters.join(';')) };
}

function decoded(bytes: ArrayBuffer, parameters: string): string {
  const charset = /charset\s*=\s*"?([\w:.-]{1,40})/.exec(parameters)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    // A name that no one knows.
    return new TextDecoder().decode(bytes);
  }
}
