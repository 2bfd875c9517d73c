import type { Operation } from '../contract/operations.ts';

/**
 * The value of a `Link` header for the next page of a list (RFC 8288). It is relative to the page's own
 * address, because a proxy may have added a prefix. Undeclared parameters of the query are left out, so that
 * the header has the limits of the contract.
 * @param querystring of the page
 * @param changes the parameters that differ for the next page
 */
export function nextLink(
  operation: Operation,
  querystring: string,
  changes: Readonly<Record<string, string | number>>,
): string {
  const known = operation.parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  const isKnown = (name: string) => known.includes(name) || known.includes(name.replace(/\[.*\]$/s, ''));
  const query = new URLSearchParams([...new URLSearchParams(querystring)].filter(([name]) => isKnown(name)));
  for (const [name, value] of Object.entries(changes)) query.set(name, String(value));
  return `<?${query}>; rel="next"`;
}

/** The headers of a page of a list with cursors. None on the last page, or if the answer is not a list. */
export function pageHeaders(operation: Operation, querystring: string, body: unknown): Record<string, string> {
  const isPage = typeof body === 'object' && body !== null && 'nextCursor' in body;
  if (!isPage || typeof body.nextCursor !== 'string') return {};
  return { Link: nextLink(operation, querystring, { cursor: body.nextCursor }) };
}
