import { HOW_TO_REVIEW, withoutContext } from './prompt-context.ts';
import type { Instruction, Request } from './instruction.ts';
import { MARK, markOf, markQuotes, unmarked, type Quote } from './quotes.ts';
import { merged, readScope } from './read-replace.ts';
import { readSentence } from './read-sentence.ts';

const VERBS =
  'replace|substitute|swap|exchange|change|correct|fix|repair|add|create|write|make|append|prepend|insert|rename|move|put|place|relocate|retitle|title|set|update|give|delete|remove|drop|cut|strike|erase|reword|describe|redirect(?! (?:(?:it|its readers|readers|the old address|them) )?to\\b)|undo|revert|go on|continue|try';

/** Messages beyond this many instructions are for a person to split. */
const MAX_INSTRUCTIONS = 200;
/** How many sentences that are not understood are reported. */
const MAX_NOT_UNDERSTOOD = 4;
/** Characters, quotes and blocks not counted. */
const MAX_SENTENCE = 500;
const MAX_MESSAGE = 40_000;

interface Sentence {
  text: string;
  /** A question wants an answer and no change, unless it is a request: "Can you …?", "Please …?" */
  isAsked: boolean;
}

/**
 * Parses a message of the user; attached material is never an instruction. Never throws; takes time in
 * proportion to the message.
 */
export function readRequest(message: string): Request {
  const prompt = withoutContext(message);
  if (prompt.endsWith(HOW_TO_REVIEW)) return { instructions: [{ kind: 'review' }], notUnderstood: [] };
  const { text, quotes } = markQuotes(prompt.slice(0, MAX_MESSAGE));
  const request: Request = { instructions: [], notUnderstood: [] };
  const lines = text.split('\n');
  for (let i = 0; i < lines.length && request.notUnderstood.length < MAX_NOT_UNDERSTOOD; i++) {
    const withText = readWithText(lines, i, quotes);
    if (withText) {
      request.instructions.push(...withText.instructions);
      i = withText.lastLine;
    } else for (const sentence of sentencesOf(lines[i]!)) readInto(request, sentence, quotes);
  }
  if (request.instructions.length > MAX_INSTRUCTIONS) {
    return { instructions: [], notUnderstood: [`a message with more than ${MAX_INSTRUCTIONS} instructions`] };
  }
  return request;
}

function readInto(request: Request, sentence: Sentence, quotes: Quote[]): void {
  if (request.notUnderstood.length >= MAX_NOT_UNDERSTOOD) return;
  const plain = withoutCourtesy(sentence.text);
  if (plain === '') return;
  const previous = request.instructions.at(-1);
  const found = sentence.isAsked && plain.length <= MAX_SENTENCE ? readNext(plain, previous, quotes) : null;
  if (found === 'covered') return;
  if (found === null) request.notUnderstood.push(unmarked(plain, quotes));
  else if (found.replaces) request.instructions.splice(-1, 1, ...found.instructions);
  else request.instructions.push(...found.instructions);
}

const REQUEST =
  /^(?:(?:hi|hello|hey|ok|okay|so|and|docent)\b[\s,!]*)*(?:(?:can|could) you\b|(?:would|will) you (?:please|kindly)\b|(?:please|pls|plz|kindly)\b)/i;
const ANSWERABLE = /^(?:what|how)\b/i;

/** @returns null if it is not understood, `covered` if the instruction before does it anyway */
function readNext(
  sentence: string,
  previous: Instruction | undefined,
  quotes: Quote[],
): { instructions: Instruction[]; replaces?: true } | 'covered' | null {
  const page = previous && pageOfPrevious(previous);
  const its = /\bits (?:(?:meta|page) )?(?:title|description)\b/i.test(sentence);
  // "Put it after quickstart": the page of the instruction before.
  const named = page
    ? sentence.replace(/^((?:put|move|place|list|enter)) it\b/i, `$1 the page ${quoteMark(page, quotes)}`)
    : sentence;
  const instructions = readSentence(named, { quotes, page: its && page ? page : null });
  if (instructions) return { instructions };
  if (previous?.kind === 'replace') {
    // A sentence with only a scope: "Not in code."
    const scope = merged(previous, readScope(sentence, { quotes }));
    if (scope) return { instructions: [{ ...previous, ...scope }], replaces: true };
    const another = readSentence(`replace ${sentence}`, { quotes, page: null });
    if (another) return { instructions: another };
  }
  return isCovered(sentence, previous) ? 'covered' : null;
}

