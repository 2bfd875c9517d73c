import type { MdxJsxFlowElement, MdxJsxTextElement } from 'mdast-util-mdx';
import { dirname, join } from 'node:path/posix';
import { nodeName, type Ast } from '../config/script-syntax.ts';
import { cssEffects } from './css-effects.ts';
import type { EffectCollector, Use } from './effects.ts';
import { isHarmless, isMedia, staticString, walkCode } from './expressions.ts';
import { elementEffects, htmlEffects, useOf, type Attribute } from './html-effects.ts';

/** Modules of the site generators that only show what they are given. */
const HARMLESS_MODULES =
  /^(?:react|@theme\/(?:Tabs|TabItem|CodeBlock|Admonition|Details|Heading|TOCInline|DocCard|DocCardList|ThemedImage|IdealImage|MDXContent)|@docusaurus\/(?:Link|useBaseUrl|Translate|theme-common)|@astrojs\/starlight\/components|nextra\/components|fumadocs-ui\/components\/[\w-]+)$/;

/** An attribute of JSX: a text, an expression, or neither; `name` null for `{...spread}`. */
interface JsxAttribute {
  name: string | null;
  text: string | null;
  expression: Ast | null;
  source: string;
}

/** What the JavaScript of MDX does: statements, expressions, and the elements among them. */
export class MdxEffects {
  readonly #into: EffectCollector;
  readonly #path: string;
  readonly #text: string;
  readonly #locals = new Set<string>();

  /** @param text what the positions of the syntax tree are positions of */
  constructor(into: EffectCollector, path: string, text: string) {
    this.#into = into;
    this.#path = path;
    this.#text = text;
  }

  /** Statements of `import` and `export`. Come before the expressions that use what they declare. */
  statements(program: unknown): void {
    for (const statement of bodyOf(program)) {
      const type: string = statement.type;
      if (statement['source']) this.#module(statement);
      else if (type === 'ExportNamedDeclaration' || type === 'ExportDefaultDeclaration') this.#exported(statement);
      else this.#into.code('an expression', this.#sourceOf(statement));
      this.#inside(statement);
    }
  }

