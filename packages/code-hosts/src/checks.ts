/** One check of a pull request's newest commit: a run of CI, or a status that something else has set. */
export interface PullRequestCheck {
  name: string;
  state: 'pending' | 'passed' | 'failed' | 'skipped';
  /** Its page; null if it has none. */
  url: string | null;
}

/** `none`: the host reports no checks. */
export interface PullRequestChecks {
  state: 'pending' | 'passed' | 'failed' | 'none';
  total: number;
  failed: number;
  /** The page of the first failed check, or of the first one. */
  url: string | null;
  /** At most {@link MAX_CHECKS}, those that failed first. */
  items: PullRequestCheck[];
}

export type PullRequestReview = 'approved' | 'changes_requested' | 'pending';

const MAX_CHECKS = 50;
const MAX_NAME = 200;
const ORDER = { failed: 0, pending: 1, passed: 2, skipped: 3 };

/** Puts checks together: one that failed makes all failed, one that runs makes all pending. */
export function checksOf(found: readonly PullRequestCheck[]): PullRequestChecks {
  const items = found
    .toSorted((a, b) => ORDER[a.state] - ORDER[b.state])
    .map(({ name, state, url }) => ({ name: name.slice(0, MAX_NAME), state, url }));
  const failed = items.filter(({ state }) => state === 'failed').length;
  const isPending = items.some(({ state }) => state === 'pending');
  const state = items.length === 0 ? 'none' : failed > 0 ? 'failed' : isPending ? 'pending' : 'passed';
  return { state, total: items.length, failed, url: items[0]?.url ?? null, items: items.slice(0, MAX_CHECKS) };
}
