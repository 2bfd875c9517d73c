import type { DocsSite } from '../read/docs-site.ts';
import type { Problem } from './problem.ts';

/** Pages and configurations that were not read, with the consequences. */
export function unreadFiles(docs: DocsSite): Problem[] {
  const { doubt, config, pages } = docs.site;
  const found: Problem[] = [];
  if (doubt?.reason === 'unread') {
    const why = docs.whyUnread(doubt.path) ?? 'cannot be read';
    const follows =
      'so its navigation and redirects were not checked. Only links to files with an extension were checked.';
    found.push(notRead(doubt.path, `The site’s configuration was not read: it ${why}, ${follows}`));
  }
  for (const path of new Set(config?.unread)) {
    const why = docs.whyUnread(path);
    if (why !== null) found.push(notRead(path, `This part of the site’s configuration was not read: it ${why}.`));
  }
  for (const path of pages) {
    const why = docs.whyUnread(path);
    if (why === null) continue;
    found.push(
      notRead(
        path,
        `The page was not read: it ${why}. Its content was not checked, and links to it are assumed to be valid.`,
      ),
    );
  }
  return found;
}

/** Whether the target of a link without a file may be an unread page, or a redirect. */
export function mayBeUnread({ site, hasUnknownPages }: DocsSite): boolean {
  if (site.config) return site.config.unread.length > 0;
  return /^(?:docusaurus|starlight|hugo)$/.test(site.kind) && hasUnknownPages;
}

function notRead(path: string, message: string): Problem {
  return { path, line: 1, code: 'not-read', message, severity: 'notice' };
}
