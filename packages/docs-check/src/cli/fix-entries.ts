import type { Problem } from '../checks/problem.ts';
import type { DocsSite } from '../read/docs-site.ts';
import type { TextEdit } from '../read/text-edits.ts';
import { TextLines } from '../read/text-lines.ts';

/**
 * Names of pages that mean the same in JSON, YAML, TypeScript and Markdown, with quotation marks or without.
 */
const PLAIN = /^[\w./-]+$/;

/**
 * The edit that writes the suggested page into a navigation entry; null if the entry is not literally at the
 * problem's position, or the suggestion would need quotes.
 * @param text the file with the entry
 */
export function entryEdit({ site }: DocsSite, text: string, problem: Problem): TextEdit | null {
  const { code, path, line, target, suggestion } = problem;
  if (code !== 'navigation-missing-page' || target === undefined || !suggestion || !PLAIN.test(suggestion)) return null;
  const lines = new TextLines(text);
  const places = [
    ...(site.config?.entries ?? []).map(({ source, node, value }) => ({
      value,
      at: { path: source.path, start: node.offset, end: node.offset + node.length },
    })),
    ...(site.generator?.navigation?.entries ?? []),
  ];
  const entry = places.find(({ value, at }) => value === target && at.path === path && lines.lineAt(at.start) === line);
  if (!entry) return null;
  const start = text.indexOf(target, entry.at.start);
  const end = start + target.length;
  return start === -1 || end > entry.at.end ? null : { start, end, text: suggestion };
}
