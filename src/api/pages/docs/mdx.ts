import type { Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { frontmatterFromMarkdown } from 'mdast-util-frontmatter';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { mdxFromMarkdown } from 'mdast-util-mdx';
import { frontmatter } from 'micromark-extension-frontmatter';
import { gfm } from 'micromark-extension-gfm';
import { mdxjs } from 'micromark-extension-mdxjs';
import { parse } from 'yaml';

export interface MdxPage {
  title: string;
  description: string;
  root: Root;
}

/** Reads a page of the product's own docs: MDX with front matter. @throws where it is not valid, which its tests would have said */
export function parseMdx(text: string): MdxPage {
  const root = fromMarkdown(text, {
    extensions: [frontmatter(), gfm(), mdxjs()],
    mdastExtensions: [frontmatterFromMarkdown(), gfmFromMarkdown(), mdxFromMarkdown()],
  });
  const head = root.children[0];
  const { title, description } = (head?.type === 'yaml' ? (parse(head.value) as Partial<MdxPage> | null) : null) ?? {};
  return { title: title ?? 'Docent', description: description ?? '', root };
}
