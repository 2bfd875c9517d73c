import { reviewNotes, type ReviewNote } from '@docent/docs-check/checks/review-notes';
import { DocsSite } from '@docent/docs-check/read/docs-site';
import { FactsCache } from '@docent/docs-check/read/facts-cache';
import type { BaseTree } from '@docent/base/files/base-tree';
import { memoryBaseTree, type MemoryFile } from '@docent/base/files/memory-base-tree';
import { Workspace } from '@docent/git/workspace';

const LIMITS = { maxFiles: 10_000, maxFileBytes: 10_000_000, maxTotalBytes: 100_000_000 };

/** The notes on a change of a repository; `null` deletes a file. */
export function notesOn(
  files: Record<string, MemoryFile> | BaseTree,
  changes: Record<string, string | null>,
  { docsDir = '', instructionFiles }: { docsDir?: string; instructionFiles?: string[] } = {},
): ReviewNote[] {
  const cache = new FactsCache();
  const base = 'commit' in files && typeof files.commit === 'string' ? (files as BaseTree) : memoryBaseTree(files as Record<string, MemoryFile>); // oxfmt-ignore
  const overlay = Object.entries(changes).map(([path, content]) => ({ path, content, blobId: null }));
  const policy = { docsDir, ...LIMITS };
  const site = (entries: typeof overlay) => {
    const workspace = new Workspace(base, entries, policy);
    return { workspace, docs: new DocsSite(workspace, { docsDir }, cache) };
  };
  const [before, after] = [site([]), site(overlay)];
  return reviewNotes({
    base,
    overlay,
    before: before.docs,
    after: after.docs,
    files: after.workspace,
    instructionFiles,
  });
}
