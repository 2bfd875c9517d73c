import type { OverlayEntry } from '@docent/base/files/base-tree';
import { renamedPages } from '../checks/renamed-pages.ts';
import { commentRanges } from '../read/comment-ranges.ts';
import type { DocsSite } from '../read/docs-site.ts';
import { pageFormatOf } from '../read/page-format.ts';
import type { Site } from '../read/site.ts';
import { redirectsOfFile } from '../generators/redirects-file.ts';
import { readData, type Data } from './data-effects.ts';
import { sentences } from './effect-notes.ts';
import { EffectCollector } from './effects.ts';

/** A message about a file or a folder of the site. */
export interface SiteNote {
  path: string;
  message: string;
  /** A file stays and has lost something. */
  isLoss?: true;
}

/** A change, and the site before and after it. */
interface Losses {
  before: DocsSite;
  after: DocsSite;
  overlay: readonly OverlayEntry[];
  readBefore: (path: string) => string | null;
}

/** Fields with a page's address: a new value removes the old address. */
const ADDRESS_FIELD = /^(?:slug|permalink|url|path)$/;
/** Shorter texts change their length by any edit. */
const LEAST_TEXT = 200;
const LEAST_SHARE = 1 / 4;

/** What existing files lose although they still parse: their text, front matter fields, redirects. */
export function lossNotes({ before, after, overlay, readBefore }: Losses): SiteNote[] {
  const notes: SiteNote[] = [];
  const oldPaths = new Map([...renamedPages(before, after)].map(([from, to]) => [to, from]));
  for (const { path, content } of overlay) {
    const oldPath = oldPaths.get(path) ?? path;
    const was = readBefore(oldPath);
    if (was === null) continue;
    const sources = new Set(redirectsOf(path, content ?? ''));
    const lost = redirectsOf(path, was).filter((source) => !sources.has(source));
    if (lost.length > 0) notes.push({ path, message: sentences.redirects(lost) });
    if (content === null) continue;
    const size = sizeNote(path, was, content);
    if (size !== null) notes.push({ path, message: size });
    for (const message of damageNotes(was, content)) notes.push({ path, message });
    if (pageFormatOf(path) && content.trim() !== '') {
      const [facts, old] = [after.facts(path), before.facts(oldPath)];
      // A title of the front matter is looked for by the docs checks.
      if (old?.title && !old.frontMatter?.fields['title'] && facts && !facts.title) {
        notes.push({ path, message: 'no longer has a title' });
      }
      const fields = fieldNotes(matterOf(before, oldPath, was), matterOf(after, path, content));
      notes.push(...fields.map((message) => ({ path, message })));
    }
  }
  const { configPath } = before.site;
  const sources = new Set(redirectPairs(after.site).map(([from]) => from));
  const lost = redirectPairs(before.site)
    .map(([from]) => from)
    .filter((from) => !sources.has(from) && !(configPath !== null && isPage(after, configPath, from)));
  if (configPath !== null && lost.length > 0) {
    notes.push({ path: before.site.generator?.redirects?.path ?? configPath, message: sentences.redirects(lost) });
  }
  return notes.map((note) => ({ ...note, isLoss: true }));
}

/** A page at the address needs no redirect from there. */
function isPage(after: DocsSite, from: string, address: string): boolean {
  return after.resolver.resolve(from, address).kind === 'file';
}

function sizeNote(path: string, was: string, content: string): string | null {
  const measure = pageFormatOf(path) ? bodyOf : (text: string) => text.replace(/\s+/g, '').length;
  const [old, now] = [measure(was), measure(content)];
  if (old > 0 && now === 0) return 'no longer has any text';
  return old >= LEAST_TEXT && now < old * LEAST_SHARE ? `keeps ${now} of ${old} characters of its text` : null;
}

/** How models and people abbreviate text that they did not want to repeat. */
const STAND_IN =
  /^.{0,20}\b(?:rest|remainder|remaining|existing|previous|original|other|same)\b.{0,60}\b(?:unchanged|omitted|as (?:before|is|above)|the same|remains?|stays?|continues?|goes here|content here|for brevity)\b.{0,20}$/gim;
const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

/** Text that was replaced by a placeholder. */
function damageNotes(was: string, content: string): string[] {
  const isShorter = bodyOf(content) < bodyOf(was);
  return [
    ...(isShorter && count(content, STAND_IN) > count(was, STAND_IN)
      ? ['seems to have a placeholder in place of text that was there']
      : []),
    ...(count(content, /\uFFFD/g) > count(was, /\uFFFD/g)
      ? ['has new characters (�) that stand for damaged text']
      : []),
  ];
}

