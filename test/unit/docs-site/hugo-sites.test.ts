import { describe, expect, test } from 'vitest';
import { describeProblem } from '@docent/docs-check/checks/problem';
import { describeSite, siteText } from '@docent/docs-check/read/describe-site';
import { Site, type Files } from '../../support/fixture-site.ts';

const TEMPLATE = { 'layouts/_default/single.html': '{{ .Content }}' };

const SITE: Files = {
  ...TEMPLATE,
  'hugo.toml': 'baseURL = "https://example.org/"\n',
  'static/pics/A.png': 'x',
  'static/_redirects': '/moved/* /docs/:splat\n',
  'content/_index.md': '# Home\n',
  'content/docs/One.Two.md': `---
aliases: [/old/one, was]
---
## A [link](https://example.org) here
## Foo \`code.x()\` & *emph* Bar_baz
## Émile
## Dup
## Dup
## Own {#mine}
## Mine
## a--b - c ##
## !!!
## Wide {.wide key="x"}

Setext *x*
===

Text
{#block}

A note.[^n]

[^n]: Text.
`,
  'content/docs/bundle/index.md': '[a](res.png) ![b](img/In.png)\n',
  'content/docs/bundle/res.png': 'x',
  'content/docs/bundle/img/In.png': 'x',
  'content/docs/bundle/part.md': '[x](anything)\n',
  'content/docs/sub/deep/p.md': '+++\nslug = "other"\n+++\ntext\n',
  'content/docs/named.md': '---\nurl: /elsewhere/here/\n---\ntext\n',
  'content/docs/Foo Bar (x) +y.md': 'text\n',
  'content/docs/raw.html': '<p>text</p>',
};

const problems = (files: Files) =>
  new Site(files)
    .problems()
    .filter(({ severity }) => severity !== 'notice')
    .map((problem) => describeProblem(problem));

/** What is wrong with a page `/docs/a/`. */
const found = (text: string, files: Files = {}) => problems({ ...SITE, ...files, 'content/docs/a.md': text });

test('a template whose expressions are whole addresses of redirects turns these checks off, and is named', () => {
  const files = {
    'hugo.toml': '[outputFormats.redirects]\nmediaType = "text/netlify"\nbaseName = "_redirects"\n',
    'layouts/index.redirects': '{{ range $names -}}\n{{ . | printf "/%-9s" }}  /docs/{{ $latest }} 301!\n{{ end }}\n',
  };
  expect(found('[a](/gone) [b](gone)', files).join()).not.toContain('"/gone"');
  const said = new Site({ ...SITE, ...files }).problems().filter(({ code }) => code === 'not-checked');
  expect(said.map(({ message }) => message).join()).toContain('A template computes the addresses in _redirects');
});

test('error pages, headers and unfinished patterns of a host do not hide broken links', () => {
  const host = {
    'netlify.toml':
      '[[redirects]]\nfrom = "/*"\nto = "/404.html"\nstatus = 404\n[[redirects]]\nfrom = "/*/sponsors"\nto = "/x"\n[[redirects]]\nfrom = "/was/*"\nto = "/x"\n',
    'vercel.json': '{ "headers": [{ "source": "/(.*)", "headers": [] }], "redirects": [{ "source": "/had/(.*)" }] }',
  };
  const links = '[a](/gone/) [b](/en/sponsors) [c](/was/there/) [d](/had/this/) [e](/one/sponsors/two)';
  expect(found(links, host).map((line) => /"([^"]*)"/.exec(line)![1])).toEqual(['/gone/', '/one/sponsors/two']);
});

