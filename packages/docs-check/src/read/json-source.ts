import { parseTree, type Node, type ParseError } from 'jsonc-parser';

/** A JSON file of the repository, parsed with positions. */
export interface JsonSource {
  path: string;
  text: string;
  /** Undefined if the text is not JSON at all. */
  root: Node | undefined;
  problem: { message: string; offset: number } | null;
}

/** Deeper than any configuration, and far from the parser's call stack. */
const MAX_DEPTH = 200;

/** Parses strict JSON (no comments, no trailing commas), but continues after an error. Never throws. */
export function parseJsonSource(path: string, text: string): JsonSource {
  if (nestsDeeperThan(text, MAX_DEPTH)) {
    return { path, text, root: undefined, problem: { message: 'it is nested too deeply', offset: 0 } };
  }
  const errors: ParseError[] = [];
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  // A byte order mark becomes a space, so that offsets stay.
  const root = parseTree(mark ? ` ${text.slice(1)}` : text, errors, {
    allowTrailingComma: false,
    disallowComments: true,
  });
  const first = errors[0];
  return {
    path,
    text,
    root,
    problem: first ? { message: ERRORS[first.error] ?? 'it is not JSON', offset: first.offset } : null,
  };
}

/** By jsonc-parser's `ParseErrorCode`. */
const ERRORS: Record<number, string> = {
  1: 'there is an invalid symbol',
  2: 'there is an invalid number',
  3: 'a property name in double quotes is missing',
  4: 'a value is missing',
  5: 'a colon is missing',
  6: 'a comma is missing',
  7: 'a closing brace } is missing',
  8: 'a closing bracket ] is missing',
  9: 'there is text after the end',
  10: 'JSON has no comments',
  11: 'a comment is not closed',
  12: 'a string is not closed',
  13: 'a number is cut short',
  14: 'an escape \\u is not valid',
  15: 'an escape in a string is not valid',
  16: 'there is an invalid character',
};

function nestsDeeperThan(text: string, limit: number): boolean {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (inString) {
      if (c === 0x5c) i++;
      else if (c === 0x22 || c === 0x0a) inString = false;
    } else if (c === 0x22) inString = true;
    else if (c === 0x7b || c === 0x5b) {
      if (++depth > limit) return true;
    } else if (c === 0x7d || c === 0x5d) depth--;
  }
  return false;
}

/** The value of a property of an object node. */
export function propertyOf(node: Node | undefined, name: string): Node | undefined {
  if (node?.type !== 'object') return undefined;
  return node.children?.find((property) => property.children?.[0]?.value === name)?.children?.[1];
}

export function itemsOf(node: Node | undefined): readonly Node[] {
  return node?.type === 'array' ? (node.children ?? []) : [];
}

export function stringOf(node: Node | undefined): string | undefined {
  return node?.type === 'string' ? String(node.value) : undefined;
}

export type { Node };
