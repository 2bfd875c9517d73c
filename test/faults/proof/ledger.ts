import type { LedgerAnswer, LedgerAutomation, LedgerFile, LedgerJob } from './checker/ledger-file.ts';

/** The answers to a cluster's customers, as recorded for the checker. */
export class Ledger {
  readonly projectId: string;
  readonly jobs: LedgerJob[] = [];
  readonly automations: LedgerAutomation[] = [];
  endedAt = new Date();
  readonly complaints: string[] = [];
  readonly #views = new Map<string, number>();
  readonly #visitorsOf = new Map<string, Set<string>>();
  readonly #visitors = new Set<string>();
  readonly #answers = new Map<string, LedgerAnswer>();
  /** Requests that got no answer at all. */
  unanswered = 0;

  constructor(projectId: string) {
    this.projectId = projectId;
  }

  get answers(): number {
    return [...this.#answers.values()].reduce((sum, { times }) => sum + times, 0);
  }

  get views(): number {
    return [...this.#views.values()].reduce((sum, n) => sum + n, 0);
  }

  answered(answer: Omit<LedgerAnswer, 'times'>): void {
    const name = JSON.stringify(answer);
    const kept = this.#answers.get(name);
    if (kept) kept.times += 1;
    else this.#answers.set(name, { ...answer, times: 1 });
  }

  /** Page views that were acknowledged. */
  viewed(events: readonly { path: string; visitorId: string }[]): void {
    for (const { path, visitorId } of events) {
      this.#views.set(path, (this.#views.get(path) ?? 0) + 1);
      const visitors = this.#visitorsOf.get(path) ?? new Set();
      this.#visitorsOf.set(path, visitors.add(visitorId));
      this.#visitors.add(visitorId);
    }
  }

  /** Answers by kind, for the report. */
  byOperation(): [string, number][] {
    return [...this.#answers.values()]
      .map(({ method, route, status, code, times }): [string, number] => [
        `${method.toUpperCase()} ${route} ${status}${code === null ? '' : ` ${code}`}`,
        times,
      ])
      .toSorted(([a], [b]) => a.localeCompare(b));
  }

  toJSON(): LedgerFile {
    return {
      projectId: this.projectId,
      jobs: this.jobs,
      automations: this.automations,
      endedAt: this.endedAt.toISOString(),
      views: Object.fromEntries(this.#views),
      visitorsOf: Object.fromEntries([...this.#visitorsOf].map(([path, visitors]) => [path, visitors.size])),
      visitors: this.#visitors.size,
      answers: [...this.#answers.values()],
      complaints: this.complaints,
    };
  }
}
