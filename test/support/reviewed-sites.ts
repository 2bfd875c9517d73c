import type { MemoryFile } from '@docent/base/files/memory-base-tree';
import { notesOn } from './reviewed-change.ts';

const HOME = '# Home\n\nSee https://docs.acme.example and ![x](https://img.acme.example/a.png).\n';
/** A small site of each generator. */
export const SITES = {
  plain: { 'index.mdx': HOME, 'a.mdx': "import { Card } from '/snippets/card.mdx'\n\n<Card onClick={() => go()} />\n", 'b.md': '# B\n' }, // oxfmt-ignore
  mintlify: { 'docs.json': '{"$schema": "https://mintlify.com/docs.json", "navigation": {"pages": ["index", "a"]}}', 'index.mdx': HOME, 'a.mdx': '# A\n', 'b.md': '# B\n' }, // oxfmt-ignore
  vitepress: { '.vitepress/config.ts': 'export default { title: "x" }\n', 'index.md': HOME, 'a.md': '# A\n\n{{ $frontmatter.title }}\n' }, // oxfmt-ignore
  mkdocs: { 'mkdocs.yml': 'site_name: x\nnav:\n  - index.md\n  - a.md\nplugins:\n  - search\n', 'docs/index.md': HOME, 'docs/a.md': '# A\n' }, // oxfmt-ignore
  docusaurus: { 'docusaurus.config.js': 'module.exports = { presets: ["classic"] };\n', 'docs/index.md': HOME, 'docs/a.mdx': '# A\n' }, // oxfmt-ignore
  hugo: { 'hugo.toml': 'title = "x"\n', 'content/index.md': HOME, 'content/a.md': '# A\n\n{{< note >}}\n' },
  jekyll: { '_config.yml': 'title: x\n', 'index.md': HOME, 'a.md': '# A\n\n{% include note.html %}\n' },
} satisfies Record<string, Record<string, MemoryFile>>;

/** The notes for reviewers on a page that is written, or deleted with null. */
export const messages = (site: keyof typeof SITES, path: string, content: string | null) =>
  notesOn(SITES[site], { [path]: content }).map(({ message }) => message);
