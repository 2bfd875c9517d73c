import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Nodes, Root } from 'mdast';
import { draw, type DrawnPage } from './draw.ts';
import { headingIds, textOf } from './page-text.ts';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { frontmatterFromMarkdown } from 'mdast-util-frontmatter';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { mdxFromMarkdown } from 'mdast-util-mdx';
import { frontmatter } from 'micromark-extension-frontmatter';
import { gfm } from 'micromark-extension-gfm';
import { mdxjs } from 'micromark-extension-mdxjs';
import { parse } from 'yaml';

interface PageHead {
  title: string;
  description: string;
}

const FRONT_MATTER = /^---\n(.*?)\n---\n/s;

/** The front matter of a page. */
function readHead(text: string): PageHead {
  const written = FRONT_MATTER.exec(text)?.[1] ?? '';
  const { title, description } = (parse(written) as Partial<PageHead> | null) ?? {};
  return { title: title ?? 'Docent', description: description ?? '' };
}

/** Parses our own docs: MDX with front matter. @throws if it is invalid, which tests find */
function parseMdx(text: string): Root {
  return fromMarkdown(text, {
    extensions: [frontmatter(), gfm(), mdxjs()],
    mdastExtensions: [frontmatterFromMarkdown(), gfmFromMarkdown(), mdxFromMarkdown()],
  });
}

export interface PageEntry {
  /** Below `/docs`: empty for the first page, `operate/security` for another one. */
  path: string;
  title: string;
  description: string;
}

export interface PageGroup {
  name: string;
  pages: PageEntry[];
}

/** A search result: a section of a page. */
export interface FoundSection {
  url: string;
  page: string;
  heading: string;
  text: string;
}

interface DocsConfig {
  navigation: { groups: { group: string; pages: string[] }[] };
  redirects: { source: string; destination: string }[];
}

interface KeptPage {
  source: string;
  /** When it was read, on the clock of `performance.now()`. */
  readAt: number;
  head: PageHead;
  /** Parsed when more than its head is needed. */
  root: () => Root;
  /** Drawn for the prefix of the server's address. */
  drawn: { prefix: string; page: DrawnPage } | null;
}

/** In a checkout, an edit appears after this many milliseconds. */
const UNCHECKED_MS = 1_000;
const LINK = /(?<=\]\()\/(?!\/)[^)\s]*/g;

/** The product's own docs, read on demand. Only changed files are parsed again. */
export class DocsLibrary {
  readonly #folder: string;
  readonly #kept = new Map<string, KeptPage>();

  /** @param folder with `docs.json`, pages and images */
  constructor(folder: string) {
    this.#folder = folder;
  }

