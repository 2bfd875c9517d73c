import { describe, expect, test } from 'vitest';
import { deliveryIdOf, type HostEvent } from '../../../src/code-hosts/events/host-event.ts';
import { pollRepository } from '../../../src/code-hosts/events/poll-repository.ts';
import { readDelivery } from '../../../src/code-hosts/events/read-delivery.ts';

const REPOSITORY = { id: 7, full_name: 'acme/docs' };
const START = Date.parse('2026-01-01T00:00:00Z');
const PEOPLE = [
  { id: 1, login: 'ada' },
  { id: 2, login: 'bob' },
];

type Json = Record<string, unknown>;
interface FakePull extends Json {
  number: number;
  state: string;
  draft: boolean;
  updated_at: string;
  head: { ref: string; sha: string; repo: { id: number } };
  labels: { name: string }[];
}

/** Small, and the same for the same seed. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761 + 1;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e3779b9) >>> 0;
    return state % below;
  };
}

/** GitHub's lists and deliveries of one repository, in which things happen at random. */
class FakeHistory {
  readonly delivered: HostEvent[] = [];
  readonly #random: (below: number) => number;
  #now = START;
  #ids = 100;
  readonly #pulls: FakePull[] = [];
  readonly #comments: Json[] = [];
  readonly #onLines: Json[] = [];
  readonly #reviews = new Map<number, Json[]>();
  readonly #runs: Json[] = [];
  readonly #branches = new Map([['main', this.#sha()]]);

  constructor(seed: number) {
    this.#random = randomFrom(seed);
  }

  get now(): Date {
    return new Date(this.#now);
  }

  #sha(): string {
    this.#ids += 1;
    return this.#ids.toString(16).padStart(40, 'a');
  }

  #time(): string {
    return new Date(this.#now).toISOString().replace('.000', '');
  }

