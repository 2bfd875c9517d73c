// Run in a folder that has @docusaurus/mdx-loader: pages on the standard input, their ids on the standard
// output.
import { createRequire } from 'node:module';
import { text } from 'node:stream/consumers';

const require = createRequire(import.meta.url);
const part = (name) => require(`./node_modules/@docusaurus/mdx-loader/lib/${name}.js`);
const { createProcessorUncached } = part('processor');
const preprocess = part('preprocessor').default;

const markdownConfig = {
  format: 'mdx',
  mermaid: false,
  emoji: true,
  mdx1Compat: { comments: true, admonitions: true, headingIds: true },
  anchors: { maintainCase: false },
  remarkRehypeOptions: undefined,
  hooks: { onBrokenMarkdownImages: 'ignore', onBrokenMarkdownLinks: 'ignore' },
};
const answers = {};
for (const [name, page] of Object.entries(JSON.parse(await text(process.stdin)))) {
  const ids = new Set();
  const collectScript = (node) => {
    if (typeof node !== 'object' || node === null) return;
    if (node.type === 'JSXAttribute' && node.name.name === 'id') ids.add(node.value.value);
    for (const part of Object.values(node)) collectScript(part);
  };
  const collect = (node) => {
    // The theme gives headings of depth 1 no id.
    if (node.properties?.id && node.tagName !== 'h1') ids.add(node.properties.id);
    // An expression has a tree of another kind.
    collectScript(node.data?.estree);
    for (const attribute of node.attributes ?? []) if (attribute.name === 'id') ids.add(attribute.value);
    for (const child of node.children ?? []) collect(child);
  };
  const filePath = '/page.mdx';
  const admonitions = { keywords: ['note', 'tip', 'info', 'warning', 'danger'], extendDefaults: true };
  const processor = await createProcessorUncached({
    format: 'mdx',
    options: { markdownConfig, admonitions, staticDirs: [], siteDir: '/', rehypePlugins: [() => collect] },
  });
  const content = preprocess({
    fileContent: page.replace(/!\[(\w+)\]\([^)]*\)/, '![$1](https://x.org/a.png)'),
    filePath,
    markdownConfig,
    admonitions,
  });
  await processor.process({ content, filePath, frontMatter: {}, compilerName: 'client' });
  answers[name] = [...ids];
}
process.stdout.write(JSON.stringify(answers));
