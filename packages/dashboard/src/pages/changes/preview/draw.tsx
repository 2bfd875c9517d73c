import type { ComponentChild } from 'preact';
import { text } from '../../../text.ts';
import { shownText } from '../shown-text.tsx';
import { arranged, type Drawn } from './arrange.ts';
import { CodeText } from './code-text.tsx';
import { drawnImage, drawnLink, type Drawing } from './drawing.tsx';
import { drawnElement } from './elements.tsx';
import type { PageNode, ParsedPage } from './parse.ts';

const { changes: w } = text;

/** Deeper text is shown unformatted. */
const MAX_DEPTH = 40;

/** A page approximately as readers see it: nothing of it is executed, and nothing is loaded for it. */
export function drawnPage(page: ParsedPage, changed: ReadonlySet<PageNode>): ComponentChild {
  const targets = new Map<string, string>();
  const children = page.tree.children ?? [];
  for (const node of children)
    if (node.type === 'definition' && node.identifier && node.url) targets.set(node.identifier, node.url);
  const drawing: Drawing = { page, changed, targets, depth: 0, draw: drawn };
  // Imports and exports, at their positions.
  const withCode: PageNode[] = [];
  const code = [...page.code];
  for (const node of children) {
    while (code[0] && code[0].line < (node.position?.start.line ?? 0)) withCode.push(codeNode(code.shift()?.text));
    withCode.push(node);
  }
  withCode.push(...code.map(({ text }) => codeNode(text)));
  return drawnAll(withCode, drawing);
}

function codeNode(value = ''): PageNode {
  return { type: 'esm', value };
}

export function drawnAll(children: readonly PageNode[], drawing: Drawing): ComponentChild[] {
  return arranged(children, drawing.page).map((node) => drawn(node, drawing));
}

function drawn(node: Drawn, above: Drawing): ComponentChild {
  const drawing = { ...above, depth: above.depth + 1 };
  if (drawing.depth > MAX_DEPTH) return shownText('…');
  if (node.type === 'element' && 'of' in node) {
    const element = drawnElement(node, drawing);
    return above.changed.has(node.of) ? <div class="changed-block tag-only">{element}</div> : element;
  }
  const shown = drawnNode(node as PageNode, drawing);
  return above.changed.has(node as PageNode) && shown !== null ? <div class="changed-block">{shown}</div> : shown;
}

function drawnNode(node: PageNode, drawing: Drawing): ComponentChild {
  const inside = () => drawnAll(node.children ?? [], drawing);
  switch (node.type) {
    case 'text':
      return shownText(node.value ?? '');
    case 'paragraph':
      // Not a <p>: it may contain components.
      return <div class="p">{inside()}</div>;
    case 'heading':
      return <div class={`heading h${node.depth ?? 1}`}>{inside()}</div>;
    case 'emphasis':
      return <em>{inside()}</em>;
    case 'strong':
      return <strong>{inside()}</strong>;
    case 'delete':
      return <del>{inside()}</del>;
    case 'inlineCode':
      return <code>{shownText(node.value ?? '')}</code>;
    case 'code':
      return drawnCode(node);
    case 'break':
      return <br />;
    case 'thematicBreak':
      return <hr />;
    case 'blockquote':
      return <blockquote>{inside()}</blockquote>;
    case 'list':
      return node.ordered ? <ol start={node.start ?? 1}>{inside()}</ol> : <ul>{inside()}</ul>;
    case 'listItem':
      return (
        <li>
          {typeof node.checked === 'boolean' && (node.checked ? '☑ ' : '☐ ')}
          {inside()}
        </li>
      );
    case 'link':
      return drawnLink(node.url ?? '', inside());
    case 'linkReference':
      return drawnLink(drawing.targets.get(node.identifier ?? '') ?? '', inside());
    case 'image':
      return drawnImage(node.alt ?? '', node.url ?? '');
    case 'imageReference':
      return drawnImage(node.alt ?? '', drawing.targets.get(node.identifier ?? '') ?? '');
    case 'table':
      return drawnTable(node, drawing);
    case 'footnoteReference':
      return <sup>[{shownText(node.identifier ?? '')}]</sup>;
    case 'footnoteDefinition':
      return (
        <div class="footnote">
          <span>[{shownText(node.identifier ?? '')}]</span>
          <div>{inside()}</div>
        </div>
      );
    case 'mdxFlowExpression':
    case 'mdxTextExpression':
      return drawnExpression(node);
    case 'esm':
      return (
        <details class="esm">
          <summary>{w.imports}</summary>
          <pre tabIndex={0}>
            <code>{shownText(node.value ?? '')}</code>
          </pre>
        </details>
      );
    case 'definition':
      return null;
    default:
      return node.children ? inside() : shownText(node.value ?? '');
  }
}

function drawnExpression({ value = '', type }: PageNode): ComponentChild {
  // A comment is for writers.
  if (/^\s*\/\*[\s\S]*\*\/\s*$/.test(value) || value.trim() === '') return null;
  const literal = /^\s*(["'`])([^"'`\\$]*)\1\s*$/.exec(value);
  if (literal) return shownText(literal[2] ?? '');
  const code = (
    <code class="expression" title={w.expression}>
      {'{'}
      {shownText(value)}
      {'}'}
    </code>
  );
  return type === 'mdxFlowExpression' ? <div class="p">{code}</div> : code;
}

function drawnCode({ value = '', lang, meta }: PageNode): ComponentChild {
  const title = /(?:^|\s)title=(?:"([^"]*)"|'([^']*)')/.exec(meta ?? '');
  const plain = meta && !/[={]/.test(meta) ? meta : null;
  const label = title?.[1] ?? title?.[2] ?? plain;
  return (
    <figure class="code-block">
      {(label || lang) && (
        <figcaption>
          {label && <span>{shownText(label)}</span>} {lang && <span class="kind">{shownText(lang)}</span>}
        </figcaption>
      )}
      <pre tabIndex={0}>
        <CodeText text={value} lang={lang ?? null} />
      </pre>
    </figure>
  );
}

function drawnTable(node: PageNode, drawing: Drawing): ComponentChild {
  const [head, ...rows] = node.children ?? [];
  const cells = (row: PageNode | undefined, Tag: 'th' | 'td') =>
    row?.children?.map((cell, i) => <Tag key={i}>{drawnAll(cell.children ?? [], drawing)}</Tag>);
  return (
    <div class="table-box" tabIndex={0} role="group" aria-label={w.table}>
      <table>
        <thead>
          <tr>{cells(head, 'th')}</tr>
        </thead>
        <tbody>
          {rows.map((row, i) => (
            <tr key={i}>{cells(row, 'td')}</tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
