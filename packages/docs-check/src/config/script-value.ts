import { tsPlugin } from '@sveltejs/acorn-typescript';
import { Parser } from 'acorn';
import { dirname, join } from 'node:path/posix';
import {
  declarations,
  isFunction,
  isModuleExports,
  isRequireResolve,
  keyName,
  nodeName,
  type Ast,
  type Module,
} from './script-syntax.ts';
import { fieldOf, UNKNOWN, type Place, type StaticValue } from './static-value.ts';

const MAX_LENGTH = 500_000;
const MAX_FILES = 40;
const MAX_DEPTH = 60;
const MAX_NODES = 200_000;
/** More brackets in a row nest deeper than the parser's call stack. */
const TOO_DEEP = /(?:[([{][\s\w:,"'`=>]*){400}/;
const ENDINGS = ['', '.js', '.mjs', '.cjs', '.ts', '.mts', '.cts', '.json', '/index.js', '/index.ts', '/index.mjs'];

const TypeScript = Parser.extend(tsPlugin());

interface Scope {
  module: Module;
  locals: ReadonlyMap<string, Ast>;
  depth: number;
}

/**
 * Reads the exports of a configuration in JavaScript, TypeScript or JSON without running it: literals,
 * constants, spreads, imported files, and values that functions return at their end. Everything else is
 * unknown.
 */
export class ScriptReader {
  readonly #read: (path: string) => string | null;
  readonly #keepsCalls: boolean;
  readonly #modules = new Map<string, Module | null>();
  #nodes = MAX_NODES;
  /** Files whose text was used. */
  readonly texts = new Map<string, string>();
  /** Files that are not valid. */
  readonly problems: { path: string; offset: number; message: string }[] = [];

  /**
   * @param read gives a file's text by its path in the repository, or null
   * @param keepsCalls whether what a function of a package is given is kept: `tag` is the package, or the
   * name, `of` the list
   */
  constructor(read: (path: string) => string | null, { keepsCalls = false } = {}) {
    this.#read = read;
    this.#keepsCalls = keepsCalls;
  }

  /** The default export of a file, or what it assigns to `module.exports`. */
  exported(path: string): StaticValue {
    return this.#exported(path, 'default', 0);
  }

  #module(path: string): Module | null {
    const known = this.#modules.get(path);
    if (known !== undefined || this.#modules.size >= MAX_FILES) return known ?? null;
    const text = this.#read(path);
    const module = text === null ? null : this.#parse(path, text);
    this.#modules.set(path, module);
    return module;
  }

  #parse(path: string, text: string): Module | null {
    this.texts.set(path, text);
    if (text.length > MAX_LENGTH || TOO_DEEP.test(text)) return null;
    try {
      if (path.endsWith('.json')) {
        const value = Parser.parseExpressionAt(text, 0, { ecmaVersion: 'latest' }) as Ast;
        const body = [
          { type: 'ExportDefaultDeclaration', declaration: value, start: 0, end: text.length } as unknown as Ast,
        ];
        return { path, body, declared: new Map(), imported: new Map() };
      }
      const program = TypeScript.parse(text, {
        ecmaVersion: 'latest',
        sourceType: 'module',
        allowReturnOutsideFunction: true,
        allowHashBang: true,
        locations: true,
      }) as unknown as { body: Ast[] };
      return { path, body: program.body, ...declarations(program.body) };
    } catch (thrown) {
      const { pos, message } = thrown as { pos?: number; message?: string };
      const words = (message ?? '').replace(/ ?\(\d+:\d+\)$/, '');
      this.problems.push({
        path,
        offset: pos ?? 0,
        message: thrown instanceof SyntaxError ? words : 'it cannot be read',
      });
      return null;
    }
  }

  #exported(path: string, name: string, depth: number): StaticValue {
    const module = depth > MAX_DEPTH ? null : this.#module(path);
    if (!module) return UNKNOWN;
    const scope: Scope = { module, locals: new Map(), depth };
    for (const node of module.body) {
      if (name === 'default' && node.type === 'ExportDefaultDeclaration') {
        return this.#called(node['declaration'] as Ast, scope);
      }
      if (node.type === 'ExpressionStatement' && name === 'default') {
        const { type, left, right } = node['expression'] as Ast & { left?: Ast; right?: Ast };
        if (type === 'AssignmentExpression' && left && right && isModuleExports(left))
          return this.#called(right, scope);
      }
      if (node.type !== 'ExportNamedDeclaration') continue;
      for (const specifier of (node['specifiers'] as Ast[] | undefined) ?? []) {
        if (nodeName(specifier['exported']) === name) return this.#named(nodeName(specifier['local']), scope);
      }
    }
    const own = module.declared.get(name);
    return own ? this.#value(own, scope) : UNKNOWN;
  }

  /** The value, or what the function returns that makes it. */
  #called(node: Ast, scope: Scope): StaticValue {
    const target = node.type === 'Identifier' ? (this.#declared(nodeName(node), scope) ?? node) : node;
    return isFunction(target) ? this.#returned(target, scope) : this.#value(target, scope);
  }

  #declared(name: string, { module, locals }: Scope): Ast | undefined {
    return locals.get(name) ?? module.declared.get(name);
  }

  #named(name: string, scope: Scope): StaticValue {
    const own = this.#declared(name, scope);
    if (own) return this.#value(own, { ...scope, depth: scope.depth + 1 });
    const imported = scope.module.imported.get(name);
    return imported ? this.#imported(imported.from, imported.name, scope) : UNKNOWN;
  }

  #imported(from: string, name: string, { module, depth }: Scope): StaticValue {
    if (!/^\.{1,2}\//.test(from)) return UNKNOWN;
    const base = join(dirname(module.path), from);
    const path = [...ENDINGS, ''].map((ending) => base + ending).find((candidate) => this.#module(candidate) !== null);
    return path === undefined ? UNKNOWN : this.#exported(path, name, depth + 1);
  }

  #returned(node: Ast, scope: Scope): StaticValue {
    const body = node['body'] as Ast;
    const inner = { ...scope, depth: scope.depth + 1 };
    if (inner.depth > MAX_DEPTH) return UNKNOWN;
    if (body.type !== 'BlockStatement') return this.#value(body, inner);
    const statements = body['body'] as Ast[];
    const locals = new Map([...scope.locals, ...declarations(statements).declared]);
    const last = statements.findLast(({ type }) => type === 'ReturnStatement');
    return last?.['argument'] ? this.#value(last['argument'] as Ast, { ...inner, locals }) : UNKNOWN;
  }

  #value(node: Ast, scope: Scope): StaticValue {
    if (scope.depth > MAX_DEPTH || --this.#nodes < 0) return UNKNOWN;
    const at: Place = { path: scope.module.path, start: node.start, end: node.end };
    const inner = { ...scope, depth: scope.depth + 1 };
    switch (node.type) {
      case 'Literal': {
        const { value, regex } = node as { value?: unknown; regex?: { pattern: string; flags: string } };
        if (regex) return { type: 'pattern', source: regex.pattern, flags: regex.flags, at };
        const isScalar = value === null || ['string', 'number', 'boolean'].includes(typeof value);
        return isScalar ? { type: 'scalar', value: value as string, at } : { type: 'unknown', at };
      }
      case 'TemplateLiteral':
        return this.#template(node, inner, at);
      case 'ObjectExpression':
        return this.#object(node['properties'] as Ast[], inner, at);
      case 'ArrayExpression':
        return this.#list(node['elements'] as (Ast | null)[], inner, at);
      case 'TSAsExpression':
      case 'TSSatisfiesExpression':
      case 'TSNonNullExpression':
      case 'TSTypeAssertion':
      case 'ParenthesizedExpression':
        return this.#value(node['expression'] as Ast, inner);
      case 'AwaitExpression':
        return this.#value(node['argument'] as Ast, inner);
      case 'Identifier':
        if (node['name'] === 'undefined') return { type: 'scalar', value: null, at };
        return placed(this.#named(nodeName(node), inner), at);
      case 'CallExpression':
        return placed(this.#call(node, inner, at), at);
      case 'MemberExpression':
        return this.#member(node, inner, at);
      case 'LogicalExpression':
        return node['operator'] === '&&' ? this.#value(node['right'] as Ast, inner) : this.#either(node, inner, at);
      default:
        return { type: 'unknown', at };
    }
  }

  /** `versions[0]`, `settings.name` */
  #member(node: Ast, scope: Scope, at: Place): StaticValue {
    const of = this.#value(node['object'] as Ast, scope);
    const property = node['property'] as Ast;
    const key = node['computed'] ? this.#value(property, scope) : null;
    const name = key ? (key.type === 'scalar' ? String(key.value) : '') : nodeName(property);
    if (of.type === 'list' && !of.open) return of.items[Number(name)] ?? { type: 'unknown', at };
    return fieldOf(of, name) ?? { type: 'unknown', at };
  }

  #either(node: Ast, scope: Scope, at: Place): StaticValue {
    const left = this.#value(node['left'] as Ast, scope);
    return left.type === 'unknown' ? { type: 'unknown', at } : left;
  }

  #template(node: Ast, scope: Scope, at: Place): StaticValue {
    let text = '';
    const expressions = node['expressions'] as Ast[];
    for (const [i, quasi] of (node['quasis'] as { value: { cooked?: string | null } }[]).entries()) {
      text += quasi.value.cooked ?? '';
      const expression = expressions[i];
      if (!expression) continue;
      const value = this.#value(expression, scope);
      if (value.type !== 'scalar') return { type: 'unknown', at };
      text += String(value.value);
    }
    return { type: 'scalar', value: text, at };
  }

  #object(properties: readonly Ast[], scope: Scope, at: Place): StaticValue {
    const fields = new Map<string, StaticValue>();
    let open = false;
    for (const property of properties) {
      if (property.type === 'SpreadElement') {
        const spread = this.#value(property['argument'] as Ast, scope);
        if (spread.type === 'object') for (const [name, value] of spread.fields) fields.set(name, value);
        open ||= spread.type !== 'object' || spread.open;
        continue;
      }
      const key = property['key'] as Ast;
      const name = property['computed'] ? this.#value(key, scope) : null;
      const known = name ? (name.type === 'scalar' ? String(name.value) : null) : keyName(key);
      if (known === null) open = true;
      else fields.set(known, this.#value(property['value'] as Ast, scope));
    }
    return { type: 'object', fields, open, at };
  }

  #list(elements: readonly (Ast | null)[], scope: Scope, at: Place): StaticValue {
    const items: StaticValue[] = [];
    let open = false;
    for (const element of elements) {
      if (element?.type === 'SpreadElement') {
        for (const argument of branchesOf(element['argument'] as Ast)) {
          const spread = this.#value(argument, scope);
          if (spread.type === 'list') items.push(...spread.items);
          open ||= spread.type !== 'list' || spread.open;
        }
      } else if (element?.type === 'ConditionalExpression') {
        // The environment decides between the two: both are possible.
        for (const branch of ['consequent', 'alternate']) items.push(this.#value(element[branch] as Ast, scope));
      } else if (element) items.push(this.#value(element, scope));
    }
    return { type: 'list', items, open, at };
  }

  /** `defineConfig({…})`, `require('./other')`, functions of the file, `[…].filter(Boolean)`. */
  #call(node: Ast, scope: Scope, at: Place): StaticValue {
    const callee = node['callee'] as Ast;
    const args = node['arguments'] as Ast[];
    const name = callee.type === 'Identifier' ? nodeName(callee) : null;
    if (name === 'require' || (callee.type === 'MemberExpression' && nodeName(callee['property']) === 'resolve')) {
      const target = args[0]?.type === 'Literal' ? String(args[0]['value']) : '';
      // `require.resolve` gives the path itself.
      if (name !== 'require')
        return isRequireResolve(callee) ? { type: 'scalar', value: target, at } : { type: 'unknown', at };
      return this.#imported(target, 'default', scope);
    }
    const own = name === null ? undefined : this.#declared(name, scope);
    if (own && isFunction(own)) return this.#returned(own, scope);
    if (callee.type === 'MemberExpression') {
      if (nodeName(callee['property']) !== 'filter') return { type: 'unknown', at };
      return this.#value(callee['object'] as Ast, scope);
    }
    // Helpers such as `defineConfig` and `withMermaid` return their argument.
    const given = args.find(({ type }) => type !== 'Literal');
    if (name !== null && /^(?:define|with|extend)[A-Z]/.test(name) && given) return this.#called(given, scope);
    if (name === null || !this.#keepsCalls) return { type: 'unknown', at };
    const tag = scope.module.imported.get(name)?.from ?? name;
    return { type: 'unknown', at, tag, of: this.#list(args, scope, at) };
  }
}

/** An unknown value gets the position of its use. */
function placed(value: StaticValue, at: Place): StaticValue {
  return value === UNKNOWN ? { type: 'unknown', at } : value;
}

/** `condition ? one : other`: both are possible. */
function branchesOf(node: Ast): Ast[] {
  const inner = node.type === 'ParenthesizedExpression' ? (node['expression'] as Ast) : node;
  return inner.type === 'ConditionalExpression' ? [inner['consequent'] as Ast, inner['alternate'] as Ast] : [inner];
}