  #deliver(event: string, payload: Json): void {
    const body = Buffer.from(JSON.stringify({ repository: REPOSITORY, sender: PEOPLE[0], ...payload }));
    const reading = readDelivery('github', { event, body, isForm: false });
    if (!('events' in reading)) throw new Error(reading.ignored);
    this.delivered.push(...reading.events);
  }

  get = async (path: string, query: Readonly<Record<string, string | number>> = {}): Promise<unknown> => {
    if (query.page !== undefined && query.page !== 1) return [];
    const since = String(query.since ?? '');
    const [, number = '', commit = ''] = /^\/(?:pulls\/(\d+)\/reviews|commits\/(\w+)\/check-runs)$/.exec(path) ?? [];
    if (path === '/pulls') {
      const shown = this.#pulls.filter(({ state }) => query.state === 'all' || state === 'open');
      return structuredClone(shown.toSorted((a, b) => (a.updated_at < b.updated_at ? 1 : -1)));
    }
    if (path === '/issues/comments') return this.#comments.filter((one) => String(one.updated_at) >= since);
    if (path === '/pulls/comments') return this.#onLines.filter((one) => String(one.updated_at) >= since);
    if (path === '/branches') return [...this.#branches].map(([name, sha]) => ({ name, commit: { sha } }));
    if (number !== '') return this.#reviews.get(Number(number)) ?? [];
    if (commit !== '') return { check_runs: this.#runs.filter((run) => run.head_sha === commit) };
    return [];
  };

  get own(): number[] {
    return this.#pulls.filter(({ state }) => state === 'open').map(({ number }) => number);
  }

  /** One thing happens. */
  step(): void {
    this.#now += (1 + this.#random(40)) * 1_000;
    const at = this.#time();
    const user = PEOPLE[this.#random(2)];
    const pull = this.#pulls[this.#random(Math.max(1, this.#pulls.length))];
    const action = this.#random(11);
    if (!pull || action === 0) return this.#open(at, user);
    const on = { html_url: `https://gh.example/acme/docs/pull/${pull.number}#x`, user, body: '@docent fix it' };
    const url = `https://api.gh.example/repos/acme/docs/issues/${pull.number}`;
    const times = { created_at: at, updated_at: at };
    this.#ids += 1;
    const id = this.#ids;
    if (action <= 2) {
      const comment = { id, ...on, ...times, issue_url: url };
      this.#comments.push(comment);
      const issue = { number: pull.number, pull_request: {} };
      return this.#deliver('issue_comment', { action: 'created', issue, comment });
    }
    if (action === 3) {
      const comment = { id, ...on, ...times, path: 'a.md', line: 3, pull_request_url: url };
      this.#onLines.push(comment);
      return this.#deliver('pull_request_review_comment', { action: 'created', pull_request: pull, comment });
    }
    if (action === 4) {
      pull.updated_at = at;
      const review = { id, user, body: '', state: 'changes_requested', commit_id: pull.head.sha, submitted_at: at };
      this.#reviews.set(pull.number, [...(this.#reviews.get(pull.number) ?? []), review]);
      return this.#deliver('pull_request_review', { action: 'submitted', pull_request: pull, review });
    }
    if (action === 5 && pull.state === 'open') {
      const run = { id, name: 'ci', head_sha: pull.head.sha, status: 'completed', conclusion: 'failure' };
      this.#runs.push({ ...run, completed_at: at });
      const check_suite = { head_branch: pull.head.ref };
      return this.#deliver('check_run', { action: 'completed', check_run: { ...run, completed_at: at, check_suite } });
    }
    this.#change(pull, action, at);
  }

  #open(at: string, user: Json | undefined): void {
    const number = this.#pulls.length + 1;
    const repo = { id: 7 };
    const head = { ref: `fix-${number}`, sha: this.#sha(), repo };
    const pull = {
      number,
      title: 'Fix it',
      draft: this.#random(2) === 0,
      state: 'open',
      user,
      html_url: `https://gh.example/acme/docs/pull/${number}`,
      labels: [],
      created_at: at,
      updated_at: at,
      closed_at: null,
      merged_at: null,
      head,
      base: { ref: 'main', repo },
    };
    this.#pulls.push(pull);
    this.#branches.set(head.ref, head.sha);
    this.#deliver('push', { ref: `refs/heads/${head.ref}`, before: '0'.repeat(40), after: head.sha });
    this.#deliver('pull_request', { action: 'opened', pull_request: pull });
  }

  #change(pull: FakePull, action: number, at: string): void {
    const send = (name: string, more: Json = {}) =>
      this.#deliver('pull_request', { action: name, pull_request: structuredClone(pull), ...more });
    pull.updated_at = at;
    if (pull.state !== 'open') {
      if (pull.merged_at !== null || action !== 6) return;
      Object.assign(pull, { state: 'open', closed_at: null });
      return send('reopened');
    }
    if (action === 6) {
      Object.assign(pull, { state: 'closed', closed_at: at, merged_at: this.#random(2) === 0 ? at : null });
      return send('closed');
    }
    if (action === 7) {
      const before = pull.head.sha;
      pull.head.sha = this.#sha();
      this.#branches.set(pull.head.ref, pull.head.sha);
      this.#deliver('push', { ref: `refs/heads/${pull.head.ref}`, before, after: pull.head.sha });
      return send('synchronize');
    }
    if (action === 8 && pull.draft) {
      pull.draft = false;
      return send('ready_for_review');
    }
    const label = { name: 'docs' };
    const has = pull.labels.length > 0;
    pull.labels = has ? [] : [label];
    send(has ? 'unlabeled' : 'labeled', { label });
  }
}

const repository = { id: '7', path: 'acme/docs' };
const idsOf = (events: readonly HostEvent[]) => [...new Set(events.map(deliveryIdOf))].toSorted();

async function pollsOf(seed: number, steps: number, isPolled: (step: number) => boolean) {
  const history = new FakeHistory(seed);
  const found: HostEvent[] = [];
  let cursor: unknown = {};
  const poll = async (isLost = false) => {
    const { get, own, now } = history;
    const polled = await pollRepository({ kind: 'github', repository, get, cursor, own, now });
    found.push(...polled.events);
    // A cursor that was not written: the next poll begins where this one began.
    if (!isLost) cursor = JSON.parse(JSON.stringify(polled.cursor)) as unknown;
  };
  await poll();
  for (let step = 0; step < steps; step += 1) {
    history.step();
    if (!isPolled(step)) continue;
    if (step % 5 === 4) await poll(true);
    await poll();
  }
  await poll();
  return { found, delivered: history.delivered };
}

describe('polling', () => {
  test('and webhooks give the same rows for the same random history', async () => {
    for (let seed = 1; seed <= 12; seed += 1) {
      const { found, delivered } = await pollsOf(seed, 40, () => true);
      expect(idsOf(found), `seed ${seed}`).toEqual(idsOf(delivered));
      const bodyOf = new Map(delivered.map((event) => [deliveryIdOf(event), event]));
      for (const event of found.filter(({ kind }) => kind === 'comment' || kind === 'review' || kind === 'check')) {
        expect(event).toEqual(bodyOf.get(deliveryIdOf(event)));
      }
    }
  });

  test('after downtime finds all that is still to be seen, and nothing that did not happen', async () => {
    const kinds: readonly string[] = ['comment', 'review', 'review_comment'];
    const lasting = (event: HostEvent) =>
      kinds.includes(event.kind) || (event.kind === 'pull_request' && ['opened', 'merged'].includes(event.action));
    for (let seed = 100; seed <= 112; seed += 1) {
      const { found, delivered } = await pollsOf(seed, 60, (step) => step % 20 === 19);
      expect(idsOf(found.filter(lasting)), `seed ${seed}`).toEqual(idsOf(delivered.filter(lasting)));
      // The time of what is found late is that of the last change: a reopened one, a label.
      const happened = new Set(idsOf(delivered));
      const exact = found
        .filter(({ kind }) => kind !== 'label')
        .filter((e) => !('action' in e && e.action === 'reopened'));
      expect(idsOf(exact).filter((id) => !happened.has(id))).toEqual([]);
    }
  });
});
