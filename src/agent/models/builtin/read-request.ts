import { withoutContext } from '../../../platform/prompt-context.ts';
import type { Instruction, Request } from './instruction.ts';
import { MARK, markOf, markQuotes, unmarked, type Quote } from './quotes.ts';
import { isCovered, readSentence } from './sentence-grammar.ts';

const VERBS =
  'replace|substitute|swap|exchange|change|correct|fix|repair|mend|add|create|write|make|append|insert|rename|move|relocate|retitle|title|set|update|give|delete|remove|drop|cut|strike|erase|reword|describe|undo|revert|go on|continue|try';

/** Messages beyond this many instructions are for a person to split. */
const MAX_INSTRUCTIONS = 200;
const MAX_SENTENCES = 1_000;
/** Quotes and blocks not counted. */
const MAX_SENTENCE = 2_000;

/** Reads a message of the user; what came with it as material asks for nothing. Never throws; takes time in proportion to the message. */
export function readRequest(message: string): Request {
  const { text, quotes } = markQuotes(withoutContext(message).slice(0, 40_000));
  const request: Request = { instructions: [], aside: [], notUnderstood: [] };
  const lines = text.split('\n');
  for (let i = 0; i < lines.length; i++) {
    const withText = readWithText(lines, i, quotes);
    if (withText) {
      request.instructions.push(...withText.instructions);
      i = withText.lastLine;
    } else for (const sentence of sentencesOf(lines[i]!)) readInto(request, sentence, quotes);
  }
  if (request.instructions.length > MAX_INSTRUCTIONS) {
    return {
      ...request,
      instructions: [],
      notUnderstood: [`a message with more than ${MAX_INSTRUCTIONS} instructions`],
    };
  }
  return request;
}

function readInto(request: Request, sentence: string, quotes: Quote[]): void {
  if (request.notUnderstood.length >= MAX_SENTENCES) return;
  if (sentence.length > MAX_SENTENCE) {
    request.notUnderstood.push(unmarked(sentence, quotes));
    return;
  }
  const plain = withoutCourtesy(sentence);
  if (plain === '') return;
  const previous = request.instructions.at(-1);
  const found =
    readSentence(withPage(plain, previous, quotes), quotes) ??
    (previous?.kind === 'replace' ? readSentence(`replace ${plain}`, quotes) : null);
  if (found) request.instructions.push(...found);
  else if (isCovered(plain, previous)) return;
  else if (isStatement(plain)) request.aside.push(unmarked(plain, quotes));
  else request.notUnderstood.push(unmarked(plain, quotes));
}

/** "Its title": the page that the instruction before was about. */
function withPage(sentence: string, previous: Instruction | undefined, quotes: Quote[]): string {
  const page = previous && 'page' in previous ? previous.page : null;
  if (page === null || !/\bits (?:meta )?(?:title|description)\b/i.test(sentence)) return sentence;
  quotes.push({ text: page, source: page, kind: 'quote' });
  return sentence.replace(/\bits ((?:meta )?(?:title|description))\b/i, `the $1 of ${markOf(quotes.length - 1)}`);
}

/**
 * An instruction that ends in a colon takes what follows for its text: the rest of the line and further lines, until one of
 * them is an instruction itself; or the fenced block behind it.
 */
function readWithText(
  lines: readonly string[],
  start: number,
  quotes: readonly Quote[],
): { instructions: Instruction[]; lastLine: number } | null {
  const [, head, rest] = /^(.*?[^\s:]):(?:\s+(.*))?$/.exec(withoutBullet(lines[start]!)) ?? [];
  if (head === undefined || head.length > MAX_SENTENCE) return null;
  const sentences = sentencesOf(
    head.replace(/\s+(?:with|and)?\s*(?:the |this )?(?:following )?(?:text|content|body)$/i, ''),
  );
  const read = sentences.map((sentence) => readSentence(withoutCourtesy(sentence), quotes));
  const taking = read.at(-1)?.at(-1);
  if (read.some((found) => !found) || !taking || !('text' in taking) || taking.text !== null) return null;
  const { text, lastLine } = textFrom(lines, start, rest ?? '', quotes);
  if (text === '') return null;
  const instructions = read.flatMap((found) => found ?? []);
  return { instructions: [...instructions.slice(0, -1), { ...taking, text }], lastLine };
}

