import type { ViewFormat } from '../event-kind.ts';

/** The page that a request or an event is about. */
export interface NormalizedPath {
  /**
   * Begins with a slash, ends with none except the root; decoded, NFC, at most {@link MAX_PATH_BYTES} bytes.
   */
  readonly path: string;
  /** `md` for a page requested as Markdown, by `.md` or `.mdx`. `llms.txt` for one of the llms.txt files. */
  readonly format: Exclude<ViewFormat, 'mcp'>;
}

/** The longest path that is kept, in bytes of UTF-8. */
export const MAX_PATH_BYTES = 2048;
/** A query may be long, but no real link is longer than this. */
const MAX_INPUT = 65_536;

const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^/?#\\]*/i;
const PERCENT_RUN = /(?:%[0-9a-f]{2})+/gi;
/** C0, DEL and C1 controls. */
// oxlint-disable-next-line no-control-regex -- they are what must not pass
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;
const INDEX_FILE = /^index(?:\.(?:html?|mdx?))?$/;
const MARKDOWN_FILE = /^(.+)\.mdx?$/i;
/** https://llmstxt.org: Markdown, whatever the name ends in. */
const LLMS_FILE = /^llms(?:-full|-small|-ctx|-ctx-full)?\.txt$/;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The page of a path or URL, so that all spellings of a page count as one: without origin, query, fragment,
 * empty or dot segments, final slash or `index`; percent-decoded (except invalid sequences, and `/`, `?`, `#`
 * and `%`), Unicode in NFC. `/a.md` is page `/a` in Markdown. Case is kept.
 *
 * Null for anything else: empty, control characters (also encoded), lone surrogates, or too long. Never
 * throws. Idempotent: `normalizePath(p.path).path === p.path`.
 */
export function normalizePath(pathOrUrl: string): NormalizedPath | null {
  if (isPlain(pathOrUrl)) return { path: pathOrUrl, format: 'html' };
  if (pathOrUrl === '' || pathOrUrl.length > MAX_INPUT || !pathOrUrl.isWellFormed()) return null;

  let path = pathOrUrl.replace(ORIGIN, '');
  const cut = path.search(/[?#]/);
  if (cut >= 0) path = path.slice(0, cut);
  // Decoding shrinks up to nine bytes to one character: longer paths stay too long.
  if (path.length > MAX_PATH_BYTES * 3) return null;

  // `/a.md.md` or `%%34%31` need several passes. Each that changes anything shortens the path, or is the last
  // but one.
  let format: NormalizedPath['format'] = 'html';
  for (;;) {
    const pass = onePass(path);
    if (pass === null) return null;
    if (pass.format !== 'html') format = pass.format;
    if (pass.path === path) break;
    path = pass.path;
  }
  return Buffer.byteLength(path) > MAX_PATH_BYTES ? null : { path, format };
}

function onePass(path: string): NormalizedPath | null {
  const decoded = decodePercent(path).normalize('NFC');
  if (CONTROL.test(decoded)) return null;
  const segments: string[] = [];
  for (const segment of decoded.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment === '..') segments.pop();
    else segments.push(segment);
  }
  const last = segments.at(-1);
  if (last === undefined) return { path: '/', format: 'html' };
  let format: NormalizedPath['format'] = 'html';
  const markdown = MARKDOWN_FILE.exec(last)?.[1];
  if (markdown !== undefined) format = 'md';
  else if (LLMS_FILE.test(last)) format = 'llms.txt';
  if (INDEX_FILE.test(last)) segments.pop();
  else if (markdown !== undefined) segments[segments.length - 1] = markdown;
  return { path: `/${segments.join('/')}`, format };
}

function decodePercent(text: string): string {
  return text.includes('%') ? text.replace(PERCENT_RUN, decodeRun) : text;
}

/**
 * Decodes one run of `%XX`. Bytes that are not UTF-8, and the four delimiters, stay encoded in upper case.
 */
function decodeRun(run: string): string {
  const bytes = Buffer.from(run.replaceAll('%', ''), 'hex');
  let decoded = '';
  for (let at = 0; at < bytes.length;) {
    const length = sequenceLength(bytes[at]!);
    const character = at + length <= bytes.length ? decodeOne(bytes.subarray(at, at + length)) : null;
    if (character === null) {
      decoded += encodeByte(bytes[at]!);
      at += 1;
    } else {
      decoded += '/?#%'.includes(character) ? encodeByte(bytes[at]!) : character;
      at += length;
    }
  }
  return decoded;
}

function sequenceLength(first: number): number {
  if (first < 0xc2) return 1;
  if (first < 0xe0) return 2;
  return first < 0xf0 ? 3 : 4;
}

function decodeOne(bytes: Uint8Array): string | null {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}

const encodeByte = (byte: number): string => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;

/** True for a path of letters, digits, `-`, `_` and single slashes without a final slash or `index`. */
function isPlain(path: string): boolean {
  const { length } = path;
  if (length < 2 || length > MAX_PATH_BYTES || path.charCodeAt(0) !== SLASH) return false;
  let before = 0;
  for (let at = 0; at < length; at += 1) {
    const code = path.charCodeAt(at);
    if (code === SLASH) {
      if (before === SLASH) return false;
    } else if (!isPlainChar(code)) return false;
    before = code;
  }
  return before !== SLASH && !path.endsWith('/index');
}

const SLASH = 47;

function isPlainChar(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 45 ||
    code === 95
  );
}