test('languages may have a file each', () => {
  const files = {
    ...TEMPLATE,
    'config/_default/hugo.toml': 'baseURL = "https://example.org/"\n',
    'config/_default/languages.en.toml': 'contentDir = "content/en"\n',
    'config/_default/languages.pt-BR.yaml': 'contentDir: content/pt-br\n',
    'content/en/docs/one.md': '[a](/docs/two/) [b](/pt-br/docs/two/)\n',
    'content/pt-br/docs/two.md': '[a](/docs/one/) [b](/pt-br/docs/one/)\n',
  };
  const named = (more: Files = {}) =>
    problems({ ...files, ...more }).map((line) => /(\S+):\d.*"([^"]*)"/.exec(line)!.slice(1).join(' '));
  // Hugo's link template finds only pages of the same language.
  expect(named()).toEqual(['content/en/docs/one.md /docs/two/', 'content/pt-br/docs/two.md /pt-br/docs/one/']);
  const mounts = ['en en', 'pt-br pt-br', 'pt-br en'].map((each) => {
    const [folder, language] = each.split(' ');
    return `[[module.mounts]]\nsource = "content/${folder}"\ntarget = "content"\nlang = "${language}"\n`;
  });
  const mounted = `baseURL = "https://example.org/"\n${mounts.join('')}`;
  expect(named({ 'config/_default/hugo.toml': mounted })).toEqual(['content/pt-br/docs/two.md /pt-br/docs/one/']);
});

test('text that a shortcode renders apart from its page is said where Hugo resolves its links otherwise', () => {
  const files = {
    ...SITE,
    'layouts/shortcodes/def.html': '{{ .Inner | markdownify }}',
    'hugo.toml': 'baseURL = "https://example.org/"\n[languages.en]\n[languages.fr]\n',
  };
  const said = (more: Files) =>
    new Site({ ...files, ...more })
      .problems()
      .filter(({ code, message }) => code === 'not-checked' && message.startsWith('The shortcodes def'));
  expect(said({})).toHaveLength(1);
  expect(said({ 'hugo.toml': SITE['hugo.toml']! })).toEqual([]);
  expect(said({ 'layouts/_default/_markup/render-link.html': '<a href="{{ .Destination }}">' })).toEqual([]);
});

test('a site of Hugo is known by its configuration, in the folder config too', () => {
  expect(siteText(describeSite(new Site(SITE).docs().site))).toBe('Hugo (hugo.toml)');
  const inFolder = { 'config/_default/hugo.yaml': 'baseURL: x\n', 'content/a.md': 'text\n' };
  expect(siteText(describeSite(new Site(inFolder).docs().site))).toBe('Hugo (config/_default/hugo.yaml)');
  const other = { 'config.yaml': 'name: x\n', 'content/a.md': 'text\n' };
  expect(siteText(describeSite(new Site(other).docs().site))).toBe('plain Markdown');
});

function linksToIds(): string {
  const ids =
    'a-linkhttpsexampleorg-here foo-codex--emph-bar_baz émile dup dup-1 mine mine-1 a--b---c heading wide setext-x block fn:1';
  return ids
    .split(' ')
    .map((id) => `[x](/docs/one.two/#${id})`)
    .join(' ');
}

