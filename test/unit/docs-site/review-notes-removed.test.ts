import { describe, expect, test } from 'vitest';
import { notesOn } from '../../support/reviewed-change.ts';
import { SITES } from '../../support/reviewed-sites.ts';

describe('reports the effects on the site', () => {
  const pages = Object.fromEntries(
    Array.from({ length: 10 }, (_, i) => [`docs/p${i}.md`, `# Page ${i}\n\n${'Text. '.repeat(300)}\n`]),
  );
  const nav = `nav: [${Object.keys(pages).map((path) => path.slice(5)).join(', ')}]\n`; // oxfmt-ignore
  const site = { 'mkdocs.yml': `site_name: x\n${nav}`, ...pages };
  const all = (value: string | null, count = 10) => Object.fromEntries(Object.keys(pages).slice(0, count).map((path) => [path, value])); // oxfmt-ignore

  test('every page, or most of them, deleted, emptied or left out', () => {
    expect(notesOn(site, all(null))).toEqual([{ path: 'docs', message: 'deletes 10 of 10 pages' }]);
    expect(notesOn(site, all(null, 6))).toEqual([{ path: 'docs', message: 'deletes 6 of 10 pages' }]);
    expect(notesOn(site, all('', 6))).toEqual([{ path: 'docs', message: 'empties 6 of 10 pages' }]);
    expect(notesOn(site, all('---\ntitle: x\n---\n\n# X\n<!-- x -->\n', 6))).toEqual([{ path: 'docs', message: 'empties 6 of 10 pages' }]); // oxfmt-ignore
    expect(notesOn(site, { ...all(null, 3), 'docs/p4.md': '', 'docs/p5.md': ' \n', 'mkdocs.yml': `${site['mkdocs.yml']}exclude_docs: p9.md\n` })[0]) // oxfmt-ignore
      .toEqual({ path: 'docs', message: 'deletes 3, empties 2 and excludes 1 of 10 pages' });
    expect(notesOn({ 'only.md': '# Only\n' }, { 'only.md': null })).toEqual([
      { path: '.', message: 'deletes 1 of 1 page' },
    ]);
  });

  test('an emptied navigation, and a redirect of all readers', () => {
    expect(notesOn(site, { 'mkdocs.yml': 'site_name: x\nnav: []\n' })).toEqual([
      { path: 'mkdocs.yml', message: 'removes 10 of 10 entries from the navigation' },
    ]);
    expect(notesOn(SITES.mintlify, { 'docs.json': SITES.mintlify['docs.json'].replace(/.$/, ', "redirects": [{"source": "/:slug*", "destination": "/a"}]}') })) // oxfmt-ignore
      .toEqual([{ path: 'docs.json', message: 'redirects every page to another address' }]);
    expect(notesOn(site, { 'mkdocs.yml': null })[0]?.message).toBe('is no longer the site configuration');
  });

  test('pages that move, and a few that go, are not', () => {
    const moved = Object.fromEntries(Object.entries(pages).map(([path, text]) => [path.replace('docs/', 'docs/new/'), text])); // oxfmt-ignore
    expect(notesOn({ ...pages }, { ...all(null), ...moved })).toEqual([]);
    expect(notesOn(site, all(null, 3))).toEqual([]);
  });
});

const TEXT = 'Some words of a page. '.repeat(30);
const note = (path: string, was: string, is: string | null, more: Record<string, string> = {}) =>
  notesOn({ ...more, 'index.md': '# Home\n', 'other.md': '# Other\n', [path]: was }, { [path]: is })
    .filter(({ message }) => !message.includes('is not documentation') && !message.includes('is code'))
    .map((one) => one.message);
const pageOf = (matter: string) => `---\n${matter}\n---\n\n${TEXT}\n`;

