/* oxlint-disable no-underscore-dangle -- micromark names its own fields so */
import type { Chunk, Event, ParseContext, Token, TokenizeContext } from 'micromark-util-types';
import { plainEvents } from './plain-events.ts';

/** What the parser notes on tokens and tokenizers without saying so in its types. */
interface LinkedToken extends Token {
  _contentTypeTextTrailing?: boolean;
  _isInFirstContentOfListItem?: boolean | undefined;
}

/**
 * Lets a document's parser take the short way to the same events: a text without any mark is not gone through by its characters, and what
 * stands in a block is put into the block before it becomes a part of the page, not by going through the page again for each level.
 * @param document the tokenizer of the page
 */
export function quickenTokenizers(parser: ParseContext, document: TokenizeContext): void {
  const { flow } = parser;
  parser.flow = (from) => {
    const tokenizer = flow(from);
    const startsItem = document.events.at(-1)?.[1].type === 'listItemPrefix';
    const { write } = tokenizer;
    tokenizer.write = (slice) => {
      const events = write(slice);
      // Now and not before: a link may be defined behind it.
      if (slice.at(-1) === null) expandWhenRead(tokenizer, startsItem);
      return events;
    };
    return tokenizer;
  };
}

/** Those who read the events of a block first are those who put them into the page. By then, all definitions are known. */
function expandWhenRead(tokenizer: TokenizeContext, startsItem: boolean): void {
  let events = tokenizer.events;
  let isExpanded = false;
  Object.defineProperty(tokenizer, 'events', {
    get() {
      if (!isExpanded) {
        isExpanded = true;
        if (startsItem) markFirstContent(events);
        events = expanded(events);
      }
      return events;
    },
    set(next: Event[]) {
      events = next;
      isExpanded = true;
    },
  });
}

/** For task lists, which stand in the first text of an item: as `subtokenize` of micromark does it. */
function markFirstContent(events: readonly Event[]): void {
  let at = events[0]?.[1].type === 'lineEndingBlank' ? 2 : 0;
  if (events[at]?.[1].type !== 'content') return;
  for (at++; at < events.length && events[at]![1].type !== 'content'; at++) {
    const token: LinkedToken = events[at]![1];
    if (token.type !== 'chunkText') continue;
    token._isInFirstContentOfListItem = true;
    at++;
  }
}

function isPiece({ contentType, _tokenizer }: Token): boolean {
  return (contentType === 'text' || contentType === 'string') && !_tokenizer;
}

/** The events with those in the place of each piece that is still to be read. */
function expanded(events: Event[]): Event[] {
  const pieces = new Map<Token, Event[]>();
  const result: Event[] = [];
  for (let i = 0; i < events.length; i++) {
    const event = events[i]!;
    const [kind, token] = event;
    if (kind === 'enter' && isPiece(token) && !pieces.has(token)) read(event, pieces);
    const piece = kind === 'enter' ? pieces.get(token) : undefined;
    if (!piece) {
      result.push(event);
      continue;
    }
    for (const one of piece) result.push(one);
    // Its end comes right after it, in tables as that of another token.
    i++;
  }
  return result;
}

/** Reads the pieces that are linked with the first one, each of which ends with a line. */
function read([, first, context]: Event, pieces: Map<Token, Event[]>): void {
  const tokens: LinkedToken[] = [];
  for (let token: LinkedToken | undefined = first; token; token = token.next) tokens.push(token);
  const streams = tokens.map((token) => context.sliceStream(token));
  const plain = plainEvents(tokens, streams, context);
  if (plain) {
    for (const [i, token] of tokens.entries()) pieces.set(token, plain[i]!);
    return;
  }
  const events = tokenized(tokens, streams, context);
  const breaks = [0];
  for (let i = 1; i < events.length && breaks.length < tokens.length; i++) {
    const [kind, token] = events[i]!;
    const [before, other] = events[i - 1]!;
    if (kind !== 'exit' || before !== 'enter' || token.type !== other.type) continue;
    if (token.start.line !== token.end.line) breaks.push(i + 1);
  }
  for (const [i, token] of tokens.entries()) {
    pieces.set(token, i < breaks.length ? expanded(events.slice(breaks[i], breaks[i + 1])) : []);
  }
}

function tokenized(tokens: readonly LinkedToken[], streams: readonly Chunk[][], context: TokenizeContext): Event[] {
  const first = tokens[0]!;
  const tokenizer = context.parser[first.contentType as 'text' | 'string'](first.start);
  if (first._contentTypeTextTrailing) tokenizer._contentTypeTextTrailing = true;
  for (const [i, token] of tokens.entries()) {
    if (i > 0) tokenizer.defineSkip(token.start);
    if (token._isInFirstContentOfListItem) tokenizer._gfmTasklistFirstContentOfListItem = true;
    tokenizer.write(i === tokens.length - 1 ? [...streams[i]!, null] : streams[i]!);
    if (token._isInFirstContentOfListItem) tokenizer._gfmTasklistFirstContentOfListItem = undefined;
  }
  return tokenizer.events;
}