describe('nothing is reported of', () => {
  test.each([
    ['addresses', '[a](../one.two/) [b](/docs/one.two) [c](../bundle/) [d](/) [e](/docs/) [f](../sub/deep/other/)'],
    ['addresses that pages give themselves', '[a](/elsewhere/here/) [b](../foo-bar-x-+y/) [c](../raw/)'],
    ['files', '![a](/pics/A.png) [b](../bundle/res.png) [c](/docs/bundle/img/In.png)'],
    [
      'lists, feeds and other pages of the build',
      '[a](/tags/) [b](/tags/x/) [c](/docs/index.xml) [d](/page/2/) [e](/sitemap.xml)',
    ],
    ['old addresses', '[a](/old/one/) [b](/docs/was/) [c](/moved/one.two)'],
    ['ids of headings', linksToIds()],
    [
      '`ref` and `relref`',
      '[a]({{< ref "one.two.md" >}}) [b]({{< relref "/docs/bundle" >}}) [c]({{% ref "p" %}}) {{< ref "sub/deep/p.md" >}} [d]({{< ref "#x" >}}) [e]({{< ref "One.Two.md#mine" >}}) [f]({{< ref path="bundle/index.md" >}}) [g]({{< ref "/docs" >}})\n\n# X',
    ],
    [
      'shortcodes that are shown, or computed',
      '`{{</* ref "nope" */>}}` [a]({{< param "x" >}}) [b](https://x.org/{{< v >}}/y) {{< ref $x >}}\n\n[c][d]\n\n[d]: https://x.org/{{< v >}}/y',
    ],
    ['raw HTML, which is not on the page', '<a href="nope">x</a>'],
    ['text in a shortcode that may be no text', '{{< diagram >}}\n[a](nope)\n{{< /diagram >}}'],
    ['ids of shortcodes that only their templates know', '[a](#made)\n\n{{< made >}}'],
  ])('%s', (_, text) => {
    const files = { 'layouts/shortcodes/made.html': '<p id="made">x</p>' };
    expect(found(text, files)).toEqual([]);
  });

  test('links and pages of a missing theme', () => {
    const files = { 'hugo.toml': 'theme = "far"\n' };
    expect(found('[a](one.two.md) ![b](/theme/x.png) [c](/theme/page/) {{< far >}}\n\n[d](#far)', files)).toEqual([]);
  });

  test('pages of a module that go.mod replaces with a folder of the repository, but nothing else', () => {
    const files: Files = {
      'site/hugo.toml': '[[module.imports]]\npath = "example.org/theme"\n',
      'site/go.mod': 'module example.org/site\n\nreplace example.org/theme => ../theme\n',
      'theme/layouts/shortcodes/made.html': '<p id="made">x</p>',
      'theme/layouts/_default/single.html': '{{ .Content }}',
      'theme/static/x.png': 'x',
      'theme/layouts/shortcodes/icon.html': '{{ partial "icon" . }}',
      'theme/layouts/partials/icon.html': '<svg></svg>',
      'site/layouts/shortcodes/why.html': '{{ readFile "parts/why.md" | markdownify }}',
      'site/layouts/shortcodes/more.html': '{{ readFile "parts/more.md" | markdownify }}',
      'site/parts/why.md': 'Why not.\n',
      'site/parts/more.md': '## More\n',
      'site/content/docs/a.md': '![a](/x.png) [b](../b/#made) [c](#no) {{< icon >}} {{< why >}} [d](../c/#more)\n',
      'site/content/docs/b.md': '{{< made >}}\n',
      'site/content/docs/c.md': '{{< more >}}\n',
    };
    expect(problems(files)).toEqual([expect.stringContaining('"#no"')]);
  });

  test('pages that a template for links looks for', () => {
    const files = { 'layouts/_default/_markup/render-link.html': '{{ if eq .Destination "g" }}{{ end }}' };
    expect(found('[a](one.two.md) [b](bundle/res.png) [g](g)', files)).toEqual([]);
  });

  test('redirects that a template writes, but nothing else', () => {
    const toml = '[outputFormats.redirects]\nmediaType = "text/netlify"\nbaseName = "_redirects"\n';
    const literal =
      '{{/* comment */}}\n/docs/latest/* /docs/{{ $v }}/:splat 302\n{{ range . }}\n/{{ . }}/new /docs\n{{ end }}\n';
    const text = '[a](/docs/latest/x/) [b](/any/new) [c](/gone/) [d](gone/)';
    const files = { 'hugo.toml': toml, 'layouts/_partials/redirects.txt': literal };
    expect(found(text, files)).toEqual([expect.stringContaining('"/gone/"'), expect.stringContaining('"gone/"')]);
    // Fields of pages that only the template knows.
    const computed = {
      ...files,
      'layouts/index.redirects': '{{ range .Params.redirects }}{{ .from }} {{ .to }}{{ end }}',
    };
    expect(found(text, computed)).toEqual([expect.stringContaining('"gone/"')]);
  });

  test('pages that an adapter makes, and addresses that depend on dates', () => {
    const files = {
      'hugo.toml': '[permalinks]\ndocs = "/:year/:month/:title/"\n',
      'content/made/_content.gotmpl': '{{ .AddPage }}',
    };
    expect(found('[a](/2024/01/title/) [b](/made/any/)', files)).toEqual([]);
  });

  test('languages by folders and by names of files', () => {
    const files: Files = {
      ...TEMPLATE,
      'hugo.yaml': 'languages:\n  en: {contentDir: content/en}\n  fr: {contentDir: content/fr}\n',
      'content/en/docs/a.md': '[a](/docs/b/) [b](/fr/docs/a/) {{< ref "b" >}}\n',
      'content/en/docs/b.md': 'text\n',
      'content/fr/docs/a.md': '[a](/fr/docs/) [b](../a/) {{< ref "/docs/a" >}}\n',
    };
    expect(problems(files)).toEqual([]);
    const byName: Files = {
      ...TEMPLATE,
      'hugo.toml': '[languages.en]\n[languages.fr]\n',
      'content/docs/a.md': '[a](/fr/docs/a/)\n',
      'content/docs/a.fr.md': '[a](/docs/a/) [b](../a/)\n',
    };
    expect(problems(byName)).toEqual([]);
  });
});

