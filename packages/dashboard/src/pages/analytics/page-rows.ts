import { api, answerOf } from '../../api/client.ts';
import type { Counts, Measure, Only } from './counted.ts';
import { rangeQuery, type Span } from './range.ts';

/** The most pages that are sorted and searched here. The CSV of all pages has no limit. */
export const MAX_PAGES = 20_000;

export interface PageCounts extends Counts {
  path: string;
}

export interface PageRows {
  rows: PageCounts[];
  /** How many there are, even beyond `rows`. */
  count: number;
}

/**
 * The pages of a site, most visited first, as one listing of one version: its CSV, read only as far as
 * needed.
 */
export async function loadPages(
  { projectId, measure, span, only }: { projectId: string; measure: Measure; span: Span; only: Only },
  version: number,
  signal: AbortSignal,
): Promise<PageRows> {
  const asking = new AbortController();
  signal.addEventListener('abort', () => asking.abort(), { once: true });
  const options = {
    params: { path: { projectId }, query: { ...rangeQuery(span), ...only, all: true, version } },
    headers: { Accept: 'text/csv' },
    parseAs: 'stream',
    signal: asking.signal,
  } as const;
  let total = 0;
  const asked =
    measure === 'visitors'
      ? api.GET('/v1/analytics/{projectId}/visitors', options)
      : api.GET('/v1/analytics/{projectId}/views', options);
  const stream = await answerOf(
    asked.then((answer) => {
      total = Number(answer.response.headers.get('X-Total-Count'));
      return answer as { data?: ReadableStream<Uint8Array>; error?: unknown; response: Response };
    }),
  );
  const rows: PageCounts[] = [];
  const decoder = new TextDecoder();
  const reader = stream.getReader();
  let rest = '';
  let isHead = true;
  for (;;) {
    const { done, value } = await reader.read();
    const lines = (rest + decoder.decode(value, { stream: !done })).split('\r\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (!isHead && rows.length < MAX_PAGES) rows.push(pageOf(line));
      isHead = false;
    }
    if (done) break;
    if (rows.length >= MAX_PAGES) {
      await reader.cancel();
      break;
    }
  }
  return { rows, count: Math.max(total, rows.length) };
}

/**
 * A CSV line `path,human,ai,total`. Paths have no line breaks; in quotes, they may have commas and quotes.
 */
export function pageOf(line: string): PageCounts {
  const found = /^(.*),(\d+),(\d+),(\d+)$/s.exec(line);
  if (!found) throw new Error(`Not a line of the table of pages: ${line.slice(0, 200)}`);
  const [, cell = '', human, ai, total] = found;
  const path = cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell;
  return { path, human: Number(human), ai: Number(ai), total: Number(total) };
}

export type SortBy = 'human' | 'ai' | 'total';

/** Pages whose path contains the search text, most visited first. Ignores case. */
export function foundPages(rows: readonly PageCounts[], search: string, by: SortBy): readonly PageCounts[] {
  const needle = search.trim().toLowerCase();
  const found = needle === '' ? rows : rows.filter(({ path }) => path.toLowerCase().includes(needle));
  // As they came they are sorted by total.
  return by === 'total' ? found : found.toSorted((a, b) => b[by] - a[by]);
}