describe('notes removed content', () => {
  test.each([
    ['a.md', `# A\n\n${TEXT}`, '', 'no longer has any text'],
    ['a.md', `---\ntitle: A\n---\n\n${TEXT}`, '---\ntitle: A\n---\n\n# A\n', 'no longer has any text'],
    ['a.md', `# A\n\n${TEXT}`, '# A\n\nShort.\n', 'keeps 6 of 510 characters of its text'],
    ['_category_.json', JSON.stringify({ items: [TEXT] }), '{"items":[]}', 'keeps 12 of 524 characters of its text'],
    ['a.md', `# A\n\n${TEXT}`, TEXT, 'no longer has a title'],
    ['a.rst', 'A\n=\n\nText.\n', '\n', 'no longer has any text'],
    ['a.md', '---\ntitle: A\nslug: /x\n---\n\nA.\n', '---\ntitle: A\n---\n\nA.\n', 'loses front matter fields: `slug`'],
    ['a.md', '---\ntitle: A\nslug: /x\n---\n\nA.\n', '---\ntitle: A\nslug: /y\n---\n\nA.\n', 'gets another address through its front matter: `slug`'],
    ['a.md', '---\ntitle: A\n---\n\nA.\n', '---\ntitle: A\npermalink: /y\n---\n\nA.\n', 'gets another address through its front matter: `permalink`'],
    ['a.md', '---\naliases: [/x, /y]\n---\n\nA.\n', '---\naliases: [/x]\n---\n\nA.\n', 'loses front matter fields: `aliases`'],
    ['a.md', '---\nredirect_from:\n  - /x\n---\n\nA.\n', '---\nredirect_from: []\n---\n\nA.\n', 'loses front matter fields: `redirect_from`'],
    ['a.md', '+++\ntitle = "A"\naliases = ["/x"]\n+++\n\nA.\n', '+++\ntitle = ""\n+++\n\nA.\n', 'loses front matter fields: `title`, `aliases`'],
    ['a.md', '---\ntitle: A\n---\n\nA.\n', '---\ntitle: A\ndraft: true\n---\n\nA.\n', 'is hidden from readers through its front matter: `draft`'],
    ['a.md', `# A\n\n${TEXT}${TEXT}`, `# A\n\n${TEXT}\n\n<!-- ... rest of the page unchanged ... -->\n`, 'seems to have a placeholder in place of text that was there'],
    ['a.md', `# A\n\n${TEXT}${TEXT}`, `# A\n\n${TEXT}\n\n[The remaining sections stay as before.]\n`, 'seems to have a placeholder in place of text that was there'],
    ['a.md', '# A\n\nGrüße.\n', '# A\n\nGr\uFFFD\uFFFDe.\n', 'has new characters (\uFFFD) that stand for damaged text'],
    ['_redirects', '/x /y\n/z /y\n', '/z /y\n', 'no longer redirects readers from `/x`'],
    ['_redirects', '/x /y\n', null, 'no longer redirects readers from `/x`'],
    ['vercel.json', '{"redirects":[{"source":"/x","destination":"/y"}]}', '{"redirects":[]}', 'no longer redirects readers from `/x`'],
    ['netlify.toml', '[[redirects]]\nfrom = "/x"\nto = "/y"\n', '[build]\n', 'no longer redirects readers from `/x`'],
  ] as const)('in %s: %j becomes %j', (path, was, is, message) => expect(note(path, was, is)).toEqual([message])); // oxfmt-ignore

  test.each([
    ['mintlify', 'docs.json', '{"navigation": {"pages": ["index", "a"]}, "redirects": [{"source": "/x", "destination": "/a"}]}', '/x', '/y'],
    ['mkdocs', 'mkdocs.yml', 'site_name: x\nnav:\n  - index.md\n  - a.md\nplugins:\n  - search\n  - redirects:\n      redirect_maps:\n        x.md: a.md\n', '  x.md', '  y.md'],
    ['docusaurus', 'docusaurus.config.js', 'module.exports = { presets: ["classic"], plugins: [["@docusaurus/plugin-client-redirects", { redirects: [{ from: "/x", to: "/docs/a" }] }]] };\n', '/x', '/y'],
    ['starlight', 'astro.config.mjs', 'import { defineConfig } from "astro/config";\nimport starlight from "@astrojs/starlight";\nexport default defineConfig({ redirects: { "/x": "/a" }, integrations: [starlight({ title: "x" })] });\n', '/x', '/y'],
  ] as const)('a redirect of %s', (kind, path, text, from, other) => {
    const pages = kind === 'starlight' ? { 'src/content/docs/a.md': '---\ntitle: A\n---\n\nA.\n' } : SITES[kind];
    const notes = notesOn({ ...pages, [path]: text }, { [path]: text.replace(from, other) });
    expect(notes.map(({ message }) => message).join('\n')).toMatch(/^no longer redirects readers from `\/?x(?:\.md)?`$/m);
  }); // oxfmt-ignore

  test('most entries of a short navigation', () => {
    const docs = '{"navigation": {"pages": ["index", "a", "b"]}}';
    expect(notesOn({ ...SITES.mintlify, 'docs.json': docs }, { 'docs.json': docs.replace(', "a", "b"', '') })).toEqual([
      { path: 'docs.json', message: 'removes 2 of 3 entries from the navigation' },
    ]);
  });

  test('a changed value, a new alias, a moved page and a page that is deleted are not', () => {
    expect(note('a.md', pageOf('title: A\nslug: /x'), pageOf('title: B\nslug: /x\naliases: [/w]'))).toEqual([]);
    expect(note('a.md', pageOf('draft: true'), pageOf('draft: true\ntitle: A'))).toEqual([]);
    expect(note('a.md', pageOf('title: A'), null)).toEqual([]);
    expect(note('a.md', `# A\n\n${TEXT}`, `# A\n\n${TEXT}\n\nThe other settings stay unchanged.\n`)).toEqual([]);
    expect(notesOn({ 'a.md': pageOf('slug: /x'), 'b.md': '# B\n', 'c.md': '# C\n' }, { 'a.md': null, 'd.md': pageOf('slug: /x') })).toEqual([]); // oxfmt-ignore
  });
});
