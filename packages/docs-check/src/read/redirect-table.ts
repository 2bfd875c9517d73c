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

function match(pattern: readonly string[], segments: readonly string[]): Map<string, string> | null {
  const values = new Map<string, string>();
  for (const [i, part] of pattern.entries()) {
    const rest = /^(?::(\w+))?\*$/.exec(part);
    if (rest) {
      values.set(rest[1] ?? '*', segments.slice(i).join('/'));
      return values;
    }
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
