import { posix } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ConfigEditor } from '@docent/docs-check/read/config-editor';
import { readPageFacts } from '@docent/docs-check/read/read-page-facts';
import { Site } from '../../support/fixture-site.ts';
import { times } from '../../support/how-often.ts';

const NAMES = ['x', 'y', 'index', 'z-1', 'deep page', 'x.y'];
const FOLDERS = ['', 'a', 'b', 'a/c', 'a/c/d'];
const path = fc
  .tuple(fc.constantFrom(...FOLDERS), fc.constantFrom(...NAMES))
  .map(([folder, name]) => posix.join(folder, name));
const paths = fc.uniqueArray(path, { minLength: 2, maxLength: 8 });
const indent = fc.constantFrom<string | number>(2, 4, '\t', 0);

interface Plan {
  pages: string[];
  links: { from: number; to: number; style: number }[];
  config: 'docs.json' | 'mint.json' | null;
  root: string;
  indent: string | number;
}

const plan: fc.Arbitrary<Plan> = fc.record({
  pages: paths,
  links: fc.array(fc.record({ from: fc.nat(7), to: fc.nat(7), style: fc.nat(7) }), { maxLength: 12 }),
  config: fc.constantFrom('docs.json' as const, 'mint.json' as const, null),
  root: fc.constantFrom('', 'docs'),
  indent,
});

/** A link in one of the ways in which people write them. */
function link(from: string, to: string, style: number): string {
  const relative = posix.relative(posix.dirname(`/${from}`), `/${to}`);
  const target = [
    `/${to}`,
    `/${to}.mdx`,
    relative,
    `${relative}.mdx`,
    `./${relative}`,
    `/${to}#part`,
    `${relative}.mdx?a=b#part`,
    `/${to.replace(/(^|\/)index$/, '')}`,
  ][style]!;
  const encoded = target.replaceAll(' ', '%20');
  return style % 2 === 0 ? `[to](${encoded})` : `<Card href="${encoded}" />`;
}

function build({ pages, links, config, root, indent }: Plan): Site {
  const files: Record<string, string> = {};
  for (const [i, page] of pages.entries()) {
    const own = links.filter(({ from }) => from % pages.length === i);
    const text = own.map(({ to, style }) => link(page, pages[to % pages.length]!, style)).join('\n\n');
    files[posix.join(root, `${page}.mdx`)] =
      `---\ntitle: "${page}"\n---\n\n## Part\n\n\`[code](/${page})\`\n\n${text}\n`;
  }
  const half = Math.ceil(pages.length / 2);
  const groups = [
    { group: 'One', pages: pages.slice(0, half) },
    { group: 'Two', pages: [...pages.slice(half), 'GET /users'] },
  ];
  const value =
    config === 'docs.json'
      ? { name: 'X', navigation: { tabs: [{ tab: 'T', groups }] } }
      : { name: 'X', navigation: groups };
  if (config) files[posix.join(root, config)] = `${JSON.stringify(value, null, indent)}\n`;
  return new Site(files, { docsDir: root });
}

describe('moving a page', () => {
  test('never breaks a link, an anchor or the navigation, and leaves code alone', () => {
    fc.assert(
      fc.property(plan, fc.nat(7), path, (site, which, to) => {
        const built = build(site);
        const from = site.pages[which % site.pages.length]!;
        const before = built.docs();
        const result = built.call('move', { from: `/${from}`, to: `/${to}.mdx` });
        if (!result.ok) {
          expect(built.changed()).toEqual([]);
          return;
        }
        expect(built.introduced()).toEqual([]);
        const after = built.docs();
        const moved = (file: string) =>
          file === posix.join(site.root, `${from}.mdx`) ? posix.join(site.root, `${to}.mdx`) : file;
        for (const { path: page, facts } of before.pages()) {
          const now = after.facts(moved(page))!;
          expect(now.links).toHaveLength(facts.links.length);
          for (const [i, { target }] of facts.links.entries()) {
            const [was, is] = [
              before.resolver.resolve(page, target),
              after.resolver.resolve(moved(page), now.links[i]!.target),
            ];
            if (was.kind === 'file') expect(is).toMatchObject({ kind: 'file', path: moved(was.path), hash: was.hash });
          }
          expect(built.text(moved(page))).toContain(`\`[code](/${page.slice(site.root ? 5 : 0, -4)})\``);
        }
      }),
      { numRuns: times(30) },
    );
  });
});

