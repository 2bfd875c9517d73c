import { describe, expect, test } from 'vitest';
import { notesOn } from '../../support/reviewed-change.ts';
import { messages, SITES } from '../../support/reviewed-sites.ts';

const CODE = 'has new code that runs when the site is built or viewed: ';

describe('code in a page is named', () => {
  test.each([
    ['export const x = fetch("/a")', 'an export'],
    ['{(() => 1)()}', 'an expression'],
    ["import x from './x.js'", 'an import'],
    ["import './x.js'", 'an import'],
    ["export * from './x.js'", 'an import'],
    ["import s from '!!raw-loader!../.env'", 'an import'],
    ['{process.env.SECRET}', 'an expression'],
    ['{process\n  .env\n  .SECRET}', 'an expression'],
    ['{\n  fetch\n  (\n"/a")\n}', 'an expression'],
    ['{import.meta.env.X}', 'an expression'],
    ['{globalThis.x}', 'an expression'],
    ['{document.cookie}', 'an expression'],
    ['{window["x"]}', 'an expression'],
    ['{props.constructor}', 'an expression'],
    ['{props["constr" + "uctor"]}', 'an expression'],
    ['{eval`1`}', 'an expression'],
    ['{new Function("1")}', 'an expression'],
    ['{await 1}', 'an expression'],
    ['{{ get x() { return 1 } }.x}', 'an expression'],
    ['{require("fs")}', 'an expression'],
    ['{require("!!raw-loader!./x.png")}', null],
    ['<Card title={process.env.SECRET} />', 'an expression'],
    ['<Card {...process.env} />', 'an expression'],
    ['<div onMouseOver={() => 1} />', 'an event handler'],
    ['<div\n  onMouseOver={\n    window.x\n  }\n/>', 'an event handler'],
    ['<div onclick="x()" />', 'an event handler'],
    ['{<div onMouseOver={x} />}', 'an event handler'],
    ['<script>{`alert(1)`}</script>', 'a script'],
    ['<script src="/x.js" />', 'a script'],
    ['<div dangerouslySetInnerHTML={{ __html: "x" }} />', 'a script'],
    ['<div {...{ dangerouslySetInnerHTML: { __html: "x" } }} />', 'an expression'],
    ['<a href={"java" + "script:x()"}>x</a>', 'an address that is code'],
    ['<Card href="javascript:x()" />', 'an address that is code'],
    ['<iframe srcDoc="x" />', 'a frame'],
    ['export default ({ children }) => children', 'an export'],
    ['export const x = { y: () => 1 }', 'an export'],
    ['export function x() {}', 'an export'],
  ] as const)('in MDX: %j', (text, kind) => {
    const notes = messages('plain', 'a.mdx', `${SITES.plain['a.mdx']}\n# A\n\n${text}\n`);
    if (kind === null) expect(notes).toEqual([]);
    else expect(notes.join('\n')).toMatch(new RegExp(`^${CODE}.*${kind}`, 'm'));
  });

  test.each([
    ['<script>alert(1)</script>', 'a script'],
    ['<b onclick="x()">x</b>', 'an event handler'],
    ['<svg/onload=alert(1)>', 'an event handler'],
    ['<svg\fonload=alert(1)>', 'an event handler'],
    ['<img src="x"onerror=alert(1)>', 'an event handler'],
    ['<p ONCLICK=x()>x</p>', 'an event handler'],
    ['<!--><b onclick=x()>-->', 'an event handler'],
    ['<textarea><b onclick=x()></textarea>', 'an event handler'],
    ['<svg><title><b onclick=x()></title></svg>', 'an event handler'],
    ['<body onload=x()>', 'an event handler'],
    ['[x](javascript:alert(1))', 'an address that is code'],
    ['[x](JaVaScRiPt:alert(1))', 'an address that is code'],
    ['[x](java&#115;cript:alert(1))', 'an address that is code'],
    ['[x](javascript&colon;alert(1))', 'an address that is code'],
    ['<a href="java&NewLine;script:alert(1)">x</a>', 'an address that is code'],
    ['<a href="java\tscript:alert(1)">x</a>', 'an address that is code'],
    ['<a href=" &#1; javascript:alert(1)">x</a>', 'an address that is code'],
    ['<a href=vbscript:x>x</a>', 'an address that is code'],
    ['[x](data:text/html,<script>1</script>)', 'an address that is code'],
    ['[x](data:text/html;base64,PHNjcmlwdD4)', 'an address that is code'],
    ['[x](data:image/svg+xml,x)', 'an address that is code'],
    ['[x](data:,x)', null],
    ['<object data="data:text/html,x"></object>', 'an address that is code'],
    ['<svg><a><animate attributeName=href values="x;javascript:alert(1)" /></a></svg>', 'an address that is code'],
    ['<form action="https://docs.acme.example/"><input></form>', 'a form'],
    ['<button formaction="https://docs.acme.example/">x</button>', 'a form'],
    ['<form action=javascript:x()><input></form>', 'a form'],
    ['<iframe srcdoc="x"></iframe>', 'a frame'],
    ['<iframe src="https://docs.acme.example"></iframe>', 'a frame'],
    ['<object data=/x.swf></object>', 'a frame'],
    ['<embed src=/x>', 'a frame'],
    ['<base href=/x>', 'a base address'],
    ['<meta http-equiv=refresh content="0;url=/x">', 'a meta element that a browser obeys'],
    ['<link rel=stylesheet href=/x.css>', 'a style sheet'],
    ['<style>b{}</style>', 'a style sheet'],
    ['<b style="behavior:url(x)">x</b>', 'a script'],
    ['![x](data:image/png;base64,AAAA)', null],
    ['---js\n{ title: process.env.X }\n---\n', 'code in its front matter'],
    ['--- javascript\n{}\n---\n', 'code in its front matter'],
    ['---\nhead:\n  - [script, { src: /x.js }]\n---\n', 'code in its front matter'],
    ['---\nlayout: ../../x\n---\n', 'code in its front matter'],
    ['---\ndescription: <script>1</script>\n---\n', 'a script'],
    ['```jsx live\nalert(1)\n```', 'live code'],
    ['```python exec="on"\nx\n```', 'live code'],
    ['```{python}\nx\n```', 'live code'],
    ['--8<-- "../.env"', 'an included file'],
    ['<<< @/../secret.ts', 'an included file'],
    ['--8<-- "https://docs.acme.example/x.md"', 'an included file'],
    ['--8<--\n.env\n--8<--', 'an included file'],
    ['{{#include ../../.env:1:9}}', 'an included file'],
  ] as const)('in Markdown: %j', (text, kind) => {
    const notes = messages('plain', 'b.md', /^--- ?\w*\n/.test(text) ? text : `# B\n\n${text}\n`);
    if (kind === null) expect(notes).toEqual([]);
    else expect(notes.join('\n')).toMatch(new RegExp(`^${CODE}.*${kind}`, 'm'));
  });

  test.each([
    ['vitepress', 'a.md', '{{ process.env.X }}', 'an expression'],
    ['vitepress', 'a.md', '{{\n  fetch("/x")\n}}', 'an expression'],
    ['vitepress', 'a.md', '<div>{{ $data.constructor }}</div>', 'an expression'],
    ['vitepress', 'a.md', '<script setup>\nfetch("/x")\n</script>', 'a script'],
    ['vitepress', 'a.md', '<b @click="x()">x</b>', 'an event handler'],
    ['vitepress', 'a.md', '> <p\n>   @click="x()">x</p>', 'an event handler'],
    ['vitepress', 'a.md', '<Tabs>\n\n<template #a="{ b = x() }">\n\ny\n\n</template>\n\n</Tabs>', 'an expression'],
    ['vitepress', 'a.md', '<b v-on:click="x()">x</b>', 'an event handler'],
    ['vitepress', 'a.md', '<b :title="x()">x</b>', 'an expression'],
    ['vitepress', 'a.md', '<b v-html="frontmatter.x" />', 'an expression'],
    ['vitepress', 'a.md', '::: tip <b onclick=x()>x</b>\nx\n:::', 'an event handler'],
    ['docusaurus', 'docs/a.mdx', ':::note[<b onClick={() => 1}>x</b>]\n\nx\n\n:::', 'an event handler'],
    ['docusaurus', 'docs/a.mdx', '<div title="<!--" onClick={() => 1} x="-->" />', 'an expression'],
    ['docusaurus', 'docs/a.mdx', '```mdx-code-block\n{process.env.X}\n```', 'an expression'],
    ['mkdocs', 'docs/a.md', '!!! note "<b onclick=x()>x</b>"\n    x', 'an event handler'],
    ['mkdocs', 'docs/a.md', '/// note\n\n    <script>1</script>\n///', 'a script'],
    ['mkdocs', 'docs/a.md', '[x](a.md){ onclick="x()" }', 'an event handler'],
    ['mkdocs', 'docs/a.md', '{{ config.__class__ }}', 'a template call'],
    ['mkdocs', 'docs/a.md', "{% include '../../x' %}", 'a template call'],
    ['hugo', 'content/a.md', '{{< readfile ".env" >}}', 'a template call'],
    ['jekyll', 'a.md', '{% include_relative ../x %}', 'a template call'],
    ['mintlify', 'b.md', '{process.env.X}', 'an expression'],
    ['plain', 'x.svg', '<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>', 'a script'],
    ['plain', 'x.html', '<script>1</script>', 'a script'],
    ['plain', 'guide.rst', '.. raw:: html\n\n   <script>1</script>\n', 'a template call'],
    ['plain', 'guide.adoc', 'include::https://docs.acme.example/x[]\n', 'a template call'],
    ['plain', 'sidebars.json', '[{"type": "html", "value": "<script>1<\\/script>"}]', 'a script'],
  ] as const)('as %s reads it: %s %j', (site, path, text, kind) => {
    expect(messages(site, path, `${text}\n`).join('\n')).toMatch(new RegExp(`^${CODE}.*${kind}`, 'm'));
  });

  test('code that was there, that another page has, or that is only shown, is not', () => {
    expect(messages('plain', 'a.mdx', `${SITES.plain['a.mdx']}\nMore.\n`)).toEqual([]);
    expect(messages('plain', 'c.mdx', SITES.plain['a.mdx'])).toEqual([]);
    expect(
      messages('plain', 'b.md', '# B\n\n```js\nimport x from "y"\n<script>\n```\n\nUse `<script>` and `{x()}`.\n'),
    ).toEqual([]);
    expect(messages('vitepress', 'a.md', '# A\n\n{{ $frontmatter.title }} and `{{ x() }}`\n')).toEqual([]);
    expect(messages('hugo', 'content/b.md', '# B\n\n{{< note >}}\n')).toEqual([]);
  });

  test('code that another page shows, or has in a comment, is not code that the docs have', () => {
    const files = {
      ...SITES.plain,
      'c.md': '```html\n<script>evil()</script>\n```\n\n<!-- <script>evil()</script> -->\n',
    };
    expect(notesOn(files, { 'b.md': '# B\n\n<script>evil()</script>\n' })).toHaveLength(1);
  });

  test('parts that only show something are not', () => {
    const text = [
      "import Tabs from '@theme/Tabs'",
      "import img from './x.png'",
      "import Part from './part.mdx'",
      "export const items = [{ title: 'x', n: -1 }]",
      '',
      '# A {/* id */}',
      '',
      '<Tabs items={["a", "b"]} on={true} {...props}>{props.children} {frontMatter.title ?? "x"} {`a ${props.b}`} {items[0].title}</Tabs>',
      '<img src={img} alt="x" style={{ width: "50%" }} />',
      '<img src={require("./x.png").default} /> <img src={useBaseUrl("/img/x.png")} />',
      '<Card title="JavaScript: The Good Parts" cta="Data: all" label="Note: x" />',
      '<Icon icon={<Part />} /> {"<script>"} {1 + 2} {}',
    ].join('\n');
    expect(messages('plain', 'c.mdx', text)).toEqual([]);
  });
});

