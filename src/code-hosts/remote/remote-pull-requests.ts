import type { Db } from '../../store/database.ts';
import {
  findPullRequestByHead,
  mirrorPullRequest,
  savePullRequest as savePullRequestRow,
} from '../../store/pull-requests/pull-requests.ts';
import { checksOf } from '@docent/code-hosts/checks';
import { HostProblem } from '@docent/code-hosts/host-problem';
import type {
  OpenRepository,
  PullRequest,
  PullRequestInput,
  PullRequestSight,
  PullRequestTarget,
  SavedPullRequest,
} from '../host.ts';
import type { RemotePullRequest, RemoteRepository } from '@docent/code-hosts/remote-api';
import { AppError } from '../../platform/errors.ts';
import { beginningOf } from '@docent/base/ellipsis';

type PullRequests = Pick<OpenRepository, 'findPullRequest' | 'pollPullRequest' | 'savePullRequest' | 'merge' | 'close'>;

/**
 * How a pull request lives: the same on all hosts of the network.
 * @param there the repository, opened just now
 * @param url what its rows have as its URL
 */
export function pullRequestsOf(db: Db, there: RemoteRepository, url: string): PullRequests {
  /** The one that counts: open before merged before closed, the newest of each. */
  async function find(target: PullRequestTarget): Promise<RemotePullRequest | null> {
    const row = await findPullRequestByHead(db, target.projectId, target.headBranch);
    // A row of a repository that was replaced: its number is another's here.
    const known = row && (row.repositoryId ?? there.id) === there.id ? row.number : null;
    const found = await there.findByHead({ head: target.headBranch, base: target.baseBranch, known });
    const order = { open: 0, merged: 1, closed: 2 };
    const [first = null] = found.toSorted((a, b) => order[a.state] - order[b.state] || b.number - a.number);
    if (first) await mirrorPullRequest(db, target, first);
    return first;
  }

  async function findOrRefuse(target: PullRequestTarget): Promise<RemotePullRequest> {
    const found = await find(target);
    if (!found) throw new AppError('pull_request_not_open', 'The pull request no longer exists.');
    return found;
  }

  async function open(input: PullRequestInput): Promise<RemotePullRequest> {
    const created = await there.create({
      head: input.headBranch,
      base: input.baseBranch,
      title: input.title,
      body: asBlock(input.body),
      draft: input.draft,
    });
    if (created) return created;
    // Someone was quicker, or an earlier attempt's answer was lost.
    const open = await find(input);
    if (open) return open;
    // Lists lag behind.
    throw new HostProblem(
      'host_refused',
      `The code host reports that ${input.headBranch} already has a pull request, but does not show it. Send a message to try again.`,
      { mayPass: true },
    );
  }

  /** People's text stays: the title, and everything around our block. */
  async function refresh(input: PullRequestInput, shown: RemotePullRequest): Promise<RemotePullRequest> {
    const body = withBlock(shown.body, input.body);
    if (body === shown.body.replaceAll('\r\n', '\n')) return shown;
    return there.updateBody(shown.number, body);
  }

  /** Once, when the pull request is new to us: later removals are intentional. */
  async function decorate(input: PullRequestInput, number: number): Promise<string[]> {
    const { labels, reviewers } = input;
    const notes: string[] = [];
    try {
      const missing = labels.length > 0 ? await there.addLabels(number, labels) : [];
      notes.push(
        ...missing.map((label) => `The label "${label}" could not be set because the repository does not have it.`),
      );
      const refused = reviewers.length > 0 ? await there.addReviewers(number, reviewers) : [];
      notes.push(...refused.map((name) => `A review from ${name} could not be requested.`));
    } catch (err) {
      // The pull request exists: a missing permission for additions is not a reason to fail.
      if (!(err instanceof HostProblem) || err.mayPass) throw err;
      notes.push(err.message);
    }
    return notes;
  }

  return {
    async findPullRequest(target): Promise<PullRequest | null> {
      const found = await find(target);
      return found && present(found, target.headBranch);
    },

    async pollPullRequest(target): Promise<PullRequestSight | null> {
      const found = await find(target);
      if (!found) return null;
      const { state, headCommit } = found;
      if (state !== 'open' || headCommit === null) {
        return { state, headCommit, checks: null, commitChecks: null, mergeable: null, review: null };
      }
      const { checks, mergeable, review } = await there.status(found.number, headCommit);
      return { state, headCommit, checks: checks && checksOf(checks), commitChecks: checks, mergeable, review };
    },

    async savePullRequest(input): Promise<SavedPullRequest> {
      const row = await findPullRequestByHead(db, input.projectId, input.headBranch);
      const shown = (await find(input)) ?? (await open(input));
      const current = shown.state === 'open' ? await refresh(input, shown) : shown;
      const isNew = current.state === 'open' && (row === null || (row.repositoryId ?? there.id) !== there.id);
      const notes = isNew ? await decorate(input, current.number) : [];
      if (isNew && input.draft && !current.isDraft)
        notes.push('It is not a draft: the repository does not support drafts.');
      const { draft: _draft, labels: _labels, reviewers: _reviewers, ...rest } = input;
      const { title, number, link } = current;
      await savePullRequestRow(db, { ...rest, repository: url, repositoryId: there.id, title, number, link });
      await mirrorPullRequest(db, input, current);
      return { ...present(current, input.headBranch), notes };
    },

    async merge(target, method) {
      const found = await findOrRefuse(target);
      if (found.state === 'closed') throw notOpen('The pull request is closed.');
      const { headCommit } = found;
      const merged = found.state === 'merged' ? (found.mergeCommit ?? headCommit) : null;
      if (merged !== null) return { state: 'merged', mergeCommit: merged };
      if (headCommit === null) throw withoutCommit(target.headBranch);
      const done = await there.merge(found.number, { headCommit, method });
      if ('refused' in done) throw new AppError(done.refused, done.reason);
      const mergeCommit = done.commit;
      await mirrorPullRequest(db, target, { ...found, state: 'merged', mergeCommit });
      return { state: 'merged', mergeCommit };
    },

    async close(target) {
      const found = await findOrRefuse(target);
      if (found.state === 'merged') throw notOpen('The pull request is already merged.');
      if (found.state === 'open') await there.close(found.number);
      await mirrorPullRequest(db, target, { ...found, state: 'closed' });
      return { state: 'closed' };
    },
  };
}