describe('deleting a page', () => {
  test('leaves no Markdown link to it, and no entry in the navigation', () => {
    fc.assert(
      fc.property(plan, fc.nat(7), (site, which) => {
        const built = build(site);
        const gone = posix.join(site.root, `${site.pages[which % site.pages.length]}.mdx`);
        expect(built.call('delete', { path: gone, unlink: true }).ok).toBe(true);
        const left = built.introduced().filter((line) => !line.includes('missing-redirect'));
        for (const line of left) expect(line).toMatch(/missing-page: The link/);
        for (const { path: page, facts } of built.docs().assuming([gone]).pages()) {
          for (const { target, syntax } of facts.links) {
            const resolved = built.docs().assuming([gone]).resolver.resolve(page, target);
            if (resolved.kind === 'file' && resolved.path === gone) expect(syntax).toBe('attribute');
          }
        }
      }),
      { numRuns: times(50) },
    );
  });
});

describe('replacing in prose', () => {
  const piece = fc.constantFrom(
    'foo',
    ' ',
    '`foo`',
    '\n\n```\nfoo\n```\n\n',
    '<A title="foo" icon="foo" href="/foo">',
    '</A>',
    '{/* foo */}',
    '{foo}',
    '[foo](/foo)',
    '![foo](foo.png)',
    '**foo**',
    '\n\n# foo\n\n',
    'foobar',
    '<!-- foo -->',
    '\r\n',
    '| foo |',
    '<foo>',
    '\n\n    foo\n\n',
    '<code>foo</code>',
  );

  test('never touches code, comments, markup or links, and reaches all prose', () => {
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 25 }),
        fc.constantFrom('x.md', 'x.mdx'),
        fc.boolean(),
        (pieces, name, front) => {
          const text = `${front ? '---\ntitle: foo\nfoo: foo\n---\n\n' : ''}${pieces.join('')}\n`;
          const site = new Site({ [name]: text });
          const format = name === 'x.md' ? 'markdown' : 'mdx';
          const before = readPageFacts(text, format);
          site.call('edit', {
            path: name,
            oldText: 'foo',
            newText: 'quux',
            replaceAll: true,
            outsideCode: true,
            outsideLinks: true,
          });
          const after = site.text(name)!;
          const now = readPageFacts(after, format);
          const parts = (source: string, { opaque }: typeof before) =>
            opaque.map(({ kind, start, end }) => `${kind} ${source.slice(start, end)}`);
          expect(parts(after, now)).toEqual(parts(text, before));
          expect(now.links.map(({ target }) => target)).toEqual(before.links.map(({ target }) => target));
          const prose = [...now.opaque, ...now.links]
            .toSorted((a, b) => b.start - a.start)
            .reduce((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), after);
          if (now.links.every(({ kind }) => kind !== 'autolink')) expect(prose).not.toContain('foo');
        },
      ),
      { numRuns: times(100) },
    );
  });
});

describe('editing the navigation', () => {
  const text = plan.map((one) => ({ ...one, config: 'docs.json' as const, root: '' }));

  test('keeps every byte that it does not mean', () => {
    fc.assert(
      fc.property(text, fc.nat(7), fc.boolean(), (one, which, group) => {
        const { site } = build(one).docs();
        const before = site.config!.sources[0]!.text;
        const editor = new ConfigEditor({ ...site, files: new Set([...site.files, 'a/new.mdx']) });
        const placed = editor.addEntry('a/new.mdx', group ? 'Two' : undefined);
        expect(placed.ok).toBe(true);
        const added = editor.changed().get('docs.json')!;
        JSON.parse(added);
        expect(added.replace(/,?\s*"a\/new"/, '')).toBe(before);
        const old = `${one.pages[which % one.pages.length]}.mdx`;
        expect(editor.renameEntries(new Map([[old, 'b/renamed.mdx']]))).toBe(1);
        const renamed = editor.changed().get('docs.json')!;
        expect(renamed.replace('"b/renamed"', JSON.stringify(old.slice(0, -4)))).toBe(added);
        expect(
          editor.redirect(
            [
              { from: '/p', to: '/q' },
              { from: '/r', to: '/s' },
            ],
            new Set(['/p', '/r']),
          ),
        ).toHaveLength(2);
        const redirected = editor.changed().get('docs.json')!;
        expect(JSON.parse(redirected).redirects).toEqual([
          { source: '/p', destination: '/q' },
          { source: '/r', destination: '/s' },
        ]);
        expect(redirected.replace(/,\s*"redirects":[^]*\](?=\s*\}\s*$)/, '')).toBe(renamed);
      }),
      { numRuns: times(50) },
    );
  });

  test('returns the original text after an entry was added and removed again', () => {
    fc.assert(
      fc.property(text, (one) => {
        const { site } = build(one).docs();
        const editor = new ConfigEditor({ ...site, files: new Set([...site.files, 'a/new.mdx']) });
        editor.addEntry('a/new.mdx', undefined);
        expect(editor.removeEntries('a/new.mdx')).toBe(1);
        expect([...editor.changed()]).toEqual([]);
      }),
      { numRuns: times(30) },
    );
  });
});