/** Characters that readers see as text below the headings. */
export function bodyOf(text: string): number {
  const withoutMatter = text.replace(/^\uFEFF?(---|\+\+\+)\r?\n[\s\S]*?\n\1[ \t]*(?:\r?\n|$)/, '');
  let [seen, from] = ['', 0];
  for (const [start, end] of commentRanges(withoutMatter, true)) {
    if (start < from) continue;
    seen += withoutMatter.slice(from, start);
    from = end;
  }
  return (seen + withoutMatter.slice(from)).replace(/^#{1,6}[ \t].*$|\s+/gm, '').length;
}

/** Redirects of the site's configuration, in order. */
export function redirectPairs(site: Site): [from: string, to: string][] {
  return site.config
    ? site.config.redirects.map(({ from, to }) => [from.value, to.value])
    : (site.generator?.redirects?.pairs ?? []).map(({ from, to }) => [from, to]);
}

/** Sources of the redirects in a file that a web server reads beside the site. */
function redirectsOf(path: string, text: string): string[] {
  if (/(?:^|\/)_redirects$/.test(path)) return redirectsOfFile(text).map(([from]) => from);
  if (!/(?:^|\/)(?:vercel\.json|netlify\.toml|firebase\.json|redirects\.(?:json|ya?ml))$/.test(path)) return [];
  const sources: string[] = [];
  const waiting = [readData(path, text, new EffectCollector())];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (Array.isArray(value)) waiting.push(...value);
    else if (typeof value === 'object' && value !== null) {
      for (const [key, field] of value.entries) {
        if (/^(?:source|from)$/.test(key) && typeof field === 'string') sources.push(field);
        else if (key.startsWith('/') && typeof field === 'string') sources.push(key);
        else waiting.push(field);
      }
    }
  }
  return sources;
}

type Fields = ReadonlyMap<string, Data>;

/** The front matter of a page; null if it has none, or none that can be read. */
function matterOf(docs: DocsSite, path: string, text: string): Fields | null {
  const matter = docs.facts(path)?.frontMatter;
  if (!matter) return null;
  const whole = text.slice(matter.start, matter.end);
  const inner = whole.replace(/^.*\r?\n/, '').replace(/(?:^|\n)(?:---|\+\+\+)[ \t]*$/, '');
  const data = readData(whole.startsWith('+++') ? 'x.toml' : 'x.yaml', inner, new EffectCollector());
  return typeof data === 'object' && data !== null && !Array.isArray(data) ? new Map(data.entries) : null;
}

function fieldNotes(was: Fields | null, is: Fields | null): string[] {
  // The docs checks report front matter that is gone completely.
  if (!was || !is) return [];
  const lost = [...was]
    .filter(([name, value]) => !isEmpty(value) && hasLost(value, is.get(name)))
    .map(([name]) => name);
  const moved = [...is]
    .filter(([name, value]) => ADDRESS_FIELD.test(name) && !isEmpty(value) && valueOf(was, name) !== valueOf(is, name))
    .map(([name]) => name);
  const hidden = [...is]
    .filter(([name, value]) => hides(name, value) && !hides(name, was.get(name)))
    .map(([name]) => name);
  return [
    ...(lost.length > 0 ? [sentences.lostFields(lost)] : []),
    ...(moved.length > 0 ? [sentences.movedBy(moved)] : []),
    ...(hidden.length > 0 ? [sentences.hiddenBy(hidden)] : []),
  ];
}

/** Whether a value is gone, or an item of a list of texts. */
function hasLost(was: Data, is: Data | undefined): boolean {
  if (is === undefined || isEmpty(is)) return true;
  if (!Array.isArray(was)) return false;
  const left = new Set((Array.isArray(is) ? is : [is]).map((item) => JSON.stringify(item)));
  return was.some((item) => !left.has(JSON.stringify(item)));
}

function valueOf(fields: Fields, name: string): string | undefined {
  return JSON.stringify(fields.get(name));
}

function isEmpty(value: Data): boolean {
  if (typeof value === 'string') return value.trim() === '';
  if (Array.isArray(value)) return value.length === 0;
  return value === null || (typeof value === 'object' && value.entries.length === 0);
}

/** Fields that exclude a page from the site, its navigation or search. */
function hides(name: string, value: Data | undefined): boolean {
  if (name === 'published') return value === false;
  return /^(?:draft|unlisted|hidden|noindex|exclude)$/.test(name) && value === true;
}
