/**
 * Bytes of a page or a site's configuration that checks read. Navigations of large sites have megabytes, and
 * so have pages with pictures in them.
 */
export const MAX_CHECKED_BYTES = 16 * 1_048_576;

/**
 * Bounds of what is fetched of one commit by its ids, beside the files that are small enough to come with all
 * others.
 */
export const LARGE_FILES = { files: 32, totalBytes: 64 * 1_048_576 } as const;

const PAGE = /\.(?:mdx?|markdown)$/i;
const CONFIGURATION =
  /(?:^|\/)(?:(?:docs|mint)\.json|(?:docusaurus|astro)\.config\.[cm]?[jt]s|\.vitepress\/config(?:\/index)?\.[cm]?[jt]s|mkdocs(?:[-._][\w.-]+)?\.ya?ml|book\.toml|[\w.-]*sidebars?[\w.-]*\.(?:json|ya?ml|[cm]?[jt]s))$/;

/** Whether checks read a file that is larger than tools open: a page, or what configures a site. */
export function isChecked(path: string): boolean {
  return PAGE.test(path) || isConfiguration(path);
}

/** What configures a site comes first where not all can be had. */
export function isConfiguration(path: string): boolean {
  return CONFIGURATION.test(path);
}
