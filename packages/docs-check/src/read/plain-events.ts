/* oxlint-disable no-underscore-dangle -- micromark names its own fields so */
import type { Chunk, Construct, ConstructRecord, Event, Point, Token, TokenizeContext } from 'micromark-util-types';
import { spend, spendToken } from './parse-work.ts';

/** Tried at each word, in which one of {@link ADDRESS} has to stand. */
const ADDRESSES: ReadonlySet<string | undefined> = new Set(['emailAutolink', 'wwwAutolink', 'protocolAutolink']);
const ADDRESS = /@|www\.|:\/\//i;

/**
 * The events of a text in which no character means anything, without going through it: its lines, and their ends. Null where there may be
 * more to it.
 * @param tokens the lines, as they are linked
 * @param context the tokenizer that they are of, which then is that of the events
 * @returns those of each line
 */
export function plainEvents(
  tokens: readonly Token[],
  streams: readonly Chunk[][],
  context: TokenizeContext,
): Event[][] | null {
  const [first] = tokens;
  const constructs = context.parser.constructs[first!.contentType === 'string' ? 'string' : 'text'];
  const result: Event[][] = [];
  let expected: Point | null = null;
  for (const [i, token] of tokens.entries()) {
    const [line, lineEnd, ...more] = streams[i]!;
    spend(1);
    const isLast = i === tokens.length - 1;
    if (typeof line !== 'string' || more.length > 0 || isLast !== (lineEnd === undefined)) return null;
    if (!isPlain(line, constructs) || (expected && !isSame(token.start, expected))) return null;
    const { start, end } = token;
    if (isLast) {
      result.push(pair('data', start, end, context));
      break;
    }
    const width = lineEnd === CRLF ? 2 : lineEnd === LF || lineEnd === CR ? 1 : 0;
    if (width === 0 || first!.contentType === 'string') return null;
    const stop: Point = {
      _index: end._index - 1,
      _bufferIndex: -1,
      line: start.line,
      column: start.column + line.length,
      offset: start.offset + line.length,
    };
    const next = { ...end, line: start.line + 1, column: 1, offset: stop.offset + width };
    if (!isSame(end, next)) return null;
    result.push([...pair('data', start, stop, context), ...pair('lineEnding', stop, next, context)]);
    const { column } = tokens[i + 1]!.start;
    expected = { ...next, column, offset: next.offset + column - 1 };
  }
  return result;
}

const [CR, LF, CRLF] = [-5, -4, -3];

function pair(type: 'data' | 'lineEnding', start: Point, end: Point, context: TokenizeContext): Event[] {
  spendToken();
  const token: Token = { type, start: { ...start }, end: { ...end } };
  return [
    ['enter', token, context],
    ['exit', token, context],
  ];
}

function isSame(a: Point, b: Point): boolean {
  return a.line === b.line && a.column === b.column && a.offset === b.offset;
}

/** Spaces at its ends mean something, too. */
function isPlain(line: string, constructs: ConstructRecord): boolean {
  const marks = marksOf(constructs);
  return line !== '' && !line.startsWith(' ') && !line.endsWith(' ') && !marks.some((mark) => mark.test(line));
}

const known = new WeakMap<ConstructRecord, RegExp[]>();

/** What begins something in a text. */
function marksOf(constructs: ConstructRecord): RegExp[] {
  let marks = known.get(constructs);
  if (marks) return marks;
  const codes: string[] = [];
  let hasAddresses = false;
  for (const [code, tried] of Object.entries<Construct | Construct[] | undefined>(constructs)) {
    const names = (Array.isArray(tried) ? tried : [tried]).map((construct) => construct?.name);
    if (names.some((name) => ADDRESSES.has(name))) hasAddresses = true;
    if (names.every((name) => ADDRESSES.has(name)) || Number(code) < 0) continue;
    codes.push(code === 'null' ? '[^]' : `\\u{${Number(code).toString(16)}}`);
  }
  marks = codes.length === 0 ? [] : [new RegExp(codes.join('|'), 'u')];
  if (hasAddresses) marks.push(ADDRESS);
  known.set(constructs, marks);
  return marks;
}