  async groups(): Promise<PageGroup[]> {
    const { navigation } = await this.#config();
    return Promise.all(
      navigation.groups.map(async ({ group, pages }) => ({
        name: group,
        pages: await Promise.all(
          pages.map(async (name) => {
            const { title, description } = (await this.#read(name)).head;
            return { path: name === 'index' ? '' : name, title, description };
          }),
        ),
      })),
    );
  }

  /** The drawn page. @param entry of the navigation: no other file is ever read */
  async page(entry: PageEntry, prefix: string): Promise<DrawnPage> {
    const kept = await this.#read(nameOf(entry));
    if (kept.drawn?.prefix !== prefix)
      kept.drawn = { prefix, page: draw(kept.root(), (target) => withinDocs(target, prefix)) };
    return kept.drawn.page;
  }

  /** The page's source, with its links changed to this server's Markdown pages. */
  async source(entry: PageEntry, prefix: string): Promise<string> {
    const { source } = await this.#read(nameOf(entry));
    return source.replaceAll(LINK, (target) => {
      const [page = '', anchor] = target.split('#');
      if (page === '/' || path.extname(page) !== '') return withinDocs(target, prefix);
      return `${withinDocs(page, prefix)}.md${anchor === undefined ? '' : `#${anchor}`}`;
    });
  }

  /** An image of the docs. @param name below `images/` @returns null if there is no such image */
  async image(name: string): Promise<{ type: string; content: string | Buffer } | null> {
    const [, kind] = /^(?:[a-z0-9-]+\/)?[a-z0-9-]+\.(svg|png)$/.exec(name) ?? [];
    if (kind === undefined) return null;
    const file = path.join(this.#folder, 'images', name);
    const content = await readFile(file, kind === 'svg' ? 'utf8' : null).catch(() => null);
    return content === null ? null : { type: kind === 'svg' ? 'image/svg+xml' : 'image/png', content };
  }

  /** The new address of a renamed page, below `/docs`; null for any other. */
  async redirect(page: string): Promise<string | null> {
    const { redirects } = await this.#config();
    return redirects.find(({ source }) => source === `/${page}`)?.destination ?? null;
  }

  /** Every section of every page, for the search in the browser. */
  async sections(prefix: string): Promise<FoundSection[]> {
    const entries = (await this.groups()).flatMap(({ pages }) => pages);
    const found = entries.map(async (entry) => {
      const { root } = await this.#read(nameOf(entry));
      return sectionsOf(root(), entry, withinDocs(`/${entry.path}`, prefix));
    });
    return (await Promise.all(found)).flat();
  }

  async #config(): Promise<DocsConfig> {
    return JSON.parse(await readFile(path.join(this.#folder, 'docs.json'), 'utf8')) as DocsConfig;
  }

  async #read(name: string): Promise<KeptPage> {
    const kept = this.#kept.get(name);
    if (kept && performance.now() - kept.readAt < UNCHECKED_MS) return kept;
    const source = await readFile(path.join(this.#folder, `${name}.mdx`), 'utf8');
    if (kept?.source === source) {
      kept.readAt = performance.now();
      return kept;
    }
    let parsed: Root | null = null;
    const root = (): Root => (parsed ??= parseMdx(source));
    const read = { source, readAt: performance.now(), head: readHead(source), root, drawn: null };
    this.#kept.set(name, read);
    return read;
  }
}

/** The docs' own links are relative to the docs root, which is only one part of this server. */
export function withinDocs(target: string, prefix: string): string {
  if (!target.startsWith('/') || target.startsWith('//')) return target;
  return `${prefix}${target === '/' ? '' : target}`;
}

function nameOf(entry: PageEntry): string {
  return entry.path === '' ? 'index' : entry.path;
}

function sectionsOf(root: Root, entry: PageEntry, url: string): FoundSection[] {
  const idOf = headingIds();
  const sections: FoundSection[] = [{ url, page: entry.title, heading: '', text: entry.description }];
  const enter = (id: string, heading: string): void => {
    sections.push({ url: `${url}#${id}`, page: entry.title, heading, text: '' });
  };
  const read = (node: Nodes): void => {
    if (node.type === 'yaml') return;
    const heading = node.type === 'heading' ? textOf(node) : titleWithId(node);
    if (heading !== null) enter(idOf(heading), heading);
    if (node.type === 'heading') return;
    if ('children' in node && !isText(node)) node.children.forEach(read);
    else sections.at(-1)!.text += ` ${textOf(node)}`;
  };
  read(root);
  return sections.map((section) => ({ ...section, text: section.text.replaceAll(/\s+/g, ' ').trim() }));
}

/** Steps and accordions have ids as headings do. */
function titleWithId(node: Nodes): string | null {
  if (node.type !== 'mdxJsxFlowElement' && node.type !== 'mdxJsxTextElement') return null;
  if (node.name !== 'Step' && node.name !== 'Accordion') return null;
  const title = node.attributes.find((attribute) => attribute.type === 'mdxJsxAttribute' && attribute.name === 'title');
  return typeof title?.value === 'string' ? title.value : '';
}

function isText(node: Nodes): boolean {
  return node.type === 'paragraph'
    ? !node.children.some((child) => child.type === 'mdxJsxTextElement')
    : node.type === 'tableRow';
}
