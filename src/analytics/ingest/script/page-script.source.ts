/**
 * The readable page script. `scripts/generate/page-script.ts` builds the served text from it, so it may only
 * use code inside the function. It sets no cookie, stores nothing, and sends nothing if the reader objects
 * (Do Not Track, Global Privacy Control). On its own it sends: the page's origin and path, the referring
 * page's origin, `utm_source` of the address, and whether the page was missing. The page itself calls
 * `docent.feedback` and `docent.search`; feedback of readers who object has no visitor id.
 */
export function pageScript(): void {
  const { document, history, location, navigator } = window;
  const script = document.currentScript as HTMLScriptElement | null;
  const objects =
    navigator.doNotTrack === '1' ||
    (window as { doNotTrack?: string }).doNotTrack === '1' ||
    (navigator as { globalPrivacyControl?: boolean }).globalPrivacyControl;
  if (!script) return;
  // A page may hold the script twice, and Turbo or Astro run it again after each navigation: one of them
  // watches.
  const running = ((window as { docentScripts?: Record<string, boolean> }).docentScripts ??= {});
  if (running[script.src]) return;
  running[script.src] = true;

  const urlOf = (name: string) => new URL(name, script.src).href;
  const say = (name: string, words: object): Promise<boolean> =>
    // Text, as below. The answer shows whether it was accepted.
    fetch(urlOf(name), {
      method: 'POST',
      body: JSON.stringify({ url: location.origin + location.pathname, anonymous: !!objects, ...words }),
      keepalive: true,
      credentials: 'omit',
    }).then(
      ({ ok }) => ok,
      () => false,
    );
  (window as { docent?: object }).docent = {
    feedback: (helpful?: boolean, more?: object) => say('feedback', { helpful, ...more }),
    search: (query: string, clicked?: string) => (objects ? Promise.resolve(false) : say('search', { query, clicked })),
  };
  if (objects) return;

  const endpoint = urlOf('collect');
  const missingTitle = script.dataset.notFoundTitle;
  let { referrer } = document;
  let source = new URLSearchParams(location.search).get('utm_source') ?? undefined;
  let seen: string | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const send = () => {
    timer = undefined;
    const url = location.origin + location.pathname;
    // `/a` and `/a/` are one page.
    const page = url.replace(/\/$/, '');
    if (page === seen || (document as { prerendering?: boolean }).prerendering) return;
    seen = page;
    const body = JSON.stringify({
      url,
      referrer: referrer && new URL(referrer).origin,
      source: source?.slice(0, 40),
      notFound:
        !!document.querySelector('meta[name="docent:status"][content="404"]') ||
        !!(missingTitle && document.title.includes(missingTitle)),
    });
    // Within a site, the previous page is not a referrer.
    referrer = '';
    source = undefined;
    // Text, so that browsers ask no permission first; no credentials, so that no cookie goes along.
    try {
      fetch(endpoint, { method: 'POST', body, keepalive: true, credentials: 'omit', mode: 'no-cors' }).catch(() => {});
    } catch {
      navigator.sendBeacon?.(endpoint, body);
    }
  };

  // A moment later: then a single-page site has set the new title, and a page that only redirects is gone.
  const moved = () => {
    clearTimeout(timer);
    timer = setTimeout(send, 150);
  };
  for (const name of ['pushState', 'replaceState'] as const) {
    const original = history[name];
    history[name] = (...args) => {
      original.apply(history, args);
      moved();
    };
  }
  addEventListener('popstate', moved);
  addEventListener('pageshow', (event) => {
    // Back from the browser's memory: the page is seen again.
    if (event.persisted) {
      seen = undefined;
      moved();
    }
  });
  addEventListener('pagehide', () => {
    // A reader who leaves before the page has loaded has read it, except so early that it was a redirect.
    if (timer && performance.now() > 500) send();
  });
  document.addEventListener('prerenderingchange', moved);
  const isFramed = () => {
    try {
      return window.parent !== window && window.parent.location.origin === location.origin;
    } catch {
      return false; // Another site shows the page.
    }
  };
  if (isFramed()) return;
  moved();
  if (document.readyState !== 'complete') addEventListener('load', moved);
}
