import { proseInConfig } from '@docent/docs-check/read/config-prose';
import type { Range } from '@docent/docs-check/read/page-facts';
import { pageFormatOf } from '@docent/docs-check/read/page-format';
import type { LeftReason } from '@docent/models/conversation/tool-data';
import type { ToolSession } from './tool-session.ts';

export interface Guarded {
  reason: LeftReason;
  start: number;
  end: number;
}

/**
 * Parts of a file that a replacement in prose leaves alone, sorted. Null for files without prose: neither
 * pages nor the site's configuration.
 * @param guard `code`: code and comments too; `links`: the targets of links and images too
 */
export function guardedParts(
  session: ToolSession,
  path: string,
  raw: string,
  guard: { code: boolean; links: boolean },
): Guarded[] | null {
  const { docs } = session;
  if (pageFormatOf(path)) {
    const facts = docs.facts(path);
    if (!facts) return null;
    const opaque = facts.opaque
      .filter(({ kind }) => guard.code || kind === 'markup')
      .map(({ kind, start, end }): Guarded => ({ reason: kind === 'markup' ? 'markup' : 'code', start, end }));
    const targets = facts.links.map(({ start, end }): Guarded => ({ reason: 'links', start, end }));
    return guard.links ? [...opaque, ...targets].toSorted((a, b) => a.start - b.start) : opaque;
  }
  const { config } = docs.site;
  if (!config?.sources.some((source) => source.path === path)) return null;
  return around(proseInConfig(config, path, !guard.links), raw.length);
}

function around(prose: readonly Range[], length: number): Guarded[] {
  const guarded: Guarded[] = [];
  let from = 0;
  for (const [start, end] of [...prose, [length, length] as Range]) {
    if (start > from) guarded.push({ reason: 'markup', start: from, end: start });
    from = end;
  }
  return guarded;
}

/** Letters of scripts that put spaces between words. */
const LETTER = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}_]/u;

/** Whether an occurrence is part of a longer word: `cat` in `category`, not in `cats` or `CatDoor`. */
export function isInsideWord(text: string, start: number, end: number): boolean {
  const [first, last] = [text[start] ?? '', text[end - 1] ?? ''];
  const before = text[start - 1] ?? '';
  if (LETTER.test(first) && LETTER.test(before) && !(isLower(before) && isUpper(first))) return true;
  if (!LETTER.test(last)) return false;
  const after = text.slice(end, end + 3);
  if (!LETTER.test(after[0] ?? '') || isUpper(after[0]!)) return false;
  return !/^e?s(?![\p{L}\p{N}_])/u.test(after);
}

function isUpper(c: string): boolean {
  return c !== c.toLowerCase();
}

function isLower(c: string): boolean {
  return c !== c.toUpperCase();
}
