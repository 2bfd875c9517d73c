import { Parser } from 'acorn';
import { tsPlugin } from '@sveltejs/acorn-typescript';
import type { Nodes } from 'mdast';
import { scanHtml, type HtmlTag } from '../read/html-scan.ts';

/** An error for which the Vue compiler refuses a page. */
export interface TemplateFault {
  message: string;
  /** Its start in the parsed text. */
  start: number;
}

const VOID = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '));
/** Deeper and longer than any page is. */
const MAX_OPEN = 200;
const MAX_EXPRESSION = 2_000;
const MAX_FAULTS = 20;

const TypeScript = Parser.extend(tsPlugin());

/**
 * Unclosed elements, and invalid expressions in `{{ }}`: they break VitePress' build
 * (https://vuejs.org/error-reference/#compiler-errors, 23, 24 and 45). Code is not a template, and inside
 * `v-pre` expressions are not checked.
 */
export function templateFaults(root: Nodes, text: string): TemplateFault[] {
  const faults: TemplateFault[] = [];
  const open: HtmlTag[] = [];
  const readsExpressions = !text.includes('v-pre');
  const waiting: Nodes[] = [root];
  while (waiting.length > 0 && faults.length < MAX_FAULTS) {
    const node = waiting.pop()!;
    const start = node.position?.start.offset ?? 0;
    if (node.type === 'html') {
      const source = text.slice(start, node.position?.end.offset ?? start);
      for (const tag of scanHtml(source, start).tags) {
        const fault = balance(open, tag, text);
        if (fault) faults.push(fault);
        if (readsExpressions) faults.push(...wrongAttributes(tag));
      }
      // Such deep nesting is unreadable anyway.
      if (open.length > MAX_OPEN) return faults;
    } else if (node.type === 'text' && readsExpressions && node.value.includes('{{')) {
      const wrong = wrongExpression(node.value);
      if (wrong !== null) faults.push({ message: `{{${wrong}}} is not a valid JavaScript expression`, start });
    }
    if ('children' in node) for (let i = node.children.length - 1; i >= 0; i--) waiting.push(node.children[i]!);
  }
  for (const { name, start } of open) faults.push({ message: `<${name}> is never closed`, start });
  return faults.slice(0, MAX_FAULTS);
}

function balance(open: HtmlTag[], tag: HtmlTag, text: string): TemplateFault | null {
  const name = tag.name.toLowerCase();
  if (VOID.has(name) || text.slice(tag.start, tag.end).endsWith('/>')) return null;
  if (tag.kind === 'open') {
    open.push(tag);
    return null;
  }
  const at = open.findLastIndex((one) => one.name.toLowerCase() === name);
  if (at === -1) return { message: `</${tag.name}> has no opening tag`, start: tag.start };
  const [inner] = open.splice(at).slice(1);
  return inner ? { message: `<${inner.name}> is never closed`, start: inner.start } : null;
}

/** Directives (https://vuejs.org/api/built-in-directives.html) whose values do not parse. */
function wrongAttributes({ kind, attributes }: HtmlTag): TemplateFault[] {
  if (kind !== 'open') return [];
  return attributes.flatMap(({ name, value, start }) => {
    const isWrong = value.trim() !== '' && value.length <= MAX_EXPRESSION && !isDirective(name, value);
    return isWrong ? [{ message: `${name}="${value}" is not valid JavaScript`, start }] : [];
  });
}

/** Whether an attribute is not a directive of Vue, or one whose value parses. */
function isDirective(name: string, value: string): boolean {
  if (name === 'v-for') {
    const [, item, list] = /^([\s\S]*?)\s+(?:in|of)\s+([\s\S]*)$/.exec(value) ?? [];
    return item !== undefined && isExpression(`(${item.replace(/^\s*\(|\)\s*$/g, '')}) => {}`) && isExpression(list!);
  }
  if (/^(?:#|v-slot)/.test(name)) return isExpression(`(${value}) => {}`);
  if (/^(?:@|v-on\b)/.test(name)) return isExpression(value) || isExpression(`async () => {${value}\n}`);
  return !/^(?::|v-(?!pre|cloak|once))/.test(name) || isExpression(value);
}

function wrongExpression(value: string): string | null {
  for (const [, expression = ''] of value.matchAll(/\{\{([^{}]{0,2000}?)\}\}/g)) {
    if (expression.trim() !== '' && expression.length <= MAX_EXPRESSION && !isExpression(expression)) return expression;
  }
  return null;
}

function isExpression(source: string): boolean {
  try {
    TypeScript.parse(`(${source}\n)`, { ecmaVersion: 'latest', sourceType: 'module', locations: true });
    return true;
  } catch {
    return false;
  }
}
