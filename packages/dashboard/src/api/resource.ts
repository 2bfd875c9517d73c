import { useEffect, useReducer, useRef } from 'preact/hooks';
import { connection } from './connection.ts';
import { problemOf, type Problem } from './problem.ts';

export interface Resource<T> {
  /** The last answer, even while it is being reloaded. */
  data: T | undefined;
  /** Why it could not be asked, until it can. */
  problem: Problem | undefined;
  isLoading: boolean;
  /** Asks again now. */
  reload(): void;
}

/**
 * Whether there is an answer, or a problem to show instead: then its height is known, and the content below
 * can be drawn.
 */
export function isKnown({ data, problem }: Pick<Resource<unknown>, 'data' | 'problem'>): boolean {
  return data !== undefined || problem !== undefined;
}

interface Kept {
  data: unknown;
}

const KEPT = 60;
/** Earlier data of pages: going back shows it immediately, and reloads it. */
const kept = new Map<string, Kept>();
/** The components that show each key: an answer for one updates all of them. */
const shownBy = new Map<string, Set<(data: unknown) => void>>();

/**
 * The API's answer, loaded when the key changes, when the connection recovers, and every `everyMs` while the
 * page is visible. Also shows answers that other parts of the page get for the same key.
 * @param key identifies the request; null requests nothing
 */
export function useResource<T>(
  key: string | null,
  load: (signal: AbortSignal) => Promise<T>,
  { everyMs }: { everyMs?: number | null } = {},
): Resource<T> {
  const [, render] = useReducer((n: number) => n + 1, 0);
  const state = useRef<{ key: string | null; data?: T; problem?: Problem; isLoading: boolean; ask?: () => void }>({
    key: null,
    isLoading: false,
  });
  const loadNow = useRef(load);
  loadNow.current = load;
  if (state.current.key !== key) {
    state.current = {
      key,
      data: key === null ? undefined : (kept.get(key)?.data as T | undefined),
      isLoading: key !== null,
    };
  }

  useEffect(() => {
    if (key === null) return;
    let controller: AbortController | undefined;
    const mine = state.current;
    const ask = () => {
      controller?.abort();
      const asking = new AbortController();
      controller = asking;
      mine.isLoading = true;
      loadNow.current(asking.signal).then(
        (data) => {
          if (asking.signal.aborted) return;
          keep(key, data);
          mine.isLoading = false;
          for (const show of shownBy.get(key) ?? []) show(data);
        },
        (thrown: unknown) => {
          if (asking.signal.aborted) return;
          Object.assign(mine, { problem: problemOf(thrown), isLoading: false });
          render(0);
        },
      );
    };
    const show = (data: unknown) => {
      Object.assign(mine, { data, problem: undefined });
      render(0);
    };
    shownBy.set(key, (shownBy.get(key) ?? new Set()).add(show));
    mine.ask = ask;
    ask();
    let seen = connection.healed.peek();
    const stopHealing = connection.healed.subscribe((times) => {
      if (times === seen) return;
      seen = times;
      ask();
    });
    return () => {
      controller?.abort();
      shownBy.get(key)?.delete(show);
      if (shownBy.get(key)?.size === 0) shownBy.delete(key);
      stopHealing();
    };
  }, [key]);

  useEffect(() => {
    if (key === null || !everyMs) return;
    const mine = state.current;
    const onReturn = () => {
      if (document.visibilityState === 'visible') mine.ask?.();
    };
    document.addEventListener('visibilitychange', onReturn);
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible' && !mine.isLoading && !connection.isLost.peek()) mine.ask?.();
    }, everyMs);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', onReturn);
    };
  }, [key, everyMs]);

  const { data, problem, isLoading } = state.current;
  return { data, problem, isLoading, reload: () => state.current.ask?.() };
}

function keep(key: string, data: unknown): void {
  kept.delete(key);
  kept.set(key, { data });
  for (const oldest of kept.keys()) {
    if (kept.size <= KEPT) break;
    kept.delete(oldest);
  }
}

/** Forgets the data of the previous session. */
export function forgetResources(): void {
  kept.clear();
}
