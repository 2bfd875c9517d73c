import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import { bounded, deliveryIdOf, type HostEvent } from '@docent/code-hosts/events/host-event';
import { readDelivery } from '@docent/code-hosts/events/read-delivery';
import type { CodeHostKind } from '@docent/code-hosts/remote-api';

interface Example {
  name: string;
  examples: { action?: string }[];
}
const load = createRequire(import.meta.url);
const examples = (version: string) =>
  load(`../../../node_modules/@octokit/webhooks-examples/${version}/index.json`) as Example[];
const of = (name: string) => examples('api.github.com').find((one) => one.name === name)?.examples ?? [];
const read = (kind: CodeHostKind, event: string, payload: unknown) =>
  readDelivery(kind, { event, body: Buffer.from(JSON.stringify(payload)), isForm: false });
const eventsOf = (kind: CodeHostKind, event: string, payload: unknown): HostEvent[] => {
  const reading = read(kind, event, payload);
  return 'events' in reading ? reading.events : [];
};

describe('a delivery of GitHub', () => {
  test.for(['api.github.com', 'ghes-31', 'ghes-35'])('of %s is accepted or ignored with a reason', (version) => {
    const used = new Map<string, number>();
    for (const { name, examples: payloads } of examples(version)) {
      for (const payload of payloads) {
        const reading = read('github', name, payload);
        if ('ignored' in reading) {
          expect(reading.ignored).toMatch(/^[A-Z].{10,}\.$/);
          // Nothing that Docent wants fails for its form.
          expect(reading.ignored, `${name} ${payload.action}`).not.toContain('documented form');
          continue;
        }
        for (const event of reading.events) {
          expect(deliveryIdOf(event)).toMatch(/^[a-z_]+:\d+/);
          expect(event.repository.path).toMatch(/^[\w.-]+\/[\w.-]+$/);
          used.set(event.kind, (used.get(event.kind) ?? 0) + 1);
        }
      }
    }
    const kinds = ['pull_request', 'issue', 'comment', 'review', 'review_comment', 'check', 'label', 'push'];
    if (version === 'api.github.com') expect([...used.keys()].toSorted()).toEqual(kinds.toSorted());
  });

  test('names what happened, by account ids', () => {
    const [comment] = of('issue_comment').flatMap((payload) => eventsOf('github', 'issue_comment', payload));
    expect(comment).toMatchObject({
      kind: 'comment',
      on: { type: 'issue', number: 1 },
      comment: { id: '492700400', author: { id: '21031067', login: 'Codertocat' } },
    });
    expect(comment && deliveryIdOf(comment)).toBe('comment:186853002:492700400');
    const pulls = of('pull_request').flatMap((payload) => eventsOf('github', 'pull_request', payload));
    const actions = new Set(pulls.map((event) => ('action' in event ? event.action : '')));
    expect(actions.size).toBeGreaterThanOrEqual(7);
  });

  test('that was edited, or is from a bot, is distinguished from the original by its ids alone', () => {
    const [created] = examples('api.github.com').find(({ name }) => name === 'issue_comment')?.examples ?? [];
    expect(read('github', 'issue_comment', { ...created, action: 'edited' })).toEqual({
      ignored: 'Docent does not use the action `edited` of the event `issue_comment`.',
    });
  });
});

const project = { id: 5, path_with_namespace: 'gitlab-org/gitlab-test', web_url: 'http://example.com' };
const user = { id: 1, name: 'Administrator', username: 'root', email: 'admin@example.com' };
const SHA = 'da1560886d4f094c3e6c9ef40349f7d38b5d27d7';
const request = {
  id: 99,
  iid: 1,
  title: 'MS-Viewport',
  author_id: 51,
  source_branch: 'ms-viewport',
  target_branch: 'main',
  source_project_id: 14,
  target_project_id: 14,
  state: 'opened',
  draft: false,
  created_at: '2023-11-22T06:45:02.000Z',
  updated_at: '2023-11-22 06:55:44 UTC',
  last_commit: { id: SHA },
  url: 'http://example.com/diaspora/merge_requests/1',
};
const merge = (action: string, more: object = {}, attributes: object = {}) => ({
  object_kind: 'merge_request',
  user,
  project,
  object_attributes: { ...request, action, ...attributes },
  labels: [],
  changes: {},
  ...more,
});
const note = (attributes: object = {}, more: object = {}) => ({
  object_kind: 'note',
  user,
  project,
  object_attributes: {
    id: 1244,
    note: 'This MR needs work.',
    noteable_type: 'MergeRequest',
    author_id: 1,
    created_at: '2015-05-17 18:21:36 UTC',
    system: false,
    action: 'create',
    type: null,
    url: 'http://example.com/gitlab-org/gitlab-test/merge_requests/1#note_1244',
    discussion_id: 'abc',
    ...attributes,
  },
  merge_request: { iid: 1 },
  ...more,
});

