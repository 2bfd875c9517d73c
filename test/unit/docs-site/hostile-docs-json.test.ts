import { describe, expect, test } from 'vitest';
import { checkDocs } from '@docent/docs-check/checks/check-docs';
import { DocsSite } from '@docent/docs-check/read/docs-site';
import { FactsCache } from '@docent/docs-check/read/facts-cache';
import { memoryBaseTree } from '@docent/base/files/memory-base-tree';
import { Workspace } from '@docent/git/workspace';
import { processorMs } from '../../support/processor-time.ts';

const policy = { docsDir: '', maxFiles: 100, maxFileBytes: 1_000_000, maxTotalBytes: 10_000_000 };
const problemsOf = (files: Record<string, string>) =>
  checkDocs(new DocsSite(new Workspace(memoryBaseTree(files), [], policy), { docsDir: '' }, new FactsCache()));

const secondsOf = (work: () => unknown): number => processorMs(work) / 1_000;

describe('docs.json', () => {
  const page = { 'index.mdx': '---\ntitle: Home\n---\n' };

  test.each([
    ['nested deeper than any stack', '{"navigation":'.repeat(50_000)],
    ['a list in lists', `{"navigation":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
    ['groups in groups', `{"navigation":${'{"groups":['.repeat(90)}${']}'.repeat(90)}}`],
    ['of very many entries', JSON.stringify({ navigation: { pages: Array.from({ length: 12_000 }, (_, i) => `p${i}`) } })],
    ['with names of the language’s own objects', '{"__proto__":{"pages":["index"]},"constructor":{"prototype":{"x":1}},"navigation":{"__proto__":["x"],"pages":["index"]}}'],
    ['that refers to itself', '{"navigation":{"$ref":"docs.json"}}'],
    ['that refers out of the repository', '{"navigation":{"$ref":"../../../etc/passwd"},"redirects":{"$ref":"/etc/passwd"}}'],
    ['with a pattern that backtracks', JSON.stringify({ navigation: { pages: ['index'] }, redirects: Array.from({ length: 3_000 }, (_, i) => ({ source: `/${':a*'.repeat(40)}${i}`, destination: '/index' })) })],
    ['that is no object', '"navigation"'],
    ['that is cut short', '{"navigation":{"pages":["index"'],
    ['with a lone surrogate and control characters', '{"navigation":{"pages":["\\ud800","\\u0000","a\\nb"]}}'],
  ])('%s does not hang or break the checks', (_name, text) => {
    expect(secondsOf(() => problemsOf({ 'docs.json': text, ...page }))).toBeLessThan(15);
    expect(({} as { x?: number }).x).toBeUndefined();
  }); // oxfmt-ignore
});
