import { visibleName } from '@docent/docs-check/read/visible-text';
import { beginningOf } from '@docent/base/ellipsis';
import { plural } from '@docent/base/plural';
import type { ToolResult } from '@docent/models/conversation/tool-call';

const MAX_NAMES = 12;
const MAX_PROBLEMS = 6;
const MAX_REASON = 160;

/** A call's outcome in one line of about a hundred characters. Null for results with text only. */
export function outcomeText(result: ToolResult): string | null {
  if (!result.ok) return `refused: ${oneLine(beginningOf(result.reason, MAX_REASON))}`;
  if (result.changed.length > 0) return `changed ${named(result.changed)}`;
  const { data } = result;
  switch (data?.tool) {
    case 'read':
      return data.lines ? `lines ${data.lines.first} to ${data.lines.last} of ${data.lines.of}` : null;
    case 'search': {
      if (data.matches === 0) return 'nothing found';
      const found = data.hits?.map(({ path, lines }) => `${visibleName(path)} (${lines.join(', ')})`) ?? [];
      const files = data.files === undefined ? '' : ` in ${plural(data.files, 'file')}`;
      const more = (data.files ?? 0) > MAX_NAMES ? ' and others' : '';
      const where = found.length === 0 ? '' : `: ${found.slice(0, MAX_NAMES).join(', ')}${more}`;
      return beginningOf(`${plural(data.matches, 'line')}${files}${where}`, 600);
    }
    case 'sources_read':
    case 'web_read':
      return `lines ${data.lines.first} to ${data.lines.last} of ${data.lines.of}`;
    case 'sources_search': {
      if (data.hits.length === 0) return 'nothing found';
      const found = data.hits.map(({ source, path, lines }) => `${source}:${visibleName(path)} (${lines.join(', ')})`);
      return beginningOf(`${plural(data.files, 'file')}: ${found.slice(0, MAX_NAMES).join(', ')}`, 600);
    }
    case 'list':
      return data.matches === null ? null : `${plural(data.matches, 'file')} found`;
    case 'check': {
      if (data.problems.length === 0) return 'no problems';
      const shown = data.problems
        .slice(0, MAX_PROBLEMS)
        .map(({ path, code, target }) => [visibleName(path), code, target ?? ''].join(' ').trim());
      const more = data.problems.length > shown.length ? '; and others' : '';
      return oneLine(beginningOf(`${plural(data.problems.length, 'problem')}: ${shown.join('; ')}${more}`, 600));
    }
    default:
      return null;
  }
}

/** Some of the files, by name. */
export function named(paths: readonly string[], most = MAX_NAMES): string {
  const shown = paths.slice(0, most).map(visibleName).join(', ');
  return paths.length > most ? `${shown} and ${paths.length - most} more` : shown;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}
