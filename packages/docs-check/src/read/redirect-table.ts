/** Looks up redirects: exact ones by a map, patterns (`/old/:slug*`, `/old/*`, `/old/:id`) in order. */
export class RedirectTable {
  readonly #exact = new Map<string, string>();
  readonly #patterns: { segments: string[]; destination: string }[] = [];

  constructor(redirects: readonly (readonly [source: string, destination: string])[]) {
    for (const [source, destination] of redirects) {
      const path = addressKey(source);
      if (/[:*]/.test(path)) this.#patterns.push({ segments: path.split('/'), destination });
      else if (!this.#exact.has(path)) this.#exact.set(path, destination);
    }
  }

  /** The destination of an address; null without a redirect. */
  destinationOf(address: string): string | null {
    const path = addressKey(address);
    const exact = this.#exact.get(path);
    if (exact !== undefined) return addressKey(exact) === path ? null : exact;
    const segments = path.split('/');
    for (const pattern of this.#patterns) {
      const values = match(pattern.segments, segments);
      if (values) return filled(pattern.destination, values);
    }
    return null;
  }
}

/** One form for all spellings of an address: an initial slash, no final one, no query, hash or extension. */
export function addressKey(address: string): string {
  const path = address
    .replace(/[?#].*$/s, '')
    .replace(/^\/*/, '/')
    .replace(/\/+$/, '')
    .replace(/\.(mdx|md)$/i, '')
    .replace(/\/index$/, '');
  return path === '' ? '/' : path;
}

/** Any number of segments. */
const REST = /^(?::(\w+))?\*$/;

function match(pattern: readonly string[], segments: readonly string[]): Map<string, string> | null {
  const values = new Map<string, string>();
  const star = pattern.findIndex((part) => REST.test(part));
  if (star !== -1) {
    // What follows the star ends the address, too.
    const after = pattern.length - star - 1;
    const end = segments.length - after;
    if (end < star || (after > 0 && end === star)) return null;
    const ends = match(
      [...pattern.slice(0, star), ...pattern.slice(star + 1).map((part) => (REST.test(part) ? ':any' : part))],
      [...segments.slice(0, star), ...segments.slice(end)],
    );
    return ends?.set(REST.exec(pattern[star]!)![1] ?? '*', segments.slice(star, end).join('/')) ?? null;
  }
  for (const [i, part] of pattern.entries()) {
    const segment = segments[i];
    if (segment === undefined) return null;
    if (part.startsWith(':')) values.set(part.slice(1), segment);
    else if (part !== segment) return null;
  }
  return pattern.length === segments.length ? values : null;
}

function filled(destination: string, values: ReadonlyMap<string, string>): string {
  return destination.replace(/:(\w+)\*?|\*/g, (whole, name?: string) => values.get(name ?? '*') ?? whole);
}
