export type PageFormat = 'markdown' | 'mdx';

/** How a file is parsed as a page, by its extension; null for anything that is not a page. */
export function pageFormatOf(path: string): PageFormat | null {
  if (/\.mdx$/i.test(path)) return 'mdx';
  return /\.(md|markdown)$/i.test(path) ? 'markdown' : null;
}

/** The path without a page's extension; other paths as they are. */
export function withoutPageExtension(path: string): string {
  return path.replace(/\.(mdx|md|markdown)$/i, '');
}

export function pageExtensionOf(path: string): string {
  return /\.(mdx|md|markdown)$/i.exec(path)?.[0] ?? '';
}
