import { describe, expect, test } from 'vitest';
import { jobProblems } from '@docent/docs-check/checks/known/job-problems';
import { DocsSite } from '@docent/docs-check/read/docs-site';
import { Workspace } from '@docent/git/workspace';
import { notesOn } from '../../support/reviewed-change.ts';
import { Site } from '../../support/fixture-site.ts';

function introduced(site: Site): string[] {
  const before = new DocsSite(new Workspace(site.base, [], site.policy), site.place, site.cache);
  return jobProblems(site.docs(), before).introduced.map(
    ({ path, line, code, severity }) => `${path}:${line} ${code} ${severity}`,
  );
}

describe('settings of a repository for its problems', () => {
  test('counts in jobs: settings, and comments for whole files', () => {
    const site = new Site({
      '.docent.json': '{"rules": {"missing-image": "off", "missing-anchor": "warning"}, "exclude": ["old/**"]}',
      'a.md': '# A\n',
      'b.md': '<!-- docent-ignore-file missing-page: written by a tool -->\n\nText.\n',
      'old/c.md': 'Text.\n',
    });
    site.workspace.write('a.md', '![i](no.png) [b](b.md#no) [x](no.md)\n');
    site.workspace.write('b.md', '<!-- docent-ignore-file missing-page: written by a tool -->\n\n[x](no.md)\n');
    site.workspace.write('old/c.md', '[x](no.md)\n');
    expect(introduced(site)).toEqual(['a.md:1 missing-anchor warning', 'a.md:1 missing-page error']);
    expect(site.call('check', { all: true }).text).not.toContain('no.png');
  });

  test('is that of the base: a change does not silence its own problems', () => {
    const site = new Site({
      'a.md': '<!-- docent-ignore-next-line missing-page: an example -->\n[x](x.md)\n\nText.\n',
      'b.md': '<!-- docent-ignore-start missing-page: examples -->\n[x](x.md)\n<!-- docent-ignore-end -->\n\nText.\n',
      'c.md': 'Text.\n',
    });
    site.workspace.write('.docent.json', '{"rules": {"missing-page": "off"}}');
    site.workspace.write('.docent-baseline.json', '{"version":1,"problems":{"c.md":{"missing-page":{"new.md":1}}}}');
    site.workspace.write('c.md', '<!-- docent-ignore-file missing-page: so be it -->\n[n](new.md)\n');
    // A line's comment that moved over something new, and a block that grew.
    site.workspace.write(
      'a.md',
      '[x](x.md)\n\n<!-- docent-ignore-next-line missing-page: an example -->\n[n](new.md)\n',
    );
    site.workspace.write(
      'b.md',
      '<!-- docent-ignore-start missing-page: examples -->\n[x](x.md)\n\n[n](new.md)\n<!-- docent-ignore-end -->\n',
    );
    expect(introduced(site)).toEqual([
      'a.md:4 missing-page error',
      'b.md:4 missing-page error',
      'c.md:2 missing-page error',
    ]);
  });

  test('does not hide what is known from who is to repair it', () => {
    const site = new Site({
      '.docent-baseline.json': '{"version":1,"problems":{"a.md":{"missing-page":{"x.md":1}}}}',
      'a.md': '[x](x.md)\n\n<!-- docent-ignore-next-line missing-page: an example -->\n[y](y.md)\n',
    });
    const { text } = site.call('check', { all: true });
    expect(text).toContain('x.md');
    expect(text).not.toContain('y.md');
  });

  test('goes along with a page that moves', () => {
    const site = new Site({
      'docs.json': '{"navigation":{"pages":["a","b"]}}',
      'a.mdx': '---\ntitle: A\n---\n\n{/* docent-ignore-file missing-page: made later */}\n\nWords of this page.\n',
      'b.mdx': '# B\n',
    });
    site.call('move', { from: 'a.mdx', to: 'deep/a.mdx' });
    site.workspace.write('deep/a.mdx', `${site.text('deep/a.mdx')}\n[x](/nowhere)\n`);
    expect(introduced(site)).toEqual([]);
  });

  test('is pointed out to the reviewer if a change adds to it', () => {
    const ignored = '<!-- docent-ignore-file missing-page: so be it -->\n[n](new.md)\n';
    const notes = notesOn({ 'a.md': 'Text.\n', 'b.md': ignored }, { 'a.md': ignored, 'b.md': `${ignored}More.\n` });
    expect(notes).toEqual([
      { path: 'a.md', message: 'has a new comment that makes the docs checks ignore problems after the merge' },
    ]);
    expect(notesOn({ 'a.md': '' }, { '.docent.json': '{}' }).map(({ path }) => path)).toEqual(['.docent.json']);
  });
});