describe('files that are not documentation are named', () => {
  const OTHER = 'is not documentation: a build or a tool may run or read it';
  test.each([
    'book.toml', 'lefthook.yml', '.eslintrc.json', '_config.yml', 'tox.ini', 'conf.ini', 'config.toml', '.vale.ini', '.markdownlint.json',
    'tsconfig.json', '_headers', 'CNAME', '.babelrc', 'noxfile', 'Procfile', 'babel.config.json', 'hugo.yaml', '.pages.yml', '.prettierrc',
    'docs/.hidden/page.md', 'data.yaml', 'x.ipynb', 'Brewfile', '.tool-versions', 'renovate.json', 'Taskfile.yml', 'x.unknown', 'x', 'lychee.toml',
    'app.json', 'static.json', 'render.yaml', 'fly.toml', 'antora.yml', 'docfx.json', 'typedoc.json', 'notes.txt', 'CMakeLists.txt',
  ])('%s', (path) => expect(messages('plain', path, 'x')).toContain(OTHER)); // oxfmt-ignore

  test.each(['docusaurus.config.js', '.vitepress/config.ts', 'hooks.py', 'theme.css', 'x.vue', 'overrides/main.html', '_includes/head.html', '_layouts/x.html'])('%s', (path) => {
    expect(messages('plain', path, 'x')).toContain('is code that a build or a browser may run');
  }); // oxfmt-ignore

  test('and so is their deletion', () => {
    expect(notesOn({ ...SITES.plain, 'tox.ini': 'x' }, { 'tox.ini': null })).toEqual([
      { path: 'tox.ini', message: `${OTHER} and is deleted` },
    ]);
  });

  test.each([
    ['plain', 'images/x.png'],
    ['plain', 'guides/x.md'],
    ['plain', 'robots.txt'],
    ['plain', '_category_.json'],
    ['mintlify', 'openapi.json'],
  ] as const)('documentation is not: %s %s', (site, path) => expect(messages(site, path, '{}')).toEqual([]));

  test.each([
    [
      'mintlify',
      'docs.json',
      '{"navigation": {"pages": ["index", "a"]}, "integrations": {"ga4": {"measurementId": "G-1"}}}',
      '`integrations`',
    ],
    [
      'mintlify',
      'docs.json',
      '{"navigation": {"pages": ["index", "a"]}, "api": {"playground": "x"}, "a`b": 1}',
      '`api`, `a*b`',
    ],
    ['mkdocs', 'mkdocs.yml', 'site_name: x\nnav: [index.md, a.md]\nplugins: [search]\nhooks: [x.py]\n', '`hooks`'],
    ['mkdocs', 'mkdocs.yml', 'site_name: x\nnav: [index.md, a.md]\nplugins: [search, macros]\n', '`plugins`'],
    [
      'mkdocs',
      'mkdocs.yml',
      'site_name: x\nnav: [index.md, a.md]\nplugins: [search]\nextra_javascript: [x.js]\ntheme:\n  custom_dir: x\n',
      '`theme.custom_dir`, `extra_javascript`',
    ],
    [
      'mkdocs',
      'mkdocs.yml',
      'site_name: !!python/object/apply:os.system [x]\nnav: [index.md, a.md]\nplugins: [search]\n',
      '`tag`',
    ],
    ['mkdocs', 'mkdocs.yml', 'site_name: x\nnav: [index.md, a.md]\nplugins: []\n', '`plugins`'],
  ] as const)('settings that load or run something are: %s %s %s', (site, path, text, names) => {
    const note = messages(site, path, text).find((message) => message.startsWith('changes settings'));
    expect(note?.replace(/.*: /, '').split(', ').toSorted()).toEqual(names.split(', ').toSorted());
  });

  test('navigation, redirects and names of a site are not', () => {
    const docs = '{"$schema": "https://mintlify.com/docs.json", "name": "y", "navigation": {"pages": ["a", "index"]}, "redirects": [{"source": "/x", "destination": "/a"}]}'; // oxfmt-ignore
    expect(messages('mintlify', 'docs.json', docs)).toEqual([]);
    const mkdocs = 'site_name: y\nnav:\n  - a.md\n  - index.md\nplugins:\n  - search\n';
    expect(messages('mkdocs', 'mkdocs.yml', mkdocs)).toEqual([]);
  });

  test.each([
    'AGENTS.md', 'docs/CLAUDE.md', '.cursorrules', '.windsurfrules', '.cursor/rules/x.mdc', '.clinerules/x.md', 'GEMINI.md', 'SKILL.md', 'llms.txt',
    'llms-full.txt', 'CONTRIBUTING.md', 'STYLE_GUIDE.md', 'docs/style-guide.mdx', 'writing-guide.md', 'voice-and-tone.md', 'glossary.md',
    'terminology.md', '.github/copilot-instructions.md', 'x.instructions.md', 'x.prompt.md', '.junie/guidelines.md', 'CONVENTIONS.md', 'AGENTS.override.md',
    'styles/config/vocabularies/Acme/accept.txt', 'contributing.rst', '.mintlify/AGENTS.md',
  ])('rules for later jobs are: %s', (path) => {
    expect(messages('plain', path, 'x')).toContain('contains instructions for agents that work on this repository');
  }); // oxfmt-ignore
});

