import type { Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { frontmatterFromMarkdown } from 'mdast-util-frontmatter';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { mdxFromMarkdown } from 'mdast-util-mdx';
import { frontmatter } from 'micromark-extension-frontmatter';
import { gfm } from 'micromark-extension-gfm';
import { mdxjs } from 'micromark-extension-mdxjs';
import { parse } from 'yaml';

export interface PageHead {
  title: string;
  description: string;
}

const FRONT_MATTER = /^---\n(.*?)\n---\n/s;

/** The front matter of a page. */
export function readHead(text: string): PageHead {
  const written = FRONT_MATTER.exec(text)?.[1] ?? '';
  const { title, description } = (parse(written) as Partial<PageHead> | null) ?? {};
  return { title: title ?? 'Docent', description: description ?? '' };
}

/** Parses our own docs: MDX with front matter. @throws if it is invalid, which tests find */
export function parseMdx(text: string): Root {
  return fromMarkdown(text, {
    extensions: [frontmatter(), gfm(), mdxjs()],
    mdastExtensions: [frontmatterFromMarkdown(), gfmFromMarkdown(), mdxFromMarkdown()],
  });
}