function quoteMark(text: string, quotes: Quote[]): string {
  return markOf(quotes.push({ text, source: text, kind: 'quote' }) - 1);
}

function pageOfPrevious(previous: Instruction): string | null {
  if (previous.kind === 'add-page') return previous.path ?? previous.title;
  if (previous.kind === 'move') return previous.into ? null : previous.to;
  return 'page' in previous ? previous.page : null;
}

const COVERED =
  /^(?:update|adjust|correct|change|keep|make sure|ensure|add|enter|put)\b.*\b(?:links?|references?|redirects?|navigation|nav|sidebar|menu|docs\.json|mint\.json)\b[^"]*$/i;

/** Whether a sentence only requests what the previous instruction does anyway: "and update the links". */
function isCovered(sentence: string, previous: Instruction | undefined): boolean {
  if (!previous || !['move', 'add-page', 'delete'].includes(previous.kind)) return false;
  return (
    COVERED.test(sentence) && !/\b(?:not|no|never|without|except|\w+n't)\b/i.test(sentence) && !ANY_MARK.test(sentence)
  );
}
const ANY_MARK = new RegExp(MARK);

/**
 * An instruction that ends in a colon takes the following text: the rest of the line and further lines, until
 * one is an instruction itself; or the fenced block after it.
 */
function readWithText(
  lines: readonly string[],
  start: number,
  quotes: Quote[],
): { instructions: Instruction[]; lastLine: number } | null {
  const [, head, rest] = /^(.{0,500}?[^\s:]):(?:\s+(.*))?$/.exec(withoutBullet(lines[start]!)) ?? [];
  if (head === undefined || !couldBegin(head)) return null;
  const read: Request = { instructions: [], notUnderstood: [] };
  const bare = head.replace(/\s+(?:with|and)?\s*(?:the |this )?(?:following )?(?:text|content|body)$/i, '');
  for (const sentence of sentencesOf(bare)) readInto(read, sentence, quotes);
  const taking = read.instructions.at(-1);
  if (read.notUnderstood.length > 0 || !taking || !('text' in taking) || taking.text !== null) return null;
  const { text, lastLine } = textFrom(lines, start, rest ?? '', quotes);
  if (text === '') return null;
  return { instructions: [...read.instructions.slice(0, -1), { ...taking, text }], lastLine };
}

function textFrom(
  lines: readonly string[],
  start: number,
  rest: string,
  quotes: Quote[],
): { text: string; lastLine: number } {
  const taken = [rest];
  let lastLine = start;
  for (let i = start + 1; i < lines.length; i++) {
    const line = lines[i]!;
    const block = blockIn(line, quotes);
    if (block !== null && taken.every((one) => one.trim() === '')) return { text: block, lastLine: i };
    if (isInstruction(line, quotes)) break;
    taken.push(line);
    lastLine = i;
  }
  const text = unmarked(taken.join('\n'), quotes).trim();
  const [only] = quotes.filter(({ source }) => source === text);
  return { text: only ? only.text.trim() : text, lastLine };
}

function blockIn(line: string, quotes: readonly Quote[]): string | null {
  const mark = new RegExp(`^\\s*${MARK}\\s*$`).exec(line);
  const quote = mark ? quotes[Number(mark[1])] : undefined;
  return quote?.kind === 'block' ? quote.text : null;
}

function isInstruction(line: string, quotes: Quote[]): boolean {
  if (!couldBegin(line)) return false;
  const head = /^(.{0,500}?[^\s:]):(?:\s|$)/.exec(line)?.[1];
  for (const candidate of head === undefined ? [line] : [head, line]) {
    const [first] = sentencesOf(candidate);
    const plain = first?.isAsked ? withoutCourtesy(first.text) : '';
    const read = plain === '' || plain.length > MAX_SENTENCE ? null : readSentence(plain, { quotes, page: null });
    if (read && read[0]?.kind !== 'go-on') return true;
  }
  return false;
}

/** A fast test that excludes most lines. */
function couldBegin(line: string): boolean {
  return BEGINS.test(withoutCourtesy(withoutBullet(line.slice(0, MAX_SENTENCE))));
}
const BEGINS = new RegExp(
  `^(?:${VERBS}|in|on|within|inside|under|for|at|take|get rid|use|say|there|typo|help)\\b`,
  'i',
);

const REQUESTING = '(?:please\\s+|pls\\s+)?';
const SENTENCE_END = /\s*;\s*|[.!?。？！؟]+(?=\s|$)/g;
const JOINED = new RegExp(
  `,?\\s(?:and\\s)?(?:then|after that|afterwards|also),?\\s(?=${REQUESTING}(?:${VERBS})\\b)|,?\\sand\\s(?=${REQUESTING}(?:${VERBS})\\b)|,\\s(?=(?:${VERBS})\\b)|,?\\sand\\s(?=${MARK.replace('(', '(?:')}\\s(?:with|by|to|->)\\s)`,
  'iu',
);
/** A scope alone belongs to the rest: "In guides/install, replace …". */
const PLACE_ALONE = new RegExp(`^(?:in|on|within|inside|under|for|at) (?!.*\\s(?:${VERBS})\\b)\\S[^,;]{0,200}$`, 'i');

function sentencesOf(line: string): Sentence[] {
  const text = withoutBullet(line)
    .replace(/\s+/g, ' ')
    .replace(ARROWS, ' -> ')
    .replace(/\b(?:find|search) and (?=replace\b)/gi, '');
  const sentences: Sentence[] = [];
  let start = 0;
  for (const { index, 0: end } of [...text.matchAll(SENTENCE_END), { index: text.length, 0: '' }]) {
    const whole = withoutBullet(text.slice(start, index).trim());
    start = index + end.length;
    if (whole === '') continue;
    const isAsked = !/[?？؟]/.test(end) || REQUEST.test(whole) || ANSWERABLE.test(whole);
    let ahead = '';
    for (const part of whole.split(JOINED)) {
      const joined = ahead === '' ? part.trim() : `${ahead}, ${part.trim()}`;
      ahead = ahead === '' && part.length < whole.length && PLACE_ALONE.test(withoutCourtesy(part)) ? joined : '';
      if (ahead === '' && joined !== '') sentences.push({ text: joined, isAsked });
    }
    if (ahead !== '') sentences.push({ text: ahead, isAsked });
  }
  return sentences;
}
const ARROWS = / ?(?:-{1,2}>|=>|→|➜|⟶|⇒) ?/g;

function withoutBullet(line: string): string {
  return line.replace(/^\s*(?:[-*+•]|\d{1,3}[.)])\s+/, '').trim();
}

const BEFORE =
  /^(?:(?:please|pls|plz|kindly|now|next|first|second|third|finally|lastly|also|then|and|so|ok|okay|hi|hello|hey|hi there|hello there|docent|thanks|thank you|(?:can|could|would|will) you(?: please| kindly)?|i(?:'d| would) like you to|i want you to|we want you to|let's|let us)\b[\s,:!]*)+/i;
const BEHIND = /[\s,]*(?:(?:please|pls|thanks|thank you(?: very much)?|for me|now|if you can|cheers)[\s,]*)+$/i;

/** The sentence without "please" and the like, and without the punctuation at its end. */
function withoutCourtesy(sentence: string): string {
  if (sentence.length > MAX_SENTENCE) return sentence;
  return sentence
    .replace(/[’]/g, "'")
    .replace(BEFORE, '')
    .replace(BEHIND, '')
    .trim()
    .replace(/[.,!?]+$/, '');
}