test('a file that the project names as instructions is reported to steer later jobs', () => {
  expect(notesOn(SITES.plain, { 'b.md': '# X\n' }, { instructionFiles: ['b.md'] })).toEqual([
    { path: 'b.md', message: 'contains instructions for agents that work on this repository' },
  ]);
});

describe('a note', () => {
  test('is there for what cannot be read', () => {
    expect(messages('plain', 'a.mdx', '# A\n\n<Card>\n')).toEqual(['could not be parsed the way its site generator parses it, so review the whole file']); // oxfmt-ignore
    expect(messages('mintlify', 'docs.json', '{"navigation": {"pages": ["index", "a"]}, "api": {"x"')).toContain('could not be read as JSON, so review the whole file'); // oxfmt-ignore
    expect(messages('mkdocs', 'mkdocs.yml', 'a: [\n').join()).toContain(
      'could not be read as YAML, so review the whole file',
    );
    expect(messages('plain', 'a.mdx', '>'.repeat(5_000)).join()).toContain(
      'is nested too deeply to be read, so review the whole file',
    );
  });

  test('quotes nothing that could hide or forge one', () => {
    const hosts = ['a`b\u202e.evil.example', `${'x'.repeat(60)}.${'y'.repeat(60)}.${'z'.repeat(60)}.evil.example`, '*@boss*<img>.example']; // oxfmt-ignore
    const text = hosts.map((host) => `<a href="https://${host}/">x</a>`).join('\n\n');
    for (const message of messages('plain', 'b.md', text)) {
      expect(message).not.toMatch(/[\n@<>\u202e]/);
      expect(message.split('`').length % 2).toBe(1);
      expect(message.length).toBeLessThan(500);
    }
    expect(messages('plain', 'b.md', text).join()).toContain('evil.example`');
  });

  test('counts the parts that it does not show', () => {
    const many = Array.from({ length: 300 }, (_, i) => `[x](https://h${i}.example/)`).join('\n\n');
    const [note] = messages('plain', 'b.md', `# B\n\n${many}`);
    expect(note).toMatch(/`h9\.example` and 290 more$/);
    expect(note!.length).toBeLessThan(500);
    const files = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`f${i}.md`, `[x](https://h${i}.example/)`]));
    const notes = notesOn(SITES.plain, { ...files, 'evil.md': '<script>1</script>' });
    expect(notes).toHaveLength(50);
    expect(notes[0]).toEqual({ path: 'evil.md', message: `${CODE}a script` });
    expect(notes.at(-1)?.message).toBe('and other files have 12 more notes, which are not shown here');
  });

  test('is made once of a server that many files name', () => {
    const files = Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`f${i}.md`, '[x](https://evil.example/)']));
    expect(notesOn(SITES.plain, files)).toHaveLength(1);
  });

  test('is there for characters that hide or turn text', () => {
    const message = 'has new characters that are invisible or change the text direction';
    expect(messages('plain', 'b.md', '# B\n\nuser\u202e }\u2066\n')).toEqual([message]);
    expect(messages('plain', 'b.md', '# B\u200b\n')).toEqual([message]);
    expect(messages('plain', 'b.md', '# B\r\n\r\n👩‍👩‍👧 क्‍ष\r\n')).toEqual([]);
    expect(notesOn({ 'a.md': '# A\u200b\n', 'b.md': '# B\n' }, { 'a.md': null, 'c.md': '# A\u200b\n' })).toEqual([]);
  });
});
