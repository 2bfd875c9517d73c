import type { PageNode, ParsedPage } from './parse.ts';
import { tokensOf } from './html-tokens.ts';

/** Source that becomes an element: JSX, HTML in Markdown, a container. Names are as written. */
export interface Element {
  type: 'element';
  name: string;
  attributes: [name: string, value: string][];
  children: Drawn[];
  /** The node that its beginning is from. */
  of: PageNode;
}

export type Drawn = PageNode | Element;

/**
 * Children as they are drawn: JSX as elements, and containers and HTML tags around their content. Unclosed
 * ones end with their parent; unopened ones are left out.
 */
export function arranged(children: readonly PageNode[], page: Pick<ParsedPage, 'fences'>): Drawn[] {
  const root: Drawn[] = [];
  const open: Element[] = [];
  const put = (...nodes: Drawn[]) => (open.at(-1)?.children ?? root).push(...nodes);
  const begin = (element: Element) => {
    put(element);
    open.push(element);
  };
  const end = (isIt: (element: Element) => boolean) => {
    const at = open.findLastIndex(isIt);
    if (at !== -1) open.length = at;
  };
  for (const node of children) {
    const fence = node.type === 'thematicBreak' ? page.fences.get(node.position?.start.line ?? 0) : undefined;
    if (fence?.name) {
      const attributes: Element['attributes'] = fence.title ? [['title', fence.title]] : [];
      begin({ type: 'element', name: fence.name, attributes, children: [], of: { type: 'container' } });
    } else if (fence) end(({ of }) => of.type === 'container');
    else if (node.type === 'html') {
      for (const token of tokensOf(node.value ?? '')) {
        if (token.kind === 'text') {
          if (token.text.trim() !== '') put({ type: 'text', value: token.text });
        } else if (token.kind === 'close') end(({ name }) => name === token.name);
        else {
          const { name, attributes } = token;
          const element: Element = { type: 'element', name, attributes, children: [], of: node };
          if (token.kind === 'open') begin(element);
          else put({ ...element, children: token.text === null ? [] : [{ type: 'text', value: token.text }] });
        }
      }
    } else if (node.type === 'mdxJsxFlowElement' || node.type === 'mdxJsxTextElement') {
      const { name, attributes = [] } = node;
      put({
        type: 'element',
        name: name ?? '',
        attributes: attributes.map(attributeOf),
        children: arranged(node.children ?? [], page),
        of: node,
      });
    } else put(node);
  }
  return root;
}

function attributeOf({ type, name, value }: NonNullable<PageNode['attributes']>[number]): [string, string] {
  const text = typeof value === 'object' && value !== null ? `{${(value as { value?: string }).value ?? ''}}` : value;
  if (type === 'mdxJsxExpressionAttribute') return ['', `{${String(text)}}`];
  return [name ?? '', typeof text === 'string' ? text : ''];
}