describe('reports links that are dead in the build', () => {
  test.each([
    [
      'addresses',
      '[a](../nope/) [b](/docs/sub/deep/p/) [c](/docs/One.Two/)',
      ['../nope/', '/docs/sub/deep/p/', '/docs/One.Two/'],
    ],
    ['files of pages, which no template follows', '[a](one.two.md) [b](bundle/)', ['one.two.md', 'bundle/']],
    ['images', '![a](/pics/no.png) ![b](A.png)', ['/pics/no.png', 'A.png']],
    [
      '`ref` and `relref`, in code too',
      '[a]({{< ref "nope.md" >}})\n\n```\n{{< relref "deep/p.md" >}}\n```',
      ['nope.md', 'deep/p.md'],
    ],
    ['pages that are part of another', '{{< ref "bundle/part.md" >}}', ['bundle/part.md']],
  ])('%s', (_, text, targets) => {
    expect(found(text)).toEqual(targets.map((target) => expect.stringContaining(JSON.stringify(target))));
  });

  test('anchors', () => {
    const text = '[a](../one.two/#nope) [b](#no) [c]({{< ref "one.two#no" >}})\n\n# Yes';
    expect(found(text).map((line) => line.replace(/:.*$/s, ''))).toEqual(Array(3).fill('content/docs/a.md'));
    expect(found(text).join()).toContain('missing-anchor: The link "one.two#no"');
  });

  test('a page that is not in the language of the one that names it', () => {
    const files: Files = {
      ...TEMPLATE,
      'hugo.toml': '[languages.en]\n[languages.fr]\n',
      'content/docs/a.fr.md': '{{< ref "b" >}}\n',
      'content/docs/b.md': 'text\n',
    };
    expect(problems(files)).toEqual([expect.stringContaining('"b" is broken: the page is not in this language')]);
  });
});

test('ids that a site makes in its own way are said to be unchecked, and those of feeds do not count', () => {
  const found = (more: Files) =>
    new Site({ ...SITE, 'content/docs/a.md': '[a](#gone)\n', ...more })
      .problems()
      .flatMap(({ code, message }) => (/anchor/.test(message) ? [`${code}: ${message.split(',')[0]}`] : []));
  const hook = 'layouts/docs/_markup/render-heading';
  const missing = 'missing-anchor: The link "#gone" points to an anchor that this page does not have.';
  expect(found({ [`${hook}.html`]: '<h2 id="{{ .Anchor }}">', [`${hook}.rss.xml`]: '<h2>' })).toEqual([missing]);
  expect(found({ [`${hook}.html`]: '<h2 id="{{ urlize .Text }}">' })).toEqual([
    'not-checked: The template for headings makes its own IDs',
  ]);
  const settings = '[markup.goldmark.parser]\nautoHeadingID = false\n';
  expect(found({ 'hugo.toml': `${SITE['hugo.toml']!}${settings}` })).toEqual([
    'not-checked: The configuration changes the IDs of headings (autoHeadingID',
  ]);
});

