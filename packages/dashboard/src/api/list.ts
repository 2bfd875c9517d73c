import { useEffect, useRef, useState } from 'preact/hooks';
import { problemOf, type Problem } from './problem.ts';
import { useResource } from './resource.ts';

export interface CursorPage<T> {
  rows: T[];
  nextCursor: string | null;
}

export interface CursorList<T> {
  rows: T[] | undefined;
  problem: Problem | undefined;
  isLoading: boolean;
  hasMore: boolean;
  isLoadingMore: boolean;
  /** Loads the next page. */
  more(): void;
  /** Reloads the first page; later pages are kept if they still adjoin it. */
  reload(): void;
}

/**
 * A list of the API, page by page. The first page is reloaded as in `useResource`; later ones stay.
 * @param key names the list with its filters
 * @param load loads the page after `cursor`; undefined: the first
 */
export function useCursorList<T extends { id: string }>(
  key: string | null,
  load: (cursor: string | undefined, signal?: AbortSignal) => Promise<CursorPage<T>>,
  options: { everyMs?: number | null } = {},
): CursorList<T> {
  const first = useResource(key, (signal) => load(undefined, signal), options);
  const [later, setLater] = useState<{ key: string | null; rows: T[]; cursor: string | null } | null>(null);
  const [isLoadingMore, setLoadingMore] = useState(false);
  const [moreProblem, setMoreProblem] = useState<Problem>();
  const keyNow = useRef(key);
  keyNow.current = key;
  useEffect(() => {
    setLater(null);
    setMoreProblem(undefined);
  }, [key]);

  // Rows that new ones have pushed off the first page stay, before those of later pages.
  const firstRows = first.data?.rows;
  const before = useRef<T[] | undefined>(undefined);
  useEffect(() => {
    const was = before.current;
    before.current = firstRows;
    if (!was || !firstRows || later?.key !== key) return;
    const last = firstRows.at(-1);
    const at = last ? was.findIndex(({ id }) => id === last.id) : -1;
    if (at < 0 && later.rows.some(({ id }) => id === last?.id)) return;
    // More rows were added than the first page holds: those in between are unknown.
    if (at < 0) setLater(null);
    else if (at < was.length - 1) setLater({ ...later, rows: [...was.slice(at + 1), ...later.rows] });
  }, [firstRows]);

  const mine = later?.key === key ? later : null;
  const cursor = mine ? mine.cursor : (first.data?.nextCursor ?? null);
  const rows = first.data && joined(first.data.rows, mine?.rows ?? []);
  return {
    rows,
    problem: first.problem ?? moreProblem,
    isLoading: first.isLoading,
    hasMore: cursor !== null,
    isLoadingMore,
    more: () => {
      if (cursor === null || isLoadingMore) return;
      setLoadingMore(true);
      load(cursor)
        .then(
          (page) => {
            if (keyNow.current !== key) return;
            setLater({ key, rows: [...(mine?.rows ?? []), ...page.rows], cursor: page.nextCursor });
            setMoreProblem(undefined);
          },
          (thrown: unknown) => setMoreProblem(problemOf(thrown)),
        )
        .finally(() => setLoadingMore(false));
    },
    reload: first.reload,
  };
}

/** Rows of later pages that are not on the first by now. */
function joined<T extends { id: string }>(first: T[], later: T[]): T[] {
  const ids = new Set(first.map(({ id }) => id));
  return [...first, ...later.filter(({ id }) => !ids.has(id))];
}
