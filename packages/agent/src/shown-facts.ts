import { createHash } from 'node:crypto';
import type { ToolResult } from '@docent/models/conversation/tool-call';

/**
 * The facts about the repository that a call showed, one text each: a line of a version of a file, the
 * content of a folder, the findings of the docs checks. Two calls that show the same have the same facts,
 * whatever their input and wording. Empty searches, refusals and changes have none.
 */
export function shownFacts(result: ToolResult): string[] {
  if (!result.ok || result.changed.length > 0) return [];
  const { data } = result;
  switch (data?.tool) {
    case 'read':
      if (!data.lines) break;
      return linesFrom(data.lines.first, data.lines.last).map((line) => lineFact(data.path, data.lines!.version, line));
    case 'search':
      if (!data.hits) break;
      return data.hits.flatMap(({ path, version, lines }) => lines.map((line) => lineFact(path, version, line)));
    case 'list':
      if (!data.folders) break;
      return data.folders.paths.flatMap((path) => [`some ${path}`, ...(data.folders!.whole ? [`all ${path}`] : [])]);
    case 'sources_read':
      return linesFrom(data.lines.first, data.lines.last).map((line) =>
        lineFact(`${data.source}:${data.path}`, data.commit, line),
      );
    case 'web_read':
      return linesFrom(data.lines.first, data.lines.last).map((line) => lineFact(data.url, '', line));
    case 'sources_search':
      return data.hits.flatMap(({ source, path, commit, lines }) =>
        lines.map((line) => lineFact(`${source}:${path}`, commit, line)),
      );
    case 'sources_list':
      return [`sources ${data.folder ?? ''}`];
    case 'check':
      return [`check ${hashOf(JSON.stringify([data.problems, data.elsewhere]))}`];
    default:
  }
  // Other tools report their findings only as text.
  return [`text ${hashOf(result.text)}`];
}

function lineFact(path: string, version: string, line: number): string {
  return `line ${version} ${line} ${path}`;
}

function linesFrom(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}

export function hashOf(text: string): string {
  return createHash('sha1').update(text).digest('base64');
}
