import { decodeHTML } from 'entities';
import type { BaseTree, OverlayEntry } from '../../git/contract.ts';
import { withoutInvisible } from '../read/visible-text.ts';

/** Something that is no mistake, but that a person should look at before the change counts. */
export interface ReviewNote {
  path: string;
  /** A sentence that goes on after the path. */
  message: string;
}

const MAX_NOTES = 50;
const MAX_SHOWN_HOSTS = 10;
/** Characters of the base that are searched for servers it names already. */
const MAX_BASE_TEXT = 64_000_000;

const PAGE = /\.(mdx?|markdown)$/i;
const SEARCHED = /\.(mdx?|markdown|json|ya?ml|html?|toml|[cm]?[jt]sx?|css|svg)$/i;
/** What a build, or the browser of a reader, runs. */
const CODE =
  /\.([cm]?[jt]sx?|vue|svelte|astro|py|rb|sh|bash|ps1|php|html?|css|svg|njk|liquid|hbs)$|(^|\/)mkdocs\.ya?ml$/i;
const AGENT_RULES =
  /(^|\/)(AGENTS|CLAUDE|GEMINI|SKILL|copilot-instructions|llms(-full)?)\.(md|mdx|txt)$|(^|\/)\.[a-z]+rules$/i;

/** An address of another server, also as browsers read it that take a backslash for a slash. */
const ADDRESS =
  /(?:https?:|wss?:|["'(=\s])[\\/]{2}(?:[^\s\\/@"'<>()]{0,200}@)?(\[[0-9a-f:.]{2,45}\]|[\p{L}\p{N}_.-]{3,253})/giu;
/** Markup that runs something, or shows another page in this one. */
const ACTIVE = /<(?:script|iframe|object|embed|base|form|meta|link)\b|[\s"']on[a-z]{3,20}\s*=|javascript:/gi;

/**
 * What a reviewer should see first of a change: servers that the docs did not name before (an image or a link can carry what the agent
 * has read to whoever owns the server), code in pages and files, and rules for agents.
 */
export function reviewNotes(base: BaseTree, overlay: readonly OverlayEntry[]): ReviewNote[] {
  const notes: ReviewNote[] = [];
  let known: Set<string> | null = null;
  for (const { path, content } of overlay) {
    if (content === null || notes.length >= MAX_NOTES) continue;
    const before = base.readText(path) ?? '';
    const fresh = [...hostsIn(content)].filter((host) => !hostsIn(before).has(host));
    if (fresh.length > 0) known ??= hostsOf(base);
    const hosts = fresh.filter((host) => !known?.has(host));
    if (hosts.length > 0) {
      const shown = hosts.slice(0, MAX_SHOWN_HOSTS).join(', ');
      const more = hosts.length > MAX_SHOWN_HOSTS ? ` and ${hosts.length - MAX_SHOWN_HOSTS} more` : '';
      notes.push({ path, message: `names servers that the docs did not name before: ${shown}${more}` });
    }
    if (CODE.test(path)) notes.push({ path, message: 'is code that a build or a browser may run' });
    else if (PAGE.test(path) && hasNewCode(before, content, /\.mdx$/i.test(path))) {
      notes.push({ path, message: 'has new code in it that runs when the site is built or read' });
    }
    if (hiddenIn(content) > hiddenIn(before)) {
      notes.push({ path, message: 'has new characters in it that nobody sees, or that turn text around' });
    }
    if (AGENT_RULES.test(path)) notes.push({ path, message: 'tells agents how to work on this repository' });
  }
  return notes;
}

function hiddenIn(text: string): number {
  return text.replaceAll('\r\n', '\n').length - withoutInvisible(text).length;
}

function hostsIn(text: string): Set<string> {
  const hosts = new Set<string>();
  for (const [, host] of decodeHTML(text).matchAll(ADDRESS)) {
    const name = host!.toLowerCase().replace(/^\.+|\.+$/g, '');
    if (/[.:]/.test(name)) hosts.add(name);
  }
  return hosts;
}

function hostsOf(base: BaseTree): Set<string> {
  const hosts = new Set<string>();
  let read = 0;
  for (const { path, kind } of base.files()) {
    if (kind !== 'text' || !SEARCHED.test(path) || read > MAX_BASE_TEXT) continue;
    const text = base.readText(path) ?? '';
    read += text.length;
    for (const host of hostsIn(text)) hosts.add(host);
  }
  return hosts;
}

function hasNewCode(before: string, after: string, mdx: boolean): boolean {
  const known = new Set(codeIn(before, mdx));
  return codeIn(after, mdx).some((piece) => !known.has(piece));
}

/** Pieces of a page that run, each with its line. Code that is only shown does not count. */
function codeIn(page: string, mdx: boolean): string[] {
  const found: string[] = [];
  let fence: string | null = null;
  for (const line of page.split('\n')) {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark !== undefined && (fence === null || line.trim() === fence)) {
      fence = fence === null ? mark : null;
      continue;
    }
    if (fence !== null) continue;
    const shown = line.replace(/`[^`]*`/g, '');
    for (const [piece] of shown.matchAll(ACTIVE)) found.push(`${piece} ${line.trim()}`);
    if (!mdx) continue;
    if (/^(import|export)\s/.test(line)) found.push(line.trim());
    for (const [piece, inside] of line.matchAll(/\{([^{}]*)\}/g)) if (/[(=]/.test(inside!)) found.push(piece);
  }
  return found;
}
