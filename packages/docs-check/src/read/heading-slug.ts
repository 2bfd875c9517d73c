import GithubSlugger from 'github-slugger';

/** Gives the ids of one page's headings in turn. `own` is the id that a heading gives itself. */
export type Slugger = (text: string, own?: string) => string;

/**
 * As GitHub and Docusaurus do: a text that comes again gets `-1`, `-2`; ids that headings give themselves are
 * not counted.
 */
export function slugger(): Slugger {
  const slugs = new GithubSlugger();
  return (text, own) => own ?? slugs.slug(text);
}

/** Letters and digits alone: equal for the forms that different sites give to the id of one heading. */
export function bareAnchor(anchor: string): string {
  return anchor.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}

/** As `slugify` of `@mdit-vue/shared`, which VitePress uses for both headings and links' hashes. */
export function vueSlug(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\u0300-\u036F]/g, '')
    .replace(/\p{Cc}/gu, '')
    .replace(/[\s~`!@#$%^&*()\-_+=[\]{}|\\;:"'“”‘’<>,.?/]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .replace(/^(\d)/, '_$1')
    .toLowerCase();
}

/** VitePress: an id that is taken gets `-1`, `-2` (markdown-it-anchor). */
export function vueSlugger(): Slugger {
  const ids = new NumberedIds();
  return (text, own) => (own === undefined ? ids.next(vueSlug(withoutEmoji(text))) : ids.keep(own));
}

/** The ids of a page. A used one gets `-1`, `-2`. */
export class NumberedIds {
  readonly #taken = new Set<string>();
  readonly #counts = new Map<string, number>();

  keep(id: string): string {
    this.#taken.add(id);
    return id;
  }

  next(slug: string): string {
    let id = slug;
    // A used number stays used: counting continues from the last one.
    for (let i = this.#counts.get(slug) ?? 1; this.#taken.has(id); i++) {
      id = `${slug}-${i}`;
      this.#counts.set(slug, i);
    }
    return this.keep(id);
  }
}

/**
 * How MkDocs makes ids: by Python-Markdown's `toc` as it comes, or by one of the functions that sites set
 * instead.
 */
export type PythonSlug = 'ascii' | 'unicode' | 'lower' | 'case';

const PYTHON_SLUGS: Record<PythonSlug, (text: string) => string> = {
  // markdown.extensions.toc.slugify
  ascii: (text) =>
    spaced(
      text
        .normalize('NFKD')
        .replace(/[\u0080-\uffff]/g, '')
        .replace(/[^\w\s-]/g, '')
        .trim()
        .toLowerCase(),
    ),
  // markdown.extensions.toc.slugify_unicode
  unicode: (text) => spaced(withoutSigns(text.normalize('NFKC')).trim().toLowerCase()),
  // pymdownx.slugs.slugify with `case: lower`; uslugify is the same
  lower: (text) => withoutSigns(text.normalize('NFC').trim().toLowerCase()).replaceAll(' ', '-'),
  // pymdownx.slugs.slugify as it comes
  case: (text) => withoutSigns(text.normalize('NFC').trim()).replaceAll(' ', '-'),
};

/**
 * Python-Markdown's `toc`: an id that is taken, or empty, gets `_1`, or the next number if it ends with one.
 */
export function pythonSlugger(kind: PythonSlug): (taken?: Iterable<string>) => Slugger {
  return (reserved = []) => {
    const taken = new Set<string>(reserved);
    const counts = new Map<string, number>();
    return (text, own) => {
      if (own !== undefined) return own;
      let id = PYTHON_SLUGS[kind](withoutEmoji(text));
      if (id === '' || taken.has(id)) {
        const [, stem = id, number = '0'] = /^(.*)_(\d{1,9})$/s.exec(id) ?? [];
        // A used number stays used: counting continues from the last one.
        for (let i = Math.max(Number(number) + 1, counts.get(stem) ?? 1); id === '' || taken.has(id); i++) {
          id = `${stem}_${i}`;
          counts.set(stem, i);
        }
      }
      taken.add(id);
      return id;
    };
  };
}

function spaced(text: string): string {
  return text.replace(/[-\s]+/g, '-');
}

/** Python's `\w` knows all letters and digits. */
function withoutSigns(text: string): string {
  return text.replace(/[^\p{L}\p{N}\p{M}_\s-]/gu, '');
}

/** `:tada:` and `:material-check:` become images, which do not count in an id. */
function withoutEmoji(text: string): string {
  return text.replace(/(?<![\w:]):[a-z\d][a-z\d_+-]*:(?![\w:])/gi, '');
}
