import { z } from 'zod';
import type { CodeHostKind } from '../remote-api.ts';
import type { HostEvent, HostRepository, LabelEvent, PullRequestAction } from './host-event.ts';
import { giteaSource } from './poll-gitea.ts';
import { githubSource } from './poll-github.ts';
import { gitlabSource } from './poll-gitlab.ts';
import { newest, type Get, type PolledPull, type PollSource } from './poll-source.ts';

const Seen = z.object({
  state: z.enum(['open', 'merged', 'closed']),
  branch: z.string(),
  sha: z.string(),
  base: z.string(),
  draft: z.boolean(),
  labels: z.array(z.string()),
  updated: z.string(),
});
type Seen = z.output<typeof Seen>;

/** Up to where a repository was polled. */
const Cursor = z.object({
  /** Events before this were found: ISO 8601, by the host's clock. */
  since: z.string(),
  pulls: z.record(z.string(), Seen),
  branches: z.record(z.string(), z.string()),
});
type Cursor = z.output<typeof Cursor>;

/** Polls overlap by this much, because lists lag behind. An event that is found twice is one row. */
const OVERLAP_MS = 60_000;
/** Pull requests that a cursor remembers: the open ones, and those that changed last. */
const MAX_PULLS = 1_000;

const SOURCES = { github: githubSource, gitlab: gitlabSource, gitea: giteaSource };

export interface PollInput {
  kind: CodeHostKind;
  repository: HostRepository;
  /** Asks the host's API, below the repository. */
  get: Get;
  /** The result of the last poll. Anything else means a first poll, which only finds later events. */
  cursor: unknown;
  /** Numbers of pull requests whose checks are wanted. */
  own: readonly number[];
  now: Date;
}

/**
 * Finds what happened in a repository since the last poll, as webhooks would have reported it: opened,
 * changed and ended pull requests, their labels, reviews and comments, comments on issues, checks of some
 * pull requests, and pushes. If something changed several times, only the last state is found. Only reads: a
 * poll from the same cursor finds the same.
 * @throws errors of `get`
 */
export async function pollRepository(input: PollInput): Promise<{ events: HostEvent[]; cursor: Cursor }> {
  const { kind, repository, get, own, now } = input;
  const { data: before = null } = Cursor.safeParse(input.cursor);
  const since = before?.since ?? secondsAgo(now.getTime(), OVERLAP_MS);
  const source: PollSource = SOURCES[kind](repository, get);
  const events: HostEvent[] = [];
  const seen = new Map(Object.entries(before?.pulls ?? {}));

  const pulls = await source.pulls(before === null ? null : since);
  for (const pull of pulls) {
    const key = String(pull.pullRequest.number);
    events.push(...changesOf(repository, seen.get(key), { pull, since }));
    if (pull.updatedAt !== null && pull.updatedAt >= since) events.push(...(await source.ofPull(pull, since)));
    seen.set(key, seenOf(pull));
  }
  const comments = await source.comments(since);
  events.push(...comments.events);
  for (const number of own) {
    const known = seen.get(String(number));
    if (known?.state !== 'open') continue;
    const { branch, sha: commit } = known;
    events.push(...(await source.checks({ number, branch, commit }, since)));
  }
  const branches = await source.branches();
  if (before !== null) events.push(...pushesOf(repository, before.branches, branches));

  const latest = newest([since, ...pulls.map(({ updatedAt }) => updatedAt), comments.upTo]) ?? since;
  // If comments did not fit into one poll, the next one finds the rest.
  const reached = comments.isCut ? (comments.upTo ?? since) : latest;
  const next = newest([since, secondsAgo(Date.parse(reached), comments.isCut ? 0 : OVERLAP_MS)]) ?? since;
  return { events, cursor: { since: next, pulls: remembered(seen), branches } };
}

/** The events that a webhook would have sent for a pull request. */
function changesOf(
  repository: HostRepository,
  before: Seen | undefined,
  { pull, since }: { pull: PolledPull; since: string },
): HostEvent[] {
  const { pullRequest, body, createdAt, updatedAt, closedAt, mergedAt } = pull;
  const { state, head, base, isDraft, labels } = pullRequest;
  const times: Partial<Record<PullRequestAction, string | null>> = {
    opened: createdAt,
    merged: mergedAt,
    closed: closedAt,
  };
  const isNew = !before && createdAt !== null && createdAt >= since;
  const endedAt = state === 'merged' ? mergedAt : closedAt;
  const actions: PullRequestAction[] = [];
  if (isNew) actions.push('opened');
  if (before && before.sha !== head.sha) actions.push('pushed');
  if (before && before.base !== base.branch) actions.push('retargeted');
  if (before?.draft && !isDraft) actions.push('ready');
  if (before && before.state !== 'open' && state === 'open') actions.push('reopened');
  const hasEnded = before ? before.state !== state : endedAt !== null && endedAt >= since;
  if (state !== 'open' && hasEnded) actions.push(state);
  const on = { type: 'pull_request', number: pullRequest.number } as const;
  const changed = (action: LabelEvent['action'], some: string[], others: string[]) =>
    some
      .filter((label) => !others.includes(label))
      .map((label): LabelEvent => ({ kind: 'label', repository, at: updatedAt, on, action, label, actor: null }));
  const known = before?.labels ?? (isNew ? [] : labels);
  return [
    ...actions.map((action): HostEvent => {
      const at = action in times ? (times[action] ?? updatedAt) : updatedAt;
      return {
        kind: 'pull_request',
        repository,
        at,
        action,
        pullRequest,
        body: action === 'opened' ? body : null,
      };
    }),
    ...changed('added', labels, known),
    ...changed('removed', known, labels),
  ];
}

function seenOf({ pullRequest: { state, head, base, isDraft, labels }, updatedAt }: PolledPull): Seen {
  return {
    state,
    branch: head.branch,
    sha: head.sha,
    base: base.branch,
    draft: isDraft,
    labels,
    updated: updatedAt ?? '',
  };
}

function remembered(seen: Map<string, Seen>): Record<string, Seen> {
  const rank = ({ state }: Seen) => (state === 'open' ? 0 : 1);
  const kept = [...seen]
    .toSorted(([, a], [, b]) => rank(a) - rank(b) || (a.updated < b.updated ? 1 : -1))
    .slice(0, MAX_PULLS);
  return Object.fromEntries(kept);
}

function pushesOf(
  repository: HostRepository,
  before: Record<string, string>,
  after: Record<string, string>,
): HostEvent[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names
    .filter((branch) => before[branch] !== after[branch])
    .map((branch) => ({
      kind: 'push',
      repository,
      at: null,
      branch,
      before: before[branch] ?? null,
      after: after[branch] ?? null,
    }));
}

function secondsAgo(ms: number, ago: number): string {
  return `${new Date(ms - ago).toISOString().slice(0, 19)}Z`;
}
