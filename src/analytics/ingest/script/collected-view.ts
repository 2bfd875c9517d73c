/** The most bytes that the page script sends. More is refused unread. */
export const MAX_COLLECTED_BYTES = 4_096;

/** A view that a reader's browser reported. Time and address come from the server. */
export interface CollectedView {
  /** Origin and path of the page, and `utm_source` if it had one. */
  readonly url: string;
  /** Origin of the referring page, unless it is the page's own. */
  readonly referrer: string | null;
  /** The page did not exist: no view, but a broken link. */
  readonly notFound: boolean;
}

/**
 * Parses the body of a request to the collect endpoint. Null for anything that the page script would not
 * send, including a page of another origin than the request's.
 * @param origin the request's `Origin` header, which browsers set and pages cannot
 */
export function readCollectedView(body: string, origin: string): CollectedView | null {
  if (body.length > MAX_COLLECTED_BYTES) return null;
  let fields: unknown;
  try {
    fields = JSON.parse(body);
  } catch {
    return null;
  }
  if (typeof fields !== 'object' || fields === null) return null;
  const { url, referrer, source, notFound } = fields as Record<string, unknown>;
  if (typeof url !== 'string' || !url.isWellFormed()) return null;
  const page = URL.parse(url);
  if (page === null || page.origin !== origin) return null;
  const from = typeof referrer === 'string' ? URL.parse(referrer) : null;
  const isOutside = from !== null && /^https?:$/.test(from.protocol) && from.origin !== origin;
  const query =
    typeof source === 'string' && source.isWellFormed() && source !== ''
      ? `?utm_source=${encodeURIComponent(source)}`
      : '';
  return {
    url: origin + page.pathname + query,
    referrer: isOutside ? from.origin : null,
    notFound: notFound === true,
  };
}
