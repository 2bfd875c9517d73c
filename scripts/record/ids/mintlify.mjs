// Run in a folder that has @mintlify/common and @mdx-js/mdx: pages on the standard input, their ids on the
// standard output.
import { createProcessor } from '@mdx-js/mdx';
import gfm from 'remark-gfm';
import { text } from 'node:stream/consumers';

const part = (path) => import(new URL(`./node_modules/@mintlify/common/dist/${path}`, import.meta.url));
const { cleanHeadingId } = await part('slugify.js');
const { COMPONENTS_WITHOUT_ID, COMPONENTS_WITH_CLEANED_ID } = await part('mdx/componentIds.js');
const { preprocessCustomHeadingIds } = await part('mdx/preprocessCustomHeadingIds.js');
const { remarkParseTitleMarkdown } = await part('mdx/plugins/remark/remarkTitleMarkdown.js');
const { remarkComponentIds } = await part('mdx/plugins/remark/remarkComponentIds.js');
const { remarkUnwrapJsxHeadings } = await part('mdx/plugins/remark/remarkUnwrapJsxHeadings.js');
const { remarkUnwrapInlineJsx } = await part('mdx/plugins/remark/remarkUnwrapInlineJsx.js');
const { remarkExtractTableOfContents } = await part('mdx/plugins/remark/remarkExtractTableOfContents.js');
const { rehypeParamFieldIds } = await part('mdx/plugins/rehype/rehypeParamFieldIds.js');

const answers = {};
for (const [name, page] of Object.entries(JSON.parse(await text(process.stdin)))) {
  const ids = new Set();
  const collectScript = (node) => {
    if (typeof node !== 'object' || node === null) return;
    if (node.type === 'JSXAttribute' && node.name.name === 'id') ids.add(node.value.value);
    for (const part of Object.values(node)) collectScript(part);
  };
  const collect = (node) => {
    if (node.properties?.id) ids.add(node.properties.id);
    // An expression has a tree of another kind.
    collectScript(node.data?.estree);
    for (const { name: attribute, value } of node.attributes ?? []) {
      if (attribute !== 'id' || COMPONENTS_WITHOUT_ID.has(node.name)) continue;
      ids.add(COMPONENTS_WITH_CLEANED_ID.has(node.name) ? cleanHeadingId(value) : value);
    }
    for (const child of node.children ?? []) collect(child);
  };
  const processor = createProcessor({
    remarkPlugins: [
      gfm,
      remarkParseTitleMarkdown,
      remarkComponentIds,
      remarkUnwrapJsxHeadings,
      remarkUnwrapInlineJsx,
      [remarkExtractTableOfContents, {}],
    ],
    rehypePlugins: [rehypeParamFieldIds, () => collect],
  });
  await processor.process(preprocessCustomHeadingIds(page));
  answers[name] = [...ids];
}
process.stdout.write(JSON.stringify(answers));
