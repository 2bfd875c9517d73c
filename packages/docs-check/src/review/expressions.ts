import { Parser } from 'acorn';
import type { Ast } from '../config/script-syntax.ts';

/** Names for content of the page or of the site itself. Nothing else may be accessed. */
const HARMLESS_ROOTS = new Set([
  'props',
  'frontMatter',
  'frontmatter',
  '$frontmatter',
  'metadata',
  'children',
  'undefined',
]);
/** Doors from a harmless object to code. */
const DOORS = new Set(['constructor', '__proto__', 'prototype', '__defineGetter__', '__lookupGetter__']);
/** Make the address of a file of the site: https://docusaurus.io/docs/markdown-features/assets */
const ADDRESS_MAKERS = new Set(['useBaseUrl', 'require']);
const MEDIA = /^(?:\.{0,2}\/|@site\/|~)[^:]*\.(?:png|jpe?g|gif|webp|avif|svg|ico|mp4|webm|pdf|mdx?)$/i;
const MAX_DEPTH = 100;

/**
 * Whether an expression can only show text that is in it or in the page: literals, lists and objects of such,
 * elements, arithmetic, and plain members of {@link HARMLESS_ROOTS}. Calls, functions, assignments and
 * everything unknown are code.
 * @param locals names that the page itself declares, and harmlessly
 */
export function isHarmless(node: Ast | null | undefined, locals: ReadonlySet<string>, depth = 0): boolean {
  if (!node) return true;
  if (depth > MAX_DEPTH) return false;
  const part = (name: string) => isHarmless(node[name] as Ast | null, locals, depth + 1);
  const parts = (name: string) =>
    ((node[name] as (Ast | null)[] | undefined) ?? []).every((one) => isHarmless(one, locals, depth + 1));
  switch (node.type) {
    case 'Literal':
    case 'TemplateElement':
    case 'JSXEmptyExpression':
    case 'JSXText':
    case 'EmptyStatement':
    case 'JSXElement':
    case 'JSXFragment':
      // Elements are judged separately: see mdx-effects.
      return true;
    case 'Identifier':
      return HARMLESS_ROOTS.has(String(node['name'])) || locals.has(String(node['name']));
    case 'TemplateLiteral':
      return parts('expressions');
    case 'ArrayExpression':
      return parts('elements');
    case 'ObjectExpression':
      return parts('properties');
    case 'Property': {
      const key = node['key'] as Ast;
      const name = key['name'] ?? key['value'];
      if (node['kind'] !== 'init' || node['method'] === true || DOORS.has(String(name))) return false;
      return (node['computed'] !== true || part('key')) && part('value');
    }
    case 'SpreadElement':
    case 'UnaryExpression':
      return node['operator'] !== 'delete' && part('argument');
    case 'BinaryExpression':
    case 'LogicalExpression':
      return part('left') && part('right');
    case 'ConditionalExpression':
      return part('test') && part('consequent') && part('alternate');
    case 'ParenthesizedExpression':
    case 'ChainExpression':
    case 'ExpressionStatement':
    case 'JSXExpressionContainer':
      return part('expression');
    case 'MemberExpression': {
      const property = node['property'] as Ast;
      const name = node['computed'] === true ? property['value'] : property['name'];
      const isPlain = node['computed'] !== true || property.type === 'Literal';
      return isPlain && !DOORS.has(String(name)) && (isMediaCall(node['object'] as Ast) || part('object'));
    }
    case 'CallExpression':
      return isMediaCall(node);
    default:
      return false;
  }
}

/** Whether a module is only shown: an image, a file to load, or a page of the site. */
export function isMedia(source: string): boolean {
  return MEDIA.test(source);
}

/** `require('./image.png')`, `useBaseUrl('/img/logo.svg')`. */
function isMediaCall(node: Ast): boolean {
  if (node.type !== 'CallExpression') return false;
  const [argument, ...others] = node['arguments'] as Ast[];
  const name = String((node['callee'] as Ast)['name'] ?? '');
  if (!ADDRESS_MAKERS.has(name) || others.length > 0 || argument?.type !== 'Literal') return false;
  const path = String(argument['value']).replace(/^!.*!/, '');
  return name === 'useBaseUrl' ? !/^(?:[a-z]+:|[\\/]{2})/i.test(path) : isMedia(path);
}

/** Reads an expression of a template. Null if it is not one. */
export function parseExpression(source: string): Ast | null {
  if (/(?:[([{?][^)\]}]{0,20}){400}/.test(source)) return null;
  try {
    const node = Parser.parseExpressionAt(source, 0, { ecmaVersion: 'latest', sourceType: 'module' }) as Ast;
    return source.slice(node.end).trim() === '' ? node : null;
  } catch {
    // A text that does not parse is not harmless: the caller treats it as code.
    return null;
  }
}

/** Calls `visit` for every node below one, with an explicit stack. */
export function walkCode(root: unknown, visit: (node: Ast) => boolean): void {
  const waiting: unknown[] = [root];
  while (waiting.length > 0) {
    const node = waiting.pop();
    if (Array.isArray(node)) waiting.push(...node.toReversed());
    else if (isNode(node) && visit(node)) {
      for (const [name, child] of Object.entries(node)) {
        if (typeof child === 'object' && child !== null && name !== 'comments' && name !== 'loc') waiting.push(child);
      }
    }
  }
}

/**
 * A string that is known without running anything, with `*` for unknown parts; null if it is not a string.
 */
export function staticString(node: Ast, depth = 0): string | null {
  if (depth > MAX_DEPTH) return null;
  if (node.type === 'Literal') return typeof node['value'] === 'string' ? node['value'] : null;
  if (node.type === 'TemplateElement') return (node['value'] as { cooked?: string | null }).cooked ?? '';
  if (node.type === 'TemplateLiteral') {
    return (node['quasis'] as Ast[])
      .map((quasi) => staticString(quasi, depth + 1))
      .reduce<string>((all, text, i) => (i === 0 ? (text ?? '') : `${all}*${text ?? ''}`), '');
  }
  if (node.type !== 'BinaryExpression' || node['operator'] !== '+') return null;
  const [left, right] = [node['left'] as Ast, node['right'] as Ast].map((side) => staticString(side, depth + 1));
  return left === null && right === null ? null : `${left ?? '*'}${right ?? '*'}`;
}

function isNode(value: unknown): value is Ast {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}
