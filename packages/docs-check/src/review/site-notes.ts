import { plural } from '@docent/base/plural';
import type { OverlayEntry } from '@docent/base/files/base-tree';
import type { DocsSite, DocsFiles } from '../read/docs-site.ts';
import { pageFormatOf } from '../read/page-format.ts';
import type { Site } from '../read/site.ts';
import { bodyOf, lossNotes, redirectPairs, type SiteNote } from './loss-notes.ts';

/** Everything below the root, as a redirect's pattern. */
const CATCH_ALL = /^\/?(?:\*+|:\w+\*|:splat|\(\.\*\)|\.\*)?$/;

/** Effects on the whole site: removed pages and navigation, readers who are all redirected. */
export function siteNotes(
  before: DocsSite,
  after: DocsSite,
  files: DocsFiles,
  readBefore: (path: string) => string | null,
  overlay: readonly OverlayEntry[],
): SiteNote[] {
  const notes: SiteNote[] = [];
  const { site } = before;
  const emptied = new Set(overlay.filter((entry) => isEmptied(entry, readBefore)).map(({ path }) => path));
  const pagesNow = new Set(after.site.pages);
  const pagesBefore = new Set(site.pages);
  const isSame = site.configPath === after.site.configPath;
  const gone = site.pages.filter((path) => !files.exists(path));
  const added = after.site.pages.filter((path) => !pagesBefore.has(path) && !emptied.has(path));
  const deleted = Math.max(0, gone.length - added.length);
  const blank = site.pages.filter((path) => files.exists(path) && emptied.has(path)).length;
  const excluded = isSame ? site.pages.filter((path) => files.exists(path) && !pagesNow.has(path)).length : 0;
  const all = site.pages.length;
  const counted = new Set<string>();
  if (isMost(deleted + blank + excluded, all)) {
    const parts = [
      ...(deleted > 0 ? [`deletes ${deleted}`] : []),
      ...(blank > 0 ? [`empties ${blank}`] : []),
      ...(excluded > 0 ? [`excludes ${excluded}`] : []),
    ];
    notes.push({ path: site.root || '.', message: `${listed(parts)} of ${plural(all, 'page')}` });
    for (const path of emptied) counted.add(path);
  }
  if (site.configPath !== null && !isSame) {
    notes.push({ path: site.configPath, message: 'is no longer the site configuration' });
  } else if (site.configPath !== null) {
    const [had, has] = [entriesOf(site), entriesOf(after.site)];
    // Entries of removed pages are counted there.
    if (isMost(had - has, had)) {
      notes.push({
        path: site.configPath,
        message: `removes ${had - has} of ${plural(had, 'entry', 'entries')} from the navigation`,
      });
    }
    const known = new Set(redirectsOf(site));
    const redirectsAll = redirectsOf(after.site).some(
      (redirect) => !known.has(redirect) && CATCH_ALL.test(redirect.split('\n')[0]!),
    );
    if (redirectsAll) notes.push({ path: site.configPath, message: 'redirects every page to another address' });
  }
  return [
    ...notes,
    ...lossNotes({ before, after, readBefore, overlay: overlay.filter(({ path }) => !counted.has(path)) }),
  ];
}

/** More than half, or half of many. */
function isMost(lost: number, all: number): boolean {
  return lost > all / 2 || (all >= 4 && lost >= all / 2);
}

/** Whether a page lost all or nearly all of its text. */
function isEmptied({ path, content }: OverlayEntry, readBefore: (path: string) => string | null): boolean {
  if (content === null || !pageFormatOf(path)) return false;
  const now = bodyOf(content);
  const was = bodyOf(readBefore(path) ?? '');
  return (was > 0 && now === 0) || (was > 1_000 && now < was / 20);
}

function entriesOf(site: Site): number {
  return site.config?.entries.length ?? site.generator?.navigation?.entries.length ?? 0;
}

function redirectsOf(site: Site): string[] {
  return redirectPairs(site)
    .filter(([from]) => from !== '' && from !== '/')
    .map((pair) => pair.join('\n'));
}

function listed(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}