  #module(statement: Ast): void {
    const source = String((statement['source'] as Ast)['value']);
    const isPlainImport = statement.type === 'ImportDeclaration' && (statement['specifiers'] as Ast[]).length > 0;
    if (isPlainImport && (isMedia(source) || HARMLESS_MODULES.test(source))) {
      if (isMedia(source)) for (const specifier of statement['specifiers'] as Ast[]) this.#locals.add(nodeName(specifier['local'])); // oxfmt-ignore
      return;
    }
    const from = source.startsWith('.') ? `/${join(dirname(this.#path), source)}` : source;
    this.#into.code('an import', source, from);
    this.#into.maybeAddress(source, 'load');
  }

  #exported(statement: Ast): void {
    const declaration = statement['declaration'] as Ast | null;
    const declared = (declaration?.['declarations'] as { id: Ast; init: Ast | null }[] | undefined) ?? [];
    const isData =
      declaration?.type === 'VariableDeclaration' &&
      declared.every(({ id, init }) => id.type === 'Identifier' && isHarmless(init, this.#locals));
    if (isData) for (const { id } of declared) this.#locals.add(nodeName(id));
    else this.#into.code('an export', this.#sourceOf(statement));
  }

  /** `{…}` in the text. */
  expression(program: unknown, value: string): void {
    const body = bodyOf(program);
    if (!body.every((statement) => isHarmless(statement, this.#locals))) this.#into.code('an expression', value);
    for (const statement of body) this.#inside(statement);
  }

  element(node: MdxJsxFlowElement | MdxJsxTextElement): void {
    const attributes = node.attributes.map((attribute): JsxAttribute => {
      if (attribute.type === 'mdxJsxExpressionAttribute') {
        const [statement] = bodyOf(attribute.data?.estree);
        return { name: null, text: null, expression: statement ?? null, source: attribute.value };
      }
      const { name, value } = attribute;
      if (typeof value !== 'object' || value === null)
        return { name, text: value ?? null, expression: null, source: '' };
      return { name, text: null, expression: bodyOf(value.data?.estree)[0] ?? null, source: value.value };
    });
    this.#element(node.name ?? '', attributes, node.name === 'script' || node.name === 'style' ? textBelow(node) : '');
  }

  #element(name: string, attributes: readonly JsxAttribute[], text: string): void {
    const known: Attribute[] = [];
    for (const { name: given, text: value, expression, source } of attributes) {
      const key = given?.toLowerCase() ?? null;
      const fixed = value ?? (expression ? staticOf(expression) : null);
      if (key !== null && fixed !== null) {
        known.push({ name: REACT_NAMES[key] ?? key, value: fixed });
        continue;
      }
      if (!expression) continue;
      if (key === 'dangerouslysetinnerhtml' || key === 'set:html') this.#innerHtml(expression, source);
      else if (!isHarmless(expression, this.#locals)) {
        const isHandler = key !== null && /^on[a-z]/.test(key);
        this.#into.code(isHandler ? 'an event handler' : 'an expression', `${given ?? '...'}=${source}`);
      } else if (key === null && /\bdangerouslySetInnerHTML\b|['"]on[a-z]/i.test(source)) {
        this.#into.code('an expression', source);
      }
      if (key === 'style') this.#strings(expression, (css) => cssEffects(`:${css}`, this.#into));
      this.#inside(expression, key === null ? 'load' : useOf(name.toLowerCase(), key));
    }
    elementEffects(name.toLowerCase(), known, this.#into, { text });
  }

  #innerHtml(expression: Ast, source: string): void {
    this.#into.code('a script', source);
    this.#strings(expression, (html) => htmlEffects(html, this.#into));
  }

  /** Elements and texts in a piece of code. */
  #inside(root: Ast, use: Use = 'link'): void {
    walkCode(root, (node) => {
      const type: string = node.type;
      if (type === 'JSXOpeningElement') this.#jsxOpening(node);
      const text = type === 'JSXText' ? null : staticString(node);
      if (text !== null) this.#into.maybeAddress(text, use);
      if (type === 'JSXText') this.#into.text(String(node['value'] ?? ''));
      return text === null && type !== 'JSXAttribute';
    });
  }

  #jsxOpening(node: Ast): void {
    const attributes = (node['attributes'] as Ast[]).map((attribute): JsxAttribute => {
      if (attribute.type === 'JSXSpreadAttribute') {
        const expression = attribute['argument'] as Ast;
        return { name: null, text: null, expression, source: this.#sourceOf(expression) };
      }
      const key = attribute['name'] as Ast;
      const name =
        key.type === 'JSXNamespacedName' ? `${nodeName(key['namespace'])}:${nodeName(key['name'])}` : nodeName(key);
      const value = attribute['value'] as Ast | null;
      if (!value) return { name, text: null, expression: null, source: '' };
      const text = value.type === 'Literal' ? String(value['value']) : null;
      const expression = text === null ? ((value['expression'] as Ast | undefined) ?? value) : null;
      return { name, text, expression, source: this.#sourceOf(value) };
    });
    this.#element(nodeName(node['name']), attributes, this.#sourceOf(node));
  }

  #strings(root: Ast, use: (text: string) => void): void {
    walkCode(root, (node) => {
      const text = staticString(node);
      if (text !== null) use(text);
      return text === null;
    });
  }

  #sourceOf(node: Ast): string {
    return this.#text.slice(node.start, node.end);
  }
}

const REACT_NAMES: Record<string, string> = { httpequiv: 'http-equiv', xlinkhref: 'xlink:href', acceptcharset: 'accept-charset' }; // oxfmt-ignore

function bodyOf(program: unknown): Ast[] {
  return (program as { body?: Ast[] } | null | undefined)?.body ?? [];
}

function staticOf(node: Ast): string | null {
  return staticString(node.type === 'ExpressionStatement' ? (node['expression'] as Ast) : node);
}

function textBelow(node: { children: readonly unknown[] }): string {
  return JSON.stringify(node.children, (key, value: unknown) =>
    key === 'position' || key === 'data' ? undefined : value,
  );
}