test('reports skipped checks', () => {
  const said = new Site({
    'hugo.toml': 'theme = "far"\n[markup]\ndefaultMarkdownHandler = "pandoc"\n',
    'content/a.md': '',
  })
    .problems()
    .map(({ code, message }) => `${code}: ${message}`);
  expect(said).toEqual([
    expect.stringMatching(/^not-checked: The repository lacks some themes/),
    expect.stringMatching(/^not-checked: Pages are rendered with pandoc/),
  ]);
});

describe('pages that are not published', () => {
  const PAGES: Files = {
    'content/docs/draft.md': '---\ndraft: true\n---\n[x](../later/)\n',
    'content/docs/later.md': '---\npublishDate: 2999-01-01\n---\ntext\n',
    'content/docs/gone.md': '+++\nexpiryDate = 2001-01-01\n+++\ntext\n',
    'content/docs/now.md': '+++\ndraft = false\ndate = 2001-01-01\n+++\ntext\n',
  };
  const LINKS = '[a](../draft/) [b](../later/) [c](../gone/) [d](../now/) {{< ref "draft.md" >}}\n';

  test('are not there for others, and each link says why', () => {
    expect(found(LINKS, PAGES)).toEqual([
      expect.stringContaining('"../draft/" is broken: the page is a draft'),
      expect.stringContaining('"../later/" is broken: the page is not published before 2999-01-01'),
      expect.stringContaining('"../gone/" is broken: the page expired on 2001-01-01'),
      expect.stringContaining('"draft.md" is broken: the page is a draft'),
    ]);
  });

  test('are there where the site builds them', () => {
    const all = 'baseURL = "https://example.org/"\nbuildDrafts = true\nbuildFuture = true\nbuildExpired = true\n';
    expect(found(LINKS, { ...PAGES, 'hugo.toml': all })).toEqual([]);
  });
});

/** What is found on a page with front matter in JSON. */
const withJson = (front: string, text = '') =>
  new Site({ ...SITE, 'content/docs/json.md': `${front}\n\n${text}\n` })
    .problems()
    .filter(({ path }) => path === 'content/docs/json.md')
    .map(({ line, code, message, target }) => `${line} ${code} ${target ?? message}`);

describe('front matter in JSON', () => {
  test('is read, and is not text of the page', () => {
    const front =
      '{\n\t"title": "JSON {",\n  "aliases": ["/json-old"],\n  "menu": { "main": {} },\n  "draft": false\n}';
    const site = new Site({
      ...SITE,
      'content/docs/json.md': `${front}\n\n## Part\n\n[a](/json-old) [b](#part) [c](gone.md)\n`,
    });
    expect(site.docs().facts('content/docs/json.md')).toMatchObject({
      title: 'JSON {',
      frontMatter: {
        fields: { title: 'JSON {', aliases: '/json-old' },
        flags: { draft: false },
        others: ['aliases', 'menu'],
      },
      headings: [{ text: 'Part', line: 8 }],
    });
    expect(withJson(front, '[a](/json-old) [b](gone.md)')).toEqual([
      '8 redirected-link /json-old',
      '8 missing-page gone.md',
    ]);
  });

  test('that is invalid is reported at its position', () => {
    expect(withJson('{\n  "title": "A"\n  "b": 1\n}')).toEqual([expect.stringMatching(/^3 front-matter .*comma/)]);
  });

  test('is not what a shortcode is, nor text in braces', () => {
    expect(withJson('{{< note >}}x{{< /note >}}')).toEqual([]);
    expect(withJson('{ "a"', '[b](gone.md)')).toEqual(['3 missing-page gone.md']);
  });
});
