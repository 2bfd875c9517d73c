/** Whether a page imports a page of another package: its headings are not in the repository. */
export function isForeignPage(name: string): boolean {
  return /^[@\w].*\.mdx?$/.test(name) && !name.startsWith('@site/');
}

/** Whether an import names a file of the site: relative to the page, or from the site's top. */
export function isOwnModule(name: string): boolean {
  return /^(?:\.{0,2}|@site)\//.test(name);
}
