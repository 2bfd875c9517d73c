/** The prefix of all of the server's paths: `/`, or the one that a proxy adds, with a final slash. */
export const BASE = new URL(document.baseURI).pathname.replace(/[^/]*$/, '');

/** The dashboard's own addresses: links to others leave it. */
export const PAGE_NAMES = 'sign-in|shared|projects|keys|hosts|model|people|audit|health|account';
const PAGES = new RegExp(`^(?:$|(?:${PAGE_NAMES})(?:[/?#]|$))`);

/** An address of this server as the browser needs it. @param path begins with a slash */
export function href(path: string): string {
  return BASE + path.slice(1);
}

/** Whether a link stays in the dashboard. @param address of an `href` attribute */
export function isPage(address: string): boolean {
  const { origin, pathname } = new URL(address, document.baseURI);
  return origin === location.origin && pathname.startsWith(BASE) && PAGES.test(pathname.slice(BASE.length));
}

/** The path within the dashboard that is shown, with its query; begins with a slash. */
export function currentPath(): string {
  return `/${location.pathname.slice(BASE.length)}${location.search}`;
}
