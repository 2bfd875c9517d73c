import { openSnapshot } from '@docent/git/snapshot/snapshot';
import { Workspace } from '@docent/git/workspace';
import { checkedFiles } from './checked-files.ts';
import type { PageDialect } from '@docent/docs-check/read/page-dialect';
import { detectSite, dialectOf, type SitePlace } from '@docent/docs-check/read/site';

/** The pages of a commit's site, by the keys under which their facts are cached. */
export function pagesOf(snapshotPath: string, place: SitePlace): { blobKey: string; dialect: PageDialect }[] {
  const files = new Workspace(openSnapshot(snapshotPath), [], {
    docsDir: place.docsDir,
    maxFiles: 0,
    maxFileBytes: 0,
    maxTotalBytes: 0,
  });
  const site = detectSite(checkedFiles(files), place);
  return site.pages.flatMap((path) => {
    const dialect = dialectOf(site, path);
    return dialect ? [{ blobKey: files.blobKey(path), dialect }] : [];
  });
}
