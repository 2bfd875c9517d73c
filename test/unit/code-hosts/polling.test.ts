import { describe, expect, test } from 'vitest';
import type { HostEvent } from '@docent/code-hosts/events/host-event';
import { hostTextIn } from '../../../src/jobs/host-text.ts';
import type { CodeHostKind } from '@docent/code-hosts/remote-api';
import { FakeHistory, idsOf } from '../../support/fake-history.ts';

/**
 * @param when a poll follows a step; and whether its cursor is lost, so that the next poll begins where it
 * began
 * @returns the events of polls, and those of webhooks; if a delivery is incomplete, as the server asks for
 * the rest
 */
async function pollsOf(history: FakeHistory, steps: number, isPolled: (step: number) => boolean) {
  const found: HostEvent[] = [];
  const rest: HostEvent[] = [];
  let cursor: unknown = {};
  let ofWebhooks: unknown = (await history.poll({})).cursor;
  const poll = async (isLost = false) => {
    const polled = await history.poll(cursor);
    found.push(...polled.events);
    if (!isLost) cursor = JSON.parse(JSON.stringify(polled.cursor)) as unknown;
  };
  await poll();
  for (let step = 0; step < steps; step += 1) {
    history.step();
    if (history.isIncomplete) {
      history.isIncomplete = false;
      const polled = await history.poll(ofWebhooks);
      // What happened to pull requests was delivered. Found late, a new base branch comes with the newest
      // commit: one more look at the pull request follows.
      rest.push(...polled.events.filter(({ kind }) => kind !== 'pull_request'));
      ofWebhooks = polled.cursor;
    }
    if (!isPolled(step)) continue;
    if (step % 5 === 4) await poll(true);
    await poll();
  }
  await poll();
  return { found, delivered: [...history.delivered, ...rest] };
}

/** What the consumers act on: who wrote what where, and what ended how. */
function actsOn(event: HostEvent): unknown {
  const said = hostTextIn(event);
  if (said) {
    const { author, body, place, isChangeRequest } = said;
    return { author, body, isChangeRequest, on: place.on, thread: place.threadId, path: place.path, line: place.line };
  }
  if (event.kind === 'check') {
    const { id, commit, conclusion } = event.check;
    return { id, commit, conclusion };
  }
  if (event.kind !== 'pull_request') return null;
  const { number, head, base, state, isFork } = event.pullRequest;
  return { action: event.action, number, head, base, state, isFork };
}

const byId = (events: readonly HostEvent[]) =>
  new Map(events.toReversed().map((event) => [idsOf([event])[0], actsOn(event)]));

describe.for<CodeHostKind>(['github', 'gitlab', 'gitea'])('polling %s', (kind) => {
  test('and webhooks give the same rows, and what follows from them, for the same random history', async () => {
    for (let seed = 1; seed <= 8; seed += 1) {
      const { found, delivered } = await pollsOf(new FakeHistory(kind, seed), 40, () => true);
      expect(idsOf(found), `seed ${seed}`).toEqual(idsOf(delivered));
      expect(byId(found), `seed ${seed}`).toEqual(byId(delivered));
    }
  });

  test('after downtime finds all that is still to be seen, and nothing that did not happen', async () => {
    const kinds = ['comment', 'review_comment'];
    // An approval at GitLab has no commit of its own: one of an earlier commit is gone.
    if (kind !== 'gitlab') kinds.push('review');
    const lasting = (event: HostEvent) =>
      kinds.includes(event.kind) || (event.kind === 'pull_request' && ['opened', 'merged'].includes(event.action));
    for (let seed = 100; seed <= 108; seed += 1) {
      const { found, delivered } = await pollsOf(new FakeHistory(kind, seed), 60, (step) => step % 20 === 19);
      expect(idsOf(found.filter(lasting)), `seed ${seed}`).toEqual(idsOf(delivered.filter(lasting)));
      // The time of what is found late is that of the last change: a reopened one, a label; the commit of a
      // new base branch, the last one.
      const happened = new Set(idsOf(delivered));
      const exact = found
        .filter(({ kind: what }) => what !== 'label')
        .filter((event) => !('action' in event && ['reopened', 'retargeted'].includes(event.action)));
      expect(idsOf(exact).filter((id) => !happened.has(id))).toEqual([]);
    }
  });
});
