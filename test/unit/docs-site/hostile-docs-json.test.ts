import { describe, expect, test } from 'vitest';
import { problemsIn } from '../../support/problems-in.ts';
import { processorSeconds } from '../../support/processor-time.ts';

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
    expect(processorSeconds(() => problemsIn({ 'docs.json': text, ...page }))).toBeLessThan(15);
    expect(({} as { x?: number }).x).toBeUndefined();
  }); // oxfmt-ignore
});
