import { checkDocs } from '@docent/docs-check/checks/check-docs';
import { DocsSite } from '@docent/docs-check/read/docs-site';
import { FactsCache } from '@docent/docs-check/read/facts-cache';
import { memoryBaseTree } from '@docent/base/files/memory-base-tree';
import { Workspace } from '@docent/git/workspace';

const POLICY = { docsDir: '', maxFiles: 100, maxFileBytes: 1_000_000, maxTotalBytes: 10_000_000 };

/** What the docs checks find in a site of these files. */
export const problemsIn = (files: Record<string, string>) =>
  checkDocs(new DocsSite(new Workspace(memoryBaseTree(files), [], POLICY), { docsDir: '' }, new FactsCache()));
