import crawlers from 'crawler-user-agents';
import type { VisitorClass } from '../event-kind.ts';

export interface NamedCrawler {
  readonly agent: string | null;
  readonly class: Exclude<VisitorClass, 'human'>;
  /** False for a library or a driven browser: the list knows the tool, not its user. */
  readonly recognized: boolean;
}

interface Entry {
  readonly pattern: RegExp;
  readonly class: NamedCrawler['class'];
  readonly recognized: boolean;
  /** The name, if the matching text is unbounded; undefined: the matching text is the name. */
  readonly name: string | null | undefined;
}

const TOOL_TAGS = new Set(['http-library', 'browser-automation']);

/** The package's types leave the tags out. */
const LIST: readonly { pattern: string; tags?: readonly string[] }[] = crawlers;

const ENTRIES: readonly Entry[] = LIST.map(({ pattern, tags = [] }) => ({
  pattern: new RegExp(pattern),
  name: isFinite(pattern) ? undefined : longestLiteral(pattern),
  class: classOf(tags),
  recognized: !tags.some((tag) => TOOL_TAGS.has(tag)),
}));

/** Most user agents are browsers: one expression excludes them before 1,500 are tried. */
const ANY = new RegExp(LIST.map(({ pattern }) => `(?:${pattern})`).join('|'));

/** The first entry of the list `crawler-user-agents` that matches, or null. */
export function findNamedCrawler(userAgent: string): NamedCrawler | null {
  if (!ANY.test(userAgent)) return null;
  for (const entry of ENTRIES) {
    const match = entry.pattern.exec(userAgent);
    if (!match) continue;
    const agent = entry.name === undefined ? trimName(match[0]) : entry.name;
    return { agent, class: entry.class, recognized: entry.recognized };
  }
  return null;
}

function classOf(tags: readonly string[]): NamedCrawler['class'] {
  if (tags.includes('search-engine')) return 'search';
  return tags.includes('ai-crawler') ? 'training' : 'other';
}

/** True without wildcards, classes or repetitions: names must come from the list, not from the request. */
function isFinite(pattern: string): boolean {
  const bare = pattern.replaceAll(/\\[./_\- ()]/g, '').replaceAll(/\[(\w)(\w)\]/g, '');
  return !/[.*+?{}[\]\\]/.test(bare);
}

function longestLiteral(pattern: string): string | null {
  const literals = pattern
    .replaceAll(/\\([./_\- ])/g, '$1')
    .split(/\\.|\[[^\]]*\]|[()|?*+^$[\]{}]+/)
    .map((part) => trimName(part) ?? '');
  return literals.reduce((best, part) => (part.length > best.length ? part : best), '') || null;
}

function trimName(text: string): string | null {
  const name = text.replaceAll(/^[\s/:;._()-]+|[\s/:;._()-]+$/g, '');
  return name.length > 1 ? name : null;
}
