import { createLowlight } from 'lowlight';
import css from 'highlight.js/lib/languages/css';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import markdown from 'highlight.js/lib/languages/markdown';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';

/** A part of a line, and its kind. */
export interface Span {
  text: string;
  kind: string | null;
}

const lowlight = createLowlight({ css, javascript, json, markdown, typescript, xml, yaml });

const LANGUAGES: Record<string, string> = {
  md: 'markdown',
  mdx: 'markdown',
  markdown: 'markdown',
  yml: 'yaml',
  yaml: 'yaml',
  json: 'json',
  jsonc: 'json',
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  jsx: 'javascript',
  javascript: 'javascript',
  ts: 'typescript',
  mts: 'typescript',
  tsx: 'typescript',
  typescript: 'typescript',
  css: 'css',
  html: 'xml',
  xml: 'xml',
  svg: 'xml',
};

/** The most characters per call: more would block the page. */
const MAX_LENGTH = 40_000;

/**
 * The highlighted lines of a text; null for an unknown language, and a text that is too long.
 * @param name of a language, or a file extension
 */
export function highlighted(text: string, name: string): Span[][] | null {
  const language = LANGUAGES[name.toLowerCase()];
  if (!language || text.length > MAX_LENGTH) return null;
  const lines: Span[][] = [[]];
  const walk = (node: HastNode, kind: string | null): void => {
    if (node.type === 'text') {
      for (const [i, part] of (node.value ?? '').split('\n').entries()) {
        if (i > 0) lines.push([]);
        if (part !== '') lines.at(-1)?.push({ text: part, kind });
      }
      return;
    }
    const classes = node.properties?.className;
    const own = Array.isArray(classes) ? String(classes[0]).replace('hljs-', '') : kind;
    for (const child of node.children ?? []) walk(child, own);
  };
  walk(lowlight.highlight(language, text), null);
  return lines;
}

interface HastNode {
  type: string;
  value?: string;
  properties?: { className?: unknown };
  children?: HastNode[];
}
