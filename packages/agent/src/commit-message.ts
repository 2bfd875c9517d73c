import { withoutInvisible } from '@docent/docs-check/read/visible-text';
import { withEllipsis } from '@docent/base/ellipsis';

/** Characters of a commit's subject, and of a pull request's title. */
export const MAX_TITLE = 72;
/** Characters that a template leaves of the title itself, at least. */
const MIN_TITLE = 20;
const MAX_BODY = 8_000;
/** The title's placeholder in a template. */
const TITLE = '{title}';

export interface TurnDescription {
  prompts: readonly string[];
  closingText: string;
  changes: readonly { path: string }[];
  /** See the setting `commitSubject` of a project. */
  template?: string | undefined;
}

/**
 * The text of a commit and a pull request: a title of at most 72 characters and a Markdown body, from the
 * agent's closing words, else from the request. Both are hostile: the result mentions no one, closes no
 * issue, and has no trailer.
 */
export function describeTurn({ prompts, closingText, changes, template = TITLE }: TurnDescription): {
  title: string;
  body: string;
} {
  const [firstLine = '', ...rest] = tamed(closingText).trim().split('\n');
  const [firstPrompt = ''] = tamed(prompts[0] ?? '')
    .trim()
    .split('\n');
  const room = Math.max(MIN_TITLE, MAX_TITLE - (template.length - TITLE.length));
  const title = titleFrom(firstLine, room) || titleFrom(firstPrompt, room) || fallback(changes, room);
  // If the first line was cut for the title, the body has all of it.
  const whole = title.endsWith('…') ? [firstLine, ...rest] : rest;
  const body = withEllipsis(whole.join('\n').trim(), MAX_BODY, { trimmed: true });
  return { title: template.replace(TITLE, () => title), body };
}

function titleFrom(line: string, room: number): string {
  const plain = line
    .replace(/^[\s#>*+-]+/, '')
    .replace(/[\s.:]+$/, '')
    .replace(/\s+/g, ' ');
  return withEllipsis(plain, room, { trimmed: true });
}

function fallback(changes: readonly { path: string }[], room: number): string {
  const [first] = changes;
  if (!first) return 'Update the docs';
  return changes.length === 1
    ? withEllipsis(`Update ${tamed(first.path).replace(/\s+/g, ' ')}`, room, { trimmed: true })
    : `Update ${changes.length} files`;
}

/**
 * Disarms what code hosts act on without changing its look, by a word joiner inside: mentions, words that
 * close issues, trailers, words that skip CI, quick actions (GitLab runs lines such as `/merge` of a
 * description), HTML, and images, which readers' browsers would fetch from any address.
 */
export function tamed(text: string): string {
  return withoutControls(withoutInvisible(text))
    .replace(/@(?=[A-Za-z0-9_])/g, '@\u2060')
    .replace(CLOSING, '$1\u2060$2')
    .replace(/^([A-Za-z][A-Za-z-]{0,60}-(?:by|turn|checks)):/gim, '$1\u2060:')
    .replace(/\[(skip|no|ci|actions)([ -](?:ci|skip|actions))\]/gi, '[$1\u2060$2]')
    .replace(/^([ \t]*)\/(?=[a-z])/gim, '$1\u2060/')
    .replace(/<(?=[A-Za-z/!?])/g, '<\u2060')
    .replace(/!(?=\[)/g, '!\u2060')
    .replace(/^(#{1,6}|---)(?=\s|$)/gm, '\\$1');
}

/** Words that close issues on GitHub, Gitea and GitLab before a number, project and number, or address. */
const CLOSING =
  /\b(clos(?:e|es|ed|ing)|fix(?:es|ed|ing)?|resolv(?:e|es|ed|ing)|implement(?:s|ed|ing)?|reopen(?:s|ed|ing)?)(:?\s+)(?=(?:issues?\s+)?(?:(?:[\w.-]{1,100}\/){0,10}[\w.-]{0,100}#\d|GH-\d|[A-Z]{2,20}-\d|https?:\/\/))/gi;

/** NUL, escapes and the like; line breaks and tabs stay. */
function withoutControls(text: string): string {
  return [...text.replace(/\r\n?/g, '\n')]
    .filter((character) => /[\n\t]/.test(character) || !/\p{Cc}/u.test(character))
    .join('');
}
