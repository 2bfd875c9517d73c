import { deliveryIdOf, type HostEvent } from '@docent/code-hosts/events/host-event';
import { pollRepository } from '@docent/code-hosts/events/poll-repository';
import { readDelivery } from '@docent/code-hosts/events/read-delivery';
import type { CodeHostKind } from '@docent/code-hosts/remote-api';
import {
  DIALECTS,
  type Dialect,
  type Happening,
  type Person,
  type Pull,
  type State,
  type Written,
} from './fake-history-dialects.ts';

const START = Date.parse('2026-01-01T00:00:00Z');
const PEOPLE: Person[] = [
  { id: 1, login: 'ada' },
  { id: 2, login: 'bob' },
];
const iso = (ms: number) => new Date(ms).toISOString().replace('.000', '');

/** Small, and the same for the same seed. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761 + 1;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e3779b9) >>> 0;
    return state % below;
  };
}

/** One repository of a host in which things happen at random. */
export class FakeHistory {
  readonly kind: CodeHostKind;
  readonly delivered: HostEvent[] = [];
  /** A delivery did not have all of what happened. */
  isIncomplete = false;
  readonly #dialect: Dialect;
  readonly #random: (below: number) => number;
  #now = START;
  #ids = 100;
  readonly #state: State;

  constructor(kind: CodeHostKind, seed: number) {
    this.kind = kind;
    this.#dialect = DIALECTS[kind];
    this.#random = randomFrom(seed);
    const branches = new Map([['main', this.#sha()]]);
    this.#state = {
      pulls: [],
      written: [],
      reviewed: [],
      checked: [],
      issues: [],
      branches,
      issueUpdated: iso(START - 99_000_000),
    };
  }

  #id(): number {
    this.#ids += 1;
    return this.#ids;
  }

  #sha(): string {
    return this.#id().toString(16).padStart(40, 'a');
  }

  get = async (path: string, query: Readonly<Record<string, string | number>> = {}): Promise<unknown> => {
    const texts = Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]));
    const answer = this.#dialect.answer(this.#state, path, texts);
    if (answer === undefined) throw new Error(`${this.kind} has no ${path}`);
    return Array.isArray(answer) && texts.page !== '1' ? [] : structuredClone(answer);
  };

  /** A poll from this cursor. */
  async poll(cursor: unknown) {
    const { id, path } = this.#dialect.repository;
    const own = this.#state.pulls.filter(({ state }) => state === 'open').map(({ number }) => number);
    const repository = { id: String(id), path };
    return pollRepository({ kind: this.kind, repository, get: this.get, cursor, own, now: new Date(this.#now) });
  }

  /** Creates one event. */
  step(): void {
    this.#now += (1 + this.#random(40)) * 1_000;
    for (const happening of this.#happen()) {
      for (const { event, payload } of this.#dialect.deliveries(structuredClone(happening))) {
        const reading = readDelivery(this.kind, { event, body: Buffer.from(JSON.stringify(payload)), isForm: false });
        if (!('events' in reading)) throw new Error(`${event}: ${reading.ignored}`);
        this.delivered.push(...reading.events);
        this.isIncomplete ||= reading.incomplete !== undefined;
      }
    }
  }

  #happen(): Happening[] {
    const state = this.#state;
    const at = iso(this.#now);
    const author = PEOPLE[this.#random(2)]!;
    const pull = state.pulls[this.#random(Math.max(1, state.pulls.length))];
    const action = this.#random(15);
    if (action === 14) {
      const issue = { number: this.#id(), author, at };
      state.issues.push(issue);
      return [{ type: 'issue', issue }];
    }
    if (!pull || action === 0) return this.#open(at, author);
    pull.updated = action === 1 ? pull.updated : at;
    if (action <= 4) {
      const on = action === 1 ? 'issue' : pull;
      const line = action === 4 ? 3 : null;
      const id = this.#id();
      const threads = state.written.filter((one) => line !== null && one.on === on && one.id === one.thread);
      const [first] = this.#random(2) === 0 ? threads.filter((one) => one.line !== null) : [];
      const drafted = line === null || first ? at : iso(this.#now - this.#random(2) * 900_000);
      const written: Written = { id, author, at, drafted, on, line, thread: first?.id ?? id };
      if (action === 1) state.issueUpdated = at;
      state.written.push(written);
      return [{ type: 'written', written }];
    }
    if (action === 5) {
      const { reviews } = this.#dialect;
      const verdict = reviews[this.#random(reviews.length)]!;
      const reviewed = { id: this.#id(), author, at, pull, sha: pull.sha, state: verdict };
      state.reviewed.push(reviewed);
      return [{ type: 'reviewed', reviewed }];
    }
    if (action === 6 && pull.state === 'open') {
      const checked = { id: this.#id(), pull, sha: pull.sha, passed: this.#random(2) === 0, at };
      state.checked.push(checked);
      return [{ type: 'checked', checked }];
    }
    return this.#change(pull, action, { at, author });
  }

  #open(at: string, author: Person): Happening[] {
    const number = this.#state.pulls.length + 1;
    const pull: Pull = {
      number,
      draft: this.#random(2) === 0,
      state: 'open',
      author,
      branch: `fix-${number}`,
      base: 'main',
      sha: this.#sha(),
      labels: [],
      created: at,
      updated: at,
      ended: null,
    };
    this.#state.pulls.push(pull);
    this.#state.branches.set(pull.branch, pull.sha);
    return [
      { type: 'push', branch: pull.branch, before: null, after: pull.sha, of: null },
      { type: 'opened', pull },
    ];
  }

  #change(pull: Pull, action: number, { at, author }: { at: string; author: Person }): Happening[] {
    if (pull.state === 'merged') {
      const before = this.#state.branches.get(pull.branch);
      if (before === undefined) return [];
      this.#state.branches.delete(pull.branch);
      return [{ type: 'push', branch: pull.branch, before, after: null, of: null }];
    }
    if (pull.state === 'closed') {
      if (action !== 7) return [];
      Object.assign(pull, { state: 'open', ended: null });
      return [{ type: 'reopened', pull }];
    }
    if (action === 7) {
      Object.assign(pull, { state: this.#random(2) === 0 ? 'merged' : 'closed', ended: at });
      return [{ type: 'closed', pull }];
    }
    if (action === 8) {
      const before = pull.sha;
      pull.sha = this.#sha();
      this.#state.branches.set(pull.branch, pull.sha);
      return [{ type: 'push', branch: pull.branch, before, after: pull.sha, of: pull }];
    }
    if (action === 9 && pull.draft) {
      pull.draft = false;
      return [{ type: 'ready', pull }];
    }
    if (action === 10) {
      pull.base = pull.base === 'main' ? 'next' : 'main';
      return [{ type: 'retargeted', pull }];
    }
    const isAdded = pull.labels.length === 0;
    pull.labels = isAdded ? ['docs'] : [];
    return [{ type: 'label', pull, isAdded, by: author }];
  }
}

/**
 * Of a deleted branch, Gitea's webhooks do not report the commit: its name is enough, as each is deleted
 * once.
 */
const nameOf = (event: HostEvent) => deliveryIdOf(event).replace(/:deleted:.*/, ':deleted');

export const idsOf = (events: readonly HostEvent[]) => [...new Set(events.map(nameOf))].toSorted();