describe('a delivery of GitLab', () => {
  test.for<[string, unknown, string[]]>([
    ['opens', merge('open'), ['pull_request:5#1:opened']],
    ['merges', merge('merge', {}, { state: 'merged' }), ['pull_request:5#1:merged']],
    ['closes', merge('close', {}, { state: 'closed' }), ['pull_request:5#1:closed:1700636144']],
    ['pushes', merge('update', {}, { oldrev: '0'.repeat(40) }), [`pull_request:5#1:pushed:${SHA}`]],
    ['retargets', merge('update', { changes: { target_branch: {} } }), [`pull_request:5#1:retargeted:main:${SHA}`]],
    [
      'is ready, with a label',
      merge('update', {
        changes: { draft: { previous: true, current: false }, labels: { previous: [], current: [{ title: 'docs' }] } },
      }),
      ['pull_request:5#1:ready', 'label:5:pull_request#1:added:docs:1700636144'],
    ],
    ['is approved', merge('approved'), [`review:5#1:approval-1-${SHA}`]],
    ['has a comment', note(), ['comment:5:1244']],
    [
      'has a comment on a line',
      note({ type: 'DiffNote', position: { new_path: 'a.md', new_line: 3, head_sha: SHA } }),
      ['review_comment:5:1244'],
    ],
    ['is an issue', note({ noteable_type: 'Issue' }, { merge_request: null, issue: { iid: 17 } }), ['comment:5:1244']],
    ['has an edited comment', note({ action: 'update' }), []],
    ['has a note of GitLab', note({ system: true }), []],
    [
      'has a failed pipeline',
      { object_kind: 'pipeline', project, object_attributes: { id: 31, ref: 'main', sha: SHA, status: 'failed' } },
      [`check:5:${SHA}:31:failed`],
    ],
    [
      'is a push',
      { object_kind: 'push', project, ref: 'refs/heads/main', before: '0'.repeat(40), after: SHA },
      [`push:5:main:${SHA}`],
    ],
    ['is an emoji', { object_kind: 'emoji', project, object_attributes: { id: 1 } }, []],
  ])('whose merge request %s', ([, payload, ids]) => {
    expect(eventsOf('gitlab', 'Any Hook', payload).map(deliveryIdOf)).toEqual(ids);
  });
});

const giteaRepository = { id: 7, full_name: 'acme/docs', updated_at: '2026-01-01T00:00:09Z' };
const giteaPull = {
  number: 2,
  title: 'Fix it',
  state: 'open',
  user: { id: 4, login: 'ada' },
  html_url: 'https://git.example.com/acme/docs/pulls/2',
  labels: null,
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:05Z',
  closed_at: null,
  merged_at: null,
  head: { ref: 'fix', sha: SHA, repo: { id: 7 } },
  base: { ref: 'main', sha: SHA, repo: { id: 7 } },
};
const pulls = (action: string, more: object = {}, pull: object = {}) => ({
  action,
  number: 2,
  pull_request: { ...giteaPull, ...pull },
  repository: giteaRepository,
  sender: giteaPull.user,
  ...more,
});

describe('a delivery of Gitea', () => {
  test.for<[string, string, unknown, string[] | 'incomplete']>([
    ['opens', 'pull_request', pulls('opened'), ['pull_request:7#2:opened']],
    ['pushes', 'pull_request', pulls('synchronized'), [`pull_request:7#2:pushed:${SHA}`]],
    [
      'merges',
      'pull_request',
      pulls('closed', {}, { state: 'closed', merged_at: '2026-01-01T00:00:07Z' }),
      ['pull_request:7#2:merged'],
    ],
    [
      'is ready',
      'pull_request',
      pulls('edited', { changes: { title: { from: 'WIP: Fix it' } } }),
      ['pull_request:7#2:ready'],
    ],
    ['has a label', 'pull_request', pulls('label_updated'), 'incomplete'],
    ['is reviewed', 'pull_request_approved', pulls('reviewed', { review: { type: 'x', content: '' } }), 'incomplete'],
    [
      'has a comment',
      'issue_comment',
      {
        action: 'created',
        issue: { number: 2 },
        is_pull: true,
        comment: { id: 9, user: giteaPull.user, body: 'Hi', html_url: 'x', created_at: '2026-01-01T00:00:05+01:00' },
        repository: giteaRepository,
      },
      ['comment:7:9'],
    ],
    [
      'loses its branch',
      'delete',
      { ref: 'fix', ref_type: 'branch', repository: giteaRepository },
      ['push:7:fix:deleted:1767225609'],
    ],
    [
      'has a failed check',
      'status',
      { id: 3, sha: SHA, context: 'ci', state: 'failure', repository: giteaRepository },
      [`check:7:${SHA}:status-3:failed`],
    ],
  ])('whose pull request %s', ([, event, payload, expected]) => {
    const reading = read('gitea', event, payload);
    if (expected === 'incomplete') {
      expect(reading).toEqual({ events: [], incomplete: { repositoryId: '7', path: 'acme/docs' } });
    } else expect(eventsOf('gitea', event, payload).map(deliveryIdOf)).toEqual(expected);
  });
});

test.for<CodeHostKind>(['github', 'gitlab', 'gitea'])('a hostile delivery of %s is ignored with a reason', (kind) => {
  const names = ['pull_request', 'issue_comment', 'push', 'status', 'Note Hook', 'merge_request', 'constructor'];
  for (const event of names) {
    for (const body of [
      '',
      '[]',
      'null',
      '"x"',
      '{}',
      '{"object_kind":"note"}',
      '{"action":5}',
      '{"repository":{"id":{}}}',
    ]) {
      const reading = readDelivery(kind, { event, body: Buffer.from(body), isForm: false });
      expect(reading, `${event} ${body}`).toHaveProperty('ignored');
    }
  }
});

test('an event keeps bounded texts', () => {
  const [comment] = eventsOf('gitlab', 'Note Hook', note({ note: 'x'.repeat(1_000_000) }));
  expect(JSON.stringify(bounded(comment!)).length).toBeLessThan(70_000);
});