function present(found: RemotePullRequest, headBranch: string): PullRequest {
  return { link: found.link, state: found.state, headBranch };
}

function withoutCommit(headBranch: string): HostProblem {
  return new HostProblem(
    'host_unavailable',
    `The code host shows no commit on the branch "${headBranch}". It may still be processing the push, ` +
      'or the branch was deleted. Try again later.',
  );
}

function notOpen(why: string): AppError {
  return new AppError('pull_request_not_open', `${why} Only an open pull request can be merged or closed.`);
}

/** Our part of a description, between two HTML comments. People's text around it stays. */
const BEGIN = '<!-- docent:begin -->';
const END = '<!-- docent:end -->';

/** Characters of a description: GitHub refuses longer ones, the other hosts take more. */
const MAX_DESCRIPTION = 65_536;
const CUT = '\n\n… The rest is shown with the job.';

/** @param room characters that it may have; empty if it has no room at all */
export function asBlock(text: string, room = MAX_DESCRIPTION): string {
  const inner = withoutMarkers(text);
  const whole = between(inner);
  if (whole.length <= room) return whole;
  const left = room - between(CUT).length;
  return left < 0 ? '' : between(beginningOf(inner, left) + CUT);
}

function between(part: string): string {
  return `${BEGIN}\n${part}\n${END}`;
}

/** Replaces or appends our block, shortened if the host's limit requires it: people's text stays. */
export function withBlock(body: string, text: string): string {
  const unified = body.replaceAll('\r\n', '\n');
  const begin = unified.indexOf(BEGIN);
  const end = unified.indexOf(END, Math.max(begin, 0));
  if (begin === -1 || end < begin) {
    const rest = unified.replaceAll(BEGIN, '').replaceAll(END, '').trimEnd();
    return rest === '' ? asBlock(text) : `${rest}\n\n${asBlock(text, MAX_DESCRIPTION - rest.length - 2)}`.trimEnd();
  }
  const [before, after] = [unified.slice(0, begin), unified.slice(end + END.length)];
  return before + asBlock(text, MAX_DESCRIPTION - before.length - after.length) + after;
}

/** Prompts and repositories may imitate a marker: its comment no longer opens. */
function withoutMarkers(text: string): string {
  return text.replace(/<!--(?=\s*docent:)/gi, '&lt;!--');
}
