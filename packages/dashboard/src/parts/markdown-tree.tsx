import type { ComponentChildren } from 'preact';
import type { Definition, Nodes, Parents, Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { safeUrl } from './safe-url.ts';

export type Render = (text: string) => ComponentChildren;

/** Deeper nesting is shown as written. */
const DEEPEST = 24;

interface Place {
  source: string;
  links: ReadonlyMap<string, Definition>;
  depth: number;
}

/** Renders Preact elements, and nothing that a browser would parse as HTML. */
export function renderMarkdown(text: string): ComponentChildren {
  let root: Root;
  try {
    root = fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
  } catch {
    return <p class="as-written">{text}</p>;
  }
  const links = new Map<string, Definition>();
  for (const node of root.children) if (node.type === 'definition') links.set(node.identifier, node);
  return inside(root, { source: text, links, depth: 0 });
}

function inside(node: Parents, place: Place): ComponentChildren {
  if (place.depth > DEEPEST) return <span class="as-written">{written(node, place)}</span>;
  const below = { ...place, depth: place.depth + 1 };
  return node.children.map((child, i) => <One key={i} node={child} place={below} />);
}

function One({ node, place }: { node: Nodes; place: Place }) {
  switch (node.type) {
    case 'text':
      return <>{node.value}</>;
    case 'paragraph':
      return <p>{inside(node, place)}</p>;
    case 'heading':
      return <p class="heading">{inside(node, place)}</p>;
    case 'strong':
      return <strong>{inside(node, place)}</strong>;
    case 'emphasis':
      return <em>{inside(node, place)}</em>;
    case 'delete':
      return <del>{inside(node, place)}</del>;
    case 'inlineCode':
      return <code>{node.value}</code>;
    case 'code':
      return (
        <pre tabIndex={0}>
          <code>{node.value}</code>
        </pre>
      );
    case 'blockquote':
      return <blockquote>{inside(node, place)}</blockquote>;
    case 'list':
      return node.ordered ? <ol start={node.start ?? 1}>{inside(node, place)}</ol> : <ul>{inside(node, place)}</ul>;
    case 'listItem':
      return (
        <li>
          {typeof node.checked === 'boolean' && (node.checked ? '☑ ' : '☐ ')}
          {inside(node, place)}
        </li>
      );
    case 'link':
      return <Anchor url={node.url}>{inside(node, place)}</Anchor>;
    case 'linkReference':
      return <Anchor url={place.links.get(node.identifier)?.url}>{inside(node, place)}</Anchor>;
    // Nothing is loaded from elsewhere.
    case 'image':
      return <Anchor url={node.url}>{node.alt || node.url}</Anchor>;
    case 'break':
      return <br />;
    case 'thematicBreak':
      return <hr />;
    case 'table':
      return (
        <div class="table-scroll" tabIndex={0}>
          <table>
            <tbody>{inside(node, place)}</tbody>
          </table>
        </div>
      );
    case 'tableRow':
      return <tr>{inside(node, place)}</tr>;
    case 'tableCell':
      return <td>{inside(node, place)}</td>;
    case 'definition':
      return null;
    default:
      return <span class="as-written">{written(node, place)}</span>;
  }
}

function Anchor({ url, children }: { url: string | undefined; children: ComponentChildren }) {
  const safe = safeUrl(url);
  if (safe === null) return <>{children}</>;
  return (
    <a href={safe} target="_blank" rel="noopener noreferrer" title={safe}>
      {children}
    </a>
  );
}

/** The source of a node. */
function written(node: Nodes, { source }: Place): string {
  const { start, end } = node.position ?? {};
  return start?.offset === undefined || end?.offset === undefined ? '' : source.slice(start.offset, end.offset);
}