function textFrom(
  lines: readonly string[],
  start: number,
  rest: string,
  quotes: readonly Quote[],
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

function isInstruction(line: string, quotes: readonly Quote[]): boolean {
  const head = /^(.*?[^\s:]):(?:\s|$)/.exec(line)?.[1];
  for (const candidate of head === undefined ? [line] : [head, line]) {
    const [first] = sentencesOf(candidate).map(withoutCourtesy);
    const read = first === undefined || first.length > MAX_SENTENCE ? null : readSentence(first, quotes);
    if (read && read[0]?.kind !== 'go-on') return true;
  }
  return false;
}

const BETWEEN = new RegExp(
  `\\s*;\\s*|[.!?]+(?=\\s|$)|,?\\s+(?:and\\s+)?(?:then|after that|afterwards|also),?\\s+(?=(?:please\\s+)?(?:${VERBS})\\b)|,?\\s+and\\s+(?=(?:please\\s+)?(?:${VERBS})\\b)|,\\s+(?=(?:${VERBS})\\b)|,?\\s+and\\s+(?=${MARK.replace('(', '(?:')}\\s+(?:with|by|to)\\s)`,
  'iu',
);

function sentencesOf(line: string): string[] {
  // Runs of blanks would make the patterns look at each of them again and again.
  const parts = withoutBullet(line)
    .replace(/\s+/g, ' ')
    .split(BETWEEN)
    .map((sentence) => withoutBullet(sentence.trim()))
    .filter((sentence) => sentence !== '');
  return parts.reduce<string[]>((sentences, part) => {
    const before = sentences.at(-1);
    // A place alone belongs to what follows: "In guides/install, replace …".
    if (before !== undefined && PLACE_ALONE.test(withoutCourtesy(before)))
      sentences[sentences.length - 1] = `${before}, ${part}`;
    else sentences.push(part);
    return sentences;
  }, []);
}

const PLACE_ALONE = new RegExp(`^(?:in|on|within|inside|under|for|at) (?!.*\\s(?:${VERBS})\\b)\\S[^,;]{0,200}$`, 'i');

function withoutBullet(line: string): string {
  return line.replace(/^\s*(?:[-*+•]|\d{1,3}[.)])\s+/, '').trim();
}

const BEFORE =
  /^(?:(?:please|kindly|now|next|first|second|third|finally|lastly|also|then|and|so|ok|okay|hi|hello|hey|hi there|hello there|docent|thanks|thank you|(?:can|could|would|will) you(?: please)?|i(?:'d| would) like you to|i want you to|we want you to|you should|let's|let us)\b[\s,:!]*)+/i;
const BEHIND = /[\s,]*(?:(?:please|thanks|thank you(?: very much)?|for me|now|if you can|cheers)[\s,]*)+$/i;

function withoutCourtesy(sentence: string): string {
  return sentence
    .replace(/[’]/g, "'")
    .replace(BEFORE, '')
    .replace(BEHIND, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[.,!?]+$/, '');
}

/** Something told, and neither asked for nor ruled out. */
function isStatement(sentence: string): boolean {
  if (
    /\b(?:not|n't|never|no|except|only|but|unless|without|instead|should|must|leave|keep|avoid|don't|do not)\b/i.test(
      sentence,
    )
  )
    return false;
  return /^(?:we|i|it|this|that|these|those|they|our|my|the|there|users?|readers?|customers?|people|because|since|as)\b.*\b(?:is|are|was|were|has|have|had|renamed|changed|moved|want|need|needs|found|noticed|decided|launched|released|switched|said|say|says)\b/i.test(
    sentence,
  );
}
