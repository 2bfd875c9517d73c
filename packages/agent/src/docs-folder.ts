import { join, normalize } from 'node:path/posix';
import type { BaseTree } from '@docent/base/files/base-tree';
import type { Workspace } from '@docent/git/workspace';
import { folderOf } from '@docent/docs-check/read/folder';
import { isBelow, type Site } from '@docent/docs-check/read/site';
import { clearlyNearest } from '@docent/docs-check/read/similar-text';
import { visibleName } from '@docent/docs-check/read/visible-text';

/** The problem with a project's docs folder, in a sentence. */
interface DocsFolderProblem {
  message: string;
  /** No job could ever write there. */
  isFinal: boolean;
}

/** Checks the docs folder of a commit; null if it has pages. The top of the repository is always right. */
export function docsFolderProblem(
  { base, files, site }: { base: BaseTree; files: Workspace; site: Site },
  docsDir: string,
): DocsFolderProblem | null {
  if (docsDir === '') return null;
  const name = visibleName(docsDir);
  for (let path = docsDir; path !== ''; path = folderOf(path)) {
    const kind = files.kind(path);
    if (kind === null || kind === 'folder') continue;
    return { message: `The docs folder ${name} cannot be used: ${whyNoFolder(base, path, kind)}`, isFinal: true };
  }
  if (files.kind(docsDir) === 'folder') {
    if (site.pages.some((path) => isBelow(path, docsDir))) return null;
    return { message: `The docs folder ${name} has no pages of the site yet.`, isFinal: false };
  }
  const near = nearestFolder(files, docsDir);
  const hint = near === null ? ' The first page that a job adds makes it.' : ` Did you mean ${visibleName(near)}?`;
  return { message: `The repository has no folder ${name}.${hint}`, isFinal: false };
}

function whyNoFolder(base: BaseTree, path: string, kind: string): string {
  const name = visibleName(path);
  if (kind === 'submodule') {
    return `${name} is a submodule, whose files are in another repository. Create a project for that repository.`;
  }
  if (kind !== 'symlink') return `${name} is a file, not a folder.`;
  const target = base.linkTarget?.(path) ?? null;
  if (target === null) return `${name} is a symbolic link. Use the folder that it points to.`;
  const folder = target.startsWith('/') ? null : normalize(join(folderOf(path), target)).replace(/\/+$/, '');
  const leads = `${name} is a symbolic link to ${visibleName(target)}.`;
  return folder === null || folder.startsWith('..') ? leads : `${leads} Name ${visibleName(folder)} instead.`;
}

function nearestFolder(files: Workspace, docsDir: string): string | null {
  const folders = new Set<string>();
  for (const path of files.paths()) {
    for (let folder = folderOf(path); folder !== '' && !folders.has(folder); folder = folderOf(folder)) {
      if (!/(?:^|\/)(?:\.|node_modules$)/.test(folder)) folders.add(folder);
    }
  }
  const wanted = docsDir.toLowerCase();
  const all = [...folders];
  const same = all.find((folder) => folder.toLowerCase() === wanted);
  const below = all.filter((folder) => folder.toLowerCase().endsWith(`/${wanted}`));
  return same ?? (below.length === 1 ? below[0]! : clearlyNearest(docsDir, all, 0.6));
}
