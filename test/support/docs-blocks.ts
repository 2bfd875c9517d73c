import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { ROOT } from './processes.ts';

/** A fenced block of a page. */
export interface DocsBlock {
  /** Relative to the project, with the line: `docs/quickstart.mdx:12`. */
  where: string;
  page: string;
  language: string;
  /** The text after the language: a file's name, or the name of a tab. */
  title: string;
  isFile: boolean;
  text: string;
  /** No heading is between the block and the previous one. */
  sameSection: boolean;
}

const FENCE = /^( *)```([^\s`]*)[ \t]*([^\n]*)\n([^]*?)^ *```[ \t]*$/gm;

/** README.md and the pages of docs/, in the order of their names. */
function docsPages(): string[] {
  const names = readdirSync(path.join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' });
  return ['README.md', ...names.filter((name) => name.endsWith('.mdx')).map((name) => `docs/${name}`)].toSorted();
}

/** The blocks of a page, in its order, without the indent that they have within lists and components. */
export function blocksOf(page: string): DocsBlock[] {
  const text = readFileSync(path.join(ROOT, page), 'utf8');
  let end = 0;
  return [...text.matchAll(FENCE)].map((match) => {
    const [whole, indent = '', language = '', title = '', body = ''] = match;
    const between = text.slice(end, match.index);
    end = match.index + whole.length;
    return {
      where: `${page}:${text.slice(0, match.index).split('\n').length}`,
      page,
      language,
      title: title.trim(),
      isFile: /^\S+\.[a-z]+$/.test(title.trim()),
      text: body.replaceAll(new RegExp(`^${indent}`, 'gm'), '').trimEnd(),
      sameSection: !/^#/m.test(between),
    };
  });
}

export const isShell = ({ language }: DocsBlock): boolean => ['bash', 'sh', 'shell', 'console'].includes(language);

/** The blocks of a page; of a CI job, each command is one of its own. */
export function commandsOf(page: string): DocsBlock[] {
  return blocksOf(page).flatMap((block) => {
    if (block.language !== 'yaml' || !block.text.includes('- run: ')) return [block];
    const { jobs } = parse(block.text) as { jobs: Record<string, { steps: { run?: string }[] }> };
    const commands = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));
    return commands.map((text) => ({ ...block, language: 'bash', isFile: false, text }));
  });
}

export const pagesWithCommands = (): string[] => docsPages().filter((page) => commandsOf(page).some(isShell));
