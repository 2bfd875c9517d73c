import { parse, type AnyNode } from 'acorn';

/**
 * A module with the same lines and the same meaning, in which strings, templates and regular expressions name
 * what is not ASCII by its number. V8 keeps the text of every module, and takes twice the room for all of it
 * if one character is beyond Latin-1.
 */
export function inAscii(code: string): string {
  if (isAscii(code)) return code;
  const places: [start: number, end: number][] = [];
  visit(parse(code, { ecmaVersion: 'latest', sourceType: 'module' }), places);
  places.sort(([a], [b]) => a - b);
  let written = '';
  let from = 0;
  for (const [start, end] of places) {
    const text = code.slice(start, end);
    if (isAscii(text)) continue;
    written += code.slice(from, start) + escaped(text);
    from = end;
  }
  return written + code.slice(from);
}

/** Which take what the text means. */
const OWN_TAGS: ReadonlySet<string> = new Set(['markup']);

function visit(node: AnyNode, places: [number, number][]): void {
  // A tag may want the text as it was written.
  if (node.type === 'TaggedTemplateExpression' && !(node.tag.type === 'Identifier' && OWN_TAGS.has(node.tag.name))) {
    visit(node.tag, places);
    for (const expression of node.quasi.expressions) visit(expression, places);
    return;
  }
  if (node.type === 'TemplateElement' || (node.type === 'Literal' && (typeof node.value === 'string' || node.regex))) {
    places.push([node.start, node.end]);
    return;
  }
  for (const value of Object.values(node) as unknown[]) {
    if (Array.isArray(value)) for (const item of value) visitIfNode(item, places);
    else visitIfNode(value, places);
  }
}

function visitIfNode(value: unknown, places: [number, number][]): void {
  if (typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string')
    visit(value as AnyNode, places);
}

/**
 * By UTF-16 units: two of them stand for one character in strings, and in expressions too, with the flag `u`
 * or without it.
 */
function escaped(text: string): string {
  return text.replaceAll(/\P{ASCII}/gu, (character) =>
    Array.from({ length: character.length }, (_, at) => unit(character.charCodeAt(at))).join(''),
  );
}

function unit(code: number): string {
  return `\\u${code.toString(16).padStart(4, '0')}`;
}

function isAscii(text: string): boolean {
  return !/\P{ASCII}/u.test(text);
}
