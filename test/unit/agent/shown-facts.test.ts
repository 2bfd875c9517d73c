import { describe, expect, test } from 'vitest';
import { shownFacts } from '@docent/agent/shown-facts';
import { mintlify } from '../../support/fixture-site.ts';

describe('results of the tools', () => {
  const site = mintlify({ 'x.mdx': '---\ntitle: X\n---\n\nOne sprocket.\n\nTwo sprockets.\n', 'empty.mdx': '' });
  const facts = (name: string, input: unknown) => shownFacts({ ...site.call(name, input), text: 'x' });

  test('is recognized by lines, regardless of how they were shown', () => {
    const whole = facts('read', { path: 'x.mdx' });
    expect(whole).toHaveLength(7);
    expect(facts('read', { path: '/x', offset: 1, limit: 100 })).toEqual(whole);
    const found = facts('search', { query: 'sprocket' });
    expect(found).toHaveLength(2);
    expect(whole).toEqual(expect.arrayContaining(found));
    expect(facts('search', { query: 'SPROCKETS', ignoreCase: true })).toEqual([found[1]]);
    expect(facts('search', { query: 'sprocket', offset: 2 })).toEqual([found[1]]);
    expect(facts('search', { query: 'sprocket', offset: 3 })).toEqual([]);
    expect(facts('read', { path: 'empty.mdx' })).toHaveLength(1);
  });

  test('is nothing for a search without a match, a refusal and a change', () => {
    expect(facts('search', { query: 'no such word' })).toEqual([]);
    // Some pages always fit best.
    expect(facts('search', { query: 'sprocket', ranked: true })).toEqual([]);
    expect(facts('search', { query: 'where sprockets are not' })).toEqual([]);
    expect(facts('read', { path: 'nowhere.mdx' })).toEqual([]);
    expect(facts('write', { path: 'new.mdx', content: '# New\n' })).toEqual([]);
  });

  test('changes with the file, and changes back when the file does', () => {
    const before = facts('read', { path: 'x.mdx' });
    site.call('edit', { path: 'x.mdx', oldText: 'One', newText: 'A' });
    expect(facts('read', { path: 'x.mdx' })).not.toEqual(before);
    site.call('edit', { path: 'x.mdx', oldText: 'A sprocket', newText: 'One sprocket' });
    expect(facts('read', { path: 'x.mdx' })).toEqual(before);
  });

  test('is the folders of a list and the problems of a check', () => {
    expect(facts('list', {})).toEqual(expect.arrayContaining(['all ', 'all guides', 'some guides']));
    expect(facts('list', { depth: 1 })).not.toContain('all guides');
    expect(facts('list', { path: 'guides', depth: 1 })).toEqual(['some guides', 'all guides']);
    expect(facts('list', { glob: 'guides/*.mdx' })).toEqual(['some guides']);
    const fine = facts('check', {});
    site.call('edit', { path: 'x.mdx', oldText: 'One', newText: '[One](/nope)' });
    expect(facts('check', {})).not.toEqual(fine);
  });
});
