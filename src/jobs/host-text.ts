import { contextText, HOW_TO_REVIEW, withContext } from '@docent/recipes/prompt-context';
import type { HostAccount, HostEvent } from '@docent/code-hosts/events/host-event';
import type { HostPlace } from '../store/hosts/host-talk-schema.ts';

/** A text that a person wrote at a code host, as it was delivered. */
export interface HostText {
  author: HostAccount;
  body: string;
  place: HostPlace;
  diffHunk: string | null;
  isChangeRequest: boolean;
  /** The review that a comment on lines is part of. */
  reviewId: string | null;
}

/** Limits in characters: a prompt, as in the API; a diff hunk; a comment of the thread. */
const MAX_PROMPT = 32_768;
const MAX_HUNK = 3_000;
const MAX_COMMENT = 2_000;
const MAX_DESCRIPTION = 6_000;
const MAX_DIFF = 12_000;
const MAX_MATERIAL = 20_000;

/** Null for events without a text by a person. */
export function hostTextIn(event: HostEvent): HostText | null {
  if (event.kind === 'comment') {
    const { id, author, body } = event.comment;
    const place = { on: event.on, kind: 'comment', id, threadId: null } as const;
    return { author, body, place, diffHunk: null, isChangeRequest: false, reviewId: null };
  }
  if (event.kind === 'review') {
    const { id, author, body, state } = event.review;
    const place = { on: event.on, kind: 'review', id, threadId: null } as const;
    return { author, body, place, diffHunk: null, isChangeRequest: state === 'changes_requested', reviewId: id };
  }
  if (event.kind === 'review_comment') {
    const { id, author, body, discussionId, inReplyTo, path, line, startLine, diffHunk, reviewId } = event.comment;
    // GitHub names a thread by its first comment, GitLab by its discussion.
    const threadId = discussionId ?? inReplyTo ?? id;
    const place = { on: event.on, kind: 'review_comment', id, threadId, path, line, startLine } as const;
    return { author, body, place, diffHunk, isChangeRequest: false, reviewId };
  }
  if (event.kind === 'issue') {
    const { number, author, body } = event.issue;
    return descriptionOf({ type: 'issue', number }, author, body);
  }
  if (event.kind === 'pull_request' && event.action === 'opened') {
    const { number, author } = event.pullRequest;
    return descriptionOf({ type: 'pull_request', number }, author, event.body ?? '');
  }
  return null;
}

function descriptionOf(on: HostPlace['on'], author: HostAccount, body: string): HostText {
  const place = { on, kind: 'description', id: String(on.number), threadId: null } as const;
  return { author, body, place, diffHunk: null, isChangeRequest: false, reviewId: null };
}

/** Code and quotes: a name in them is not a mention. */
export const CODE = /^ {0,3}(`{3,}(?!`)|~{3,}(?!~))[^\n]*\n[\s\S]*?(?:^ {0,3}\1[`~]*[ \t]*$|(?![\s\S]))|`+[^`\n]*`+/gm;
const QUOTED = /^ {0,3}>.*$/gm;

const NAME_ENDS = '(?![\\w/-]|\\.\\w)';

/** Whether a text mentions Docent: `@docent`, not `@docent-bot`, `me@docent.dev` or `@docent/team`. */
export function isMentioned(text: string, name: string): boolean {
  return calls(text, name, NAME_ENDS);
}

/** Whether it requests a review: `@docent review`. */
export function isReviewAsked(text: string, name: string): boolean {
  return calls(text, name, '\\s+review(?![\\w-])');
}

/** Without the name at the beginning of a line: `@docent, add a table` asks to "add a table". */
export function withoutAddress(text: string, name: string): string {
  const at = firstCall(text, name, NAME_ENDS);
  const rest = text.slice(at + name.length + 1).replace(/^[,:!]*[ \t]*/, '');
  const isAddress = at !== -1 && /(?:^|\n)[ \t]*$/.test(text.slice(0, at));
  return isAddress && rest.trim() !== '' ? text.slice(0, at) + rest : text;
}

function calls(text: string, name: string, then: string): boolean {
  return firstCall(text, name, then) !== -1;
}

const blanked = (hidden: string) => ' '.repeat(hidden.length);

/** The position of the name's `@`, or -1. */
function firstCall(text: string, name: string, then: string): number {
  const own = text.replace(CODE, blanked).replace(QUOTED, blanked);
  const escaped = name.replace(/[^A-Za-z0-9_-]/g, '\\$&');
  return own.search(new RegExp(`(?<![\\w@/.+-])@${escaped}${then}`, 'i'));
}

/**
 * The message to a job for a person's comment: their text first, then its location and other comments as
 * material.
 * @param text the visible text
 * @param lines of a review that requests changes, with their locations
 * @param earlier comments of the thread, by people with write access
 * @param about the issue, or the pull request of another author; without title and text if its author has no
 * write access
 */
export function messageFor(
  said: HostText,
  text: string,
  {
    lines = [],
    earlier = [],
    about = null,
    isReview = false,
  }: {
    lines?: readonly { path: string; line: number | null; diffHunk: string | null; text: string }[];
    earlier?: readonly { login: string; text: string }[];
    about?: { url: string; title: string; text: string; diff: string | null } | null;
    isReview?: boolean;
  } = {},
): string {
  const { path, line, startLine } = said.place;
  const asked = [
    ...(text.trim() === '' ? [] : [text.trim()]),
    ...lines.map((one) => `${placeText(one.path, one.line, null)}:\n${one.text.trim()}`),
  ].join('\n\n');
  const hunks = [
    ...(path === undefined
      ? []
      : [{ path, line: line ?? null, startLine: startLine ?? null, diffHunk: said.diffHunk }]),
    ...lines.map((one) => ({ ...one, startLine: null })),
  ];
  const material = [
    `${said.isChangeRequest ? 'A review that asks for changes' : said.place.kind === 'description' ? 'The description' : 'A comment'} of ${said.author.login} on the ${said.place.on.type === 'issue' ? 'issue' : 'pull request'}${about ? ` ${about.url}` : ''}.`,
    ...(about !== null && about.diff !== null ? [`What it changes:\n${cutDiff(about.diff)}`] : []),
    ...(about && about.title !== '' ? [`Its title: ${about.title}`] : []),
    ...(about && about.text !== '' ? [`Its description:\n${about.text.slice(0, MAX_DESCRIPTION)}`] : []),
    ...hunks.map((one) => {
      const hunk = one.diffHunk === null ? '' : `:\n${one.diffHunk.slice(-MAX_HUNK)}`;
      return `It is about ${placeText(one.path, one.line, one.startLine)}${hunk}`;
    }),
    ...earlier.map((one) => `${one.login} wrote before:\n${one.text.slice(0, MAX_COMMENT)}`),
  ].join('\n\n');
  const prompt = asked === '' ? 'Do what the review asks for.' : asked;
  const how = isReview ? `\n\n${HOW_TO_REVIEW}` : '';
  return withContext(prompt.slice(0, MAX_PROMPT - how.length) + how, contextText(material).slice(0, MAX_MATERIAL));
}

function cutDiff(diff: string): string {
  return diff.length <= MAX_DIFF ? diff : `${diff.slice(0, MAX_DIFF)}\n[The rest of the diff is left out.]`;
}

function placeText(path: string, line: number | null, startLine: number | null): string {
  if (line === null) return path;
  return startLine === null || startLine === line ? `${path}, line ${line}` : `${path}, lines ${startLine} to ${line}`;
}
