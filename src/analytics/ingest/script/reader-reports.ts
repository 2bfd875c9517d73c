import { AppError } from '../../../platform/errors.ts';
import { normalizePath } from '@docent/access-log/pages/normalize-path';

/** The most bytes of feedback or a search, as text. More is refused unread. */
export const MAX_FEEDBACK_BYTES = 16_384;
const MAX_COMMENT = 2_000;
const MAX_CODE = 4_000;
const MAX_NAME = 200;
const MAX_QUERY = 200;

export interface SubmittedFeedback {
  path: string;
  source: 'code_snippet' | 'contextual' | 'thumbs_only' | 'agent';
  helpful: boolean | null;
  comment: string | null;
  contact: string | null;
  code: string | null;
  filename: string | null;
  lang: string | null;
  /** The reader objects to being counted. */
  isAnonymous: boolean;
}

export interface SubmittedSearch {
  query: string;
  /** Null for the search itself. */
  clickedPath: string | null;
  isAnonymous: boolean;
}

/**
 * Parses feedback as the page script sends it. Anyone may send it: characters that plain text cannot show are
 * removed.
 * @param origin the request's `Origin`, which browsers set and pages cannot
 * @throws AppError `bad_request`
 */
export function readFeedback(body: string, origin: string): SubmittedFeedback {
  const fields = fieldsOf(body);
  const path = pathOf(fields.url, origin);
  const code = textOf('code', fields.code, MAX_CODE);
  const comment = textOf('comment', fields.comment, MAX_COMMENT);
  const contact = contactOf(fields.contact);
  const helpful = typeof fields.helpful === 'boolean' ? fields.helpful : null;
  if (code === null && helpful === null) throw new AppError('bad_request', '`helpful` must be true or false.');
  if (code !== null && comment === null && helpful === null) {
    throw new AppError('bad_request', 'Feedback on code requires `comment` or `helpful`.');
  }
  return {
    path,
    source: code !== null ? 'code_snippet' : comment === null && contact === null ? 'thumbs_only' : 'contextual',
    helpful,
    comment,
    contact,
    code,
    filename: lineOf('filename', fields.filename, MAX_NAME),
    lang: lineOf('lang', fields.lang, MAX_NAME),
    isAnonymous: fields.anonymous === true,
  };
}

/**
 * Reads feedback as AI agents send it: `{"path", "feedback"}`. Agents have no origin, so the page is a path.
 * @throws AppError `bad_request`
 */
export function readAgentFeedback(body: string): SubmittedFeedback {
  const { path: given, feedback } = fieldsOf(body);
  const page = typeof given === 'string' ? normalizePath(given) : null;
  if (!page) throw new AppError('bad_request', '`path` must be the path of a page.');
  const comment = textOf('feedback', feedback, MAX_COMMENT);
  if (comment === null) throw new AppError('bad_request', '`feedback` must be text.');
  return {
    path: page.path,
    source: 'agent',
    helpful: null,
    comment,
    contact: null,
    code: null,
    filename: null,
    lang: null,
    isAnonymous: false,
  };
}

/**
 * Reads a search, or the opening of a page that it found, as the page script sends it.
 * @throws AppError `bad_request`
 */
export function readSearch(body: string, origin: string): SubmittedSearch {
  const fields = fieldsOf(body);
  pathOf(fields.url, origin);
  const query = lineOf('query', fields.query, MAX_QUERY);
  if (query === null) throw new AppError('bad_request', '`query` must be the search text.');
  const { clicked } = fields;
  if (clicked === undefined || clicked === null)
    return { query, clickedPath: null, isAnonymous: fields.anonymous === true };
  const page = typeof clicked === 'string' && URL.canParse(clicked, origin) ? new URL(clicked, origin).href : undefined;
  return { query, clickedPath: pathOf(page, origin), isAnonymous: fields.anonymous === true };
}

function fieldsOf(body: string): Record<string, unknown> {
  try {
    const fields: unknown = JSON.parse(body);
    if (typeof fields === 'object' && fields !== null) return fields as Record<string, unknown>;
  } catch {
    // Reported below.
  }
  throw new AppError('bad_request', 'The body must be a JSON object.');
}

/** The path of a page of this origin, as views of it are counted. */
function pathOf(url: unknown, origin: string): string {
  const page = typeof url === 'string' && url.isWellFormed() ? URL.parse(url) : null;
  const found = page?.origin === origin ? normalizePath(origin + page.pathname) : null;
  if (!found) throw new AppError('bad_request', 'The page must be on the origin that sends the request.');
  return found.path;
}

// Control characters except tabs and line ends, and invisible or direction-changing ones.
const UNSHOWN =
  // oxlint-disable-next-line no-control-regex -- these are meant
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/g;

/** Null if there are only spaces. */
function textOf(name: string, value: unknown, most: number): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string') throw new AppError('bad_request', `\`${name}\` must be text.`);
  const text = value.toWellFormed().replaceAll(/\r\n?/g, '\n').replaceAll(UNSHOWN, '').trim();
  if (text.length > most)
    throw new AppError('bad_request', `\`${name}\` has more than ${most.toLocaleString('en-US')} characters.`);
  return text === '' ? null : text;
}

function lineOf(name: string, value: unknown, most: number): string | null {
  return textOf(name, typeof value === 'string' ? value.replaceAll(/\s+/g, ' ') : value, most);
}

function contactOf(value: unknown): string | null {
  const text = lineOf('contact', value, 254);
  if (text === null || /^[^\s@<>"',;:\\]{1,64}@[^\s@<>"',;:\\]{1,189}$/.test(text)) return text;
  throw new AppError('bad_request', '`contact` must be an email address.');
}
