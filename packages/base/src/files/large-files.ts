/**
 * Bytes of a page or a site's configuration that checks read. Navigations of large sites have megabytes, and
 * so have pages with pictures in them.
 */
export const MAX_CHECKED_BYTES = 16 * 1_048_576;

/**
 * Limits for files of one commit that are fetched by their ids, besides the small files that come together.
 */
export const LARGE_FILES = { files: 32, totalBytes: 64 * 1_048_576 } as const;

const PAGE = /\.(?:mdx?|markdown)$/i;
const CONFIGURATION =
  /(?:^|\/)(?:(?:docs|mint)\.json|(?:docusaurus|astro)\.config\.[cm]?[jt]s|\.vitepress\/config(?:\/index)?\.[cm]?[jt]s|mkdocs(?:[-._][\w.-]+)?\.ya?ml|book\.toml|[\w.-]*sidebars?[\w.-]*\.(?:json|ya?ml|[cm]?[jt]s))$/;

/** Whether checks read a file that is too large for tools: a page, or a site configuration. */
export function isChecked(path: string): boolean {
  return PAGE.test(path) || isConfiguration(path);
}

/** Site configurations come first if not all files can be fetched. */
export function isConfiguration(path: string): boolean {
  return CONFIGURATION.test(path);
}
