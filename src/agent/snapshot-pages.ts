import { openSnapshot } from '../git/snapshot/snapshot.ts';
import { Workspace } from '../git/workspace.ts';
import { pageFormatOf, type PageFormat } from './content/page-format.ts';
import { detectSite } from './content/site.ts';

/** The pages of a commit's site, by the keys under which their facts are cached. */
export function pagesOf(snapshotPath: string, docsDir: string): { blobKey: string; format: PageFormat }[] {
  const files = new Workspace(openSnapshot(snapshotPath), [], {
    docsDir,
    maxFiles: 0,
    maxFileBytes: 0,
    maxTotalBytes: 0,
  });
  return detectSite(files, docsDir).pages.flatMap((path) => {
    const format = pageFormatOf(path);
    return format ? [{ blobKey: files.blobKey(path), format }] : [];
  });
}
