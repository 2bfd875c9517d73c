/** Without text: it cannot name a file. */
const BINARY =
  /\.(?:png|jpe?g|gif|webp|avif|ico|icns|bmp|tiff?|heic|pdf|zip|gz|tgz|bz2|xz|7z|rar|jar|war|mp[34]|m4[av]|mov|webm|og[gv]|wav|flac|woff2?|ttf|otf|eot|wasm|so|dylib|dll|exe|bin|class|pyc|o|a|db|sqlite3?|parquet|psd|ai|sketch|fig|docx?|xlsx?|pptx?|lock|map|snap|patch|diff)$/i;
/** May build a name, or have names without their extension. */
const PROGRAM =
  /\.(?:[cm]?[jt]sx?|vue|svelte|astro|py|rb|sh|php|html?|njk|liquid|j2|json5?|ya?ml|toml|s?css|less|mdx?)$/i;
/** Data with unquoted texts. */
const BARE = /\.(?:ya?ml|toml|s?css|less)$/i;
/** Too large to be read, such a file leaves it open what it names. */
const MAY_NAME = /\.(?:[cm]?[jt]sx?|vue|svelte|astro|py|html?|mdx?|json5?|ya?ml|toml|s?css|less|xml|txt)$/i;
/** Code that lists the files of a folder. */
const LISTS = /require\.context|readdir|import\.meta\.glob|\bglob(?:Sync)?\(|listdir|iterdir|Dir\[|os\.walk|scandir/;
/** Words of names, as paths, links and code write them. */
const WORD = /[\p{L}\p{N}_.@%~+-]+/gu;
/** A folder before a computed name: `img/${x}`, `img/' + x`. */
const MADE = /([\p{L}\p{N}_.@/-]+)\/(?:\$\{|["'`]\s*\+)/gu;
/** The same outside pages, including `img/{{ x }}`, `img/*`, `img/%s`. */
const MADE_BY_PROGRAM = /([\p{L}\p{N}_.@/-]+)\/(?:\$?\{|\*|%[sd]|["'`]\s*\+|#\{)/gu;
const QUOTED_FOLDER = /["'`]([^"'`\s]{1,200})["'`]/g;
/** Suffixes that a page, a style or a program may add to a name. */
const VARIANT = /(?:[-_.](?:dark|light|black|white|mobile|desktop|small|large|thumb(?:nail)?|\d+w?)|@\dx)$/i;

export function mayBeText(path: string): boolean {
  return !BINARY.test(path);
}

/** Whether an unreadable file may name others. */
export function mayName(path: string): boolean {
  return MAY_NAME.test(path);
}

/**
 * Finds which files are named in texts, in any encoding of their names. In the site's own texts, the name
 * without extension is enough if it may be one, and so is a folder in front of a computed name, or whose
 * files are listed.
 */
export class NamedFiles {
  readonly #byName = new Map<string, Set<string>>();
  readonly #byStem = new Map<string, Set<string>>();
  /** Names of several words: searched as written. */
  readonly #odd = new Map<string, string>();
  /** Not found so far. */
  readonly #left: Set<string>;

  readonly #whole: readonly string[];

  /** @param whole folders of a site: naming one as a whole does not name its images */
  constructor(paths: readonly string[], whole: readonly string[]) {
    this.#whole = whole.map((folder) => `/${folder.toLowerCase()}/`);
    this.#left = new Set(paths);
    for (const path of paths) {
      const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
      const stem = name.replace(/\.\w+$/, '');
      if (!/^[\p{L}\p{N}_.@~+-]+$/u.test(name)) {
        this.#odd.set(path, stem);
        continue;
      }
      add(this.#byName, name, path);
      for (const word of new Set([stem, stem.replace(VARIANT, '')])) if (word !== '') add(this.#byStem, word, path);
    }
  }

  /** How many nothing has named. */
  get left(): number {
    return this.#left.size;
  }

  unnamed(): string[] {
    return [...this.#left];
  }

  /** @param isOfSite otherwise only whole names count */
  read(path: string, text: string, isOfSite: boolean): void {
    const small = text.toLowerCase();
    const isProgram = isOfSite && PROGRAM.test(path);
    for (const { 0: word, index } of small.matchAll(WORD)) {
      // `image.png.` ends a sentence, `_image.png_` is emphasized.
      const bare = /^[.~+_-]|[.~+_-]$/.test(word) ? word.replace(/^[.~+_-]+|[.~+_-]+$/g, '') : word;
      const plain = word.includes('%') ? decoded(word) : word;
      for (const one of new Set([word, bare, plain])) {
        this.#found(this.#byName.get(one), path);
        const ofStem = isProgram ? this.#byStem.get(one) : undefined;
        if (ofStem) this.#found(ofStem, path, stemIn(small, index, word.length, BARE.test(path)));
      }
    }
    for (const [odd, stem] of this.#odd) {
      if (odd === path || !(small.includes(stem) || small.includes(encodeURI(stem).toLowerCase()))) continue;
      this.#left.delete(odd);
      this.#odd.delete(odd);
    }
    if (!isProgram) return;
    const isPage = /\.mdx?$/i.test(path);
    for (const [, folder] of small.matchAll(isPage ? MADE : MADE_BY_PROGRAM)) this.#open(folder!);
    if (!isPage && LISTS.test(text)) for (const [, folder] of small.matchAll(QUOTED_FOLDER)) this.#open(folder!);
  }

  /** An image that names itself is not named. */
  #found(paths: Set<string> | undefined, by: string, isMeant: (path: string) => boolean = () => true): void {
    for (const path of paths ?? []) {
      if (path === by || !isMeant(path)) continue;
      this.#left.delete(path);
      paths!.delete(path);
    }
  }

  /** Something may take any file of a folder, and of those in it. */
  #open(folder: string): void {
    const inside = folder.replace(/^(?:.*\.)?\/+|^\.+$|\/+$/g, '');
    if (!/[\p{L}\p{N}]/u.test(inside) || this.#whole.some((folder) => folder.endsWith(`/${inside}/`))) return;
    for (const path of this.#left) if (`/${path.toLowerCase()}`.includes(`/${inside}/`)) this.#left.delete(path);
  }
}

/** The files that a name without extension may mean: quoted alone, or after the file's folder. */
function stemIn(text: string, start: number, length: number, isBare: boolean): (path: string) => boolean {
  const before = text[start - 1] ?? '';
  if (before !== '/') {
    const isQuoted = /["'`]/.test(before) && /["'`.?#]/.test(text[start + length] ?? '');
    return () => isQuoted || isBare;
  }
  const folder = text.slice(Math.max(0, start - 200), start - 1).match(/[^/\s"'`(]*$/)![0];
  return (path) => path.toLowerCase().split('/').at(-2) === folder;
}

function add(index: Map<string, Set<string>>, word: string, path: string): void {
  const paths = index.get(word);
  if (paths) paths.add(path);
  else index.set(word, new Set([path]));
}

function decoded(word: string): string {
  try {
    return decodeURIComponent(word);
  } catch {
    return word;
  }
}
