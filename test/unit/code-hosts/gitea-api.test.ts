import { expect, test } from 'vitest';
import { createGiteaApi } from '@docent/code-hosts/apis/gitea-api';

const REPOSITORY = { id: 1, full_name: 'acme/docs', html_url: 'https://git.example/acme/docs', default_branch: 'main' };
const PULL = {
  number: 7, html_url: 'https://git.example/acme/docs/pulls/7', state: 'closed', merged: true, title: 'T', body: '',
  head: { label: 'b', ref: 'b', sha: 'a'.repeat(40), repo_id: 1 }, base: { label: 'main', ref: 'main', sha: 'b'.repeat(40), repo_id: 1 },
  merge_commit_sha: 'c'.repeat(40),
}; // oxfmt-ignore

/** A repository whose host answers as configured, and what it was sent. */
async function repositoryWith(answer: (path: string, query: URLSearchParams) => unknown, more: object = {}) {
  const sent: Record<string, unknown>[] = [];
  const api = createGiteaApi({
    apiUrl: 'https://git.example/api/v1',
    token: 't',
    fetch: async (input, init) => {
      const url = new URL(input instanceof Request ? input.url : input);
      if (typeof init?.body === 'string') sent.push(JSON.parse(init.body) as Record<string, unknown>);
      const path = url.pathname.replace('/api/v1', '');
      const body = path === '/repos/acme/docs' ? { ...REPOSITORY, ...more } : answer(path, url.searchParams);
      return Response.json(body ?? { message: 'not found' }, { status: body === undefined ? 404 : 200 });
    },
  });
  return { repository: await api.open({ path: 'acme/docs' }), sent };
}

test('labels are found behind pages that are shorter than asked for, and among those of the organization', async () => {
  const { repository, sent } = await repositoryWith((path, query) => {
    const page = Number(query.get('page'));
    if (path === '/repos/acme/docs/labels') return page <= 3 ? [{ id: page, name: `own-${page}` }] : [];
    if (path === '/orgs/acme/labels') return page === 1 ? [{ id: 9, name: 'shared' }] : [];
    return path.endsWith('/issues/7/labels') ? [] : undefined;
  });
  expect(await repository.addLabels(7, ['own-3', 'shared', 'none'])).toEqual(['none']);
  expect(sent).toEqual([{ labels: [3, 9] }]);
});

test('accepts a person as owner, without labels beside those of the repository', async () => {
  const { repository } = await repositoryWith((path, query) =>
    path === '/repos/acme/docs/labels' ? (query.get('page') === '1' ? [{ id: 1, name: 'a' }] : []) : path.endsWith('/labels') && path.includes('/issues/') ? [] : undefined,
  ); // oxfmt-ignore
  expect(await repository.addLabels(7, ['a', 'b'])).toEqual(['b']);
});

test.each([
  [{}, 'merge'],
  [{ allow_merge_commits: false, allow_squash_merge: true, allow_rebase: true }, 'squash'],
  [{ allow_merge_commits: false, allow_rebase_explicit: true }, 'rebase-merge'],
  [{ allow_merge_commits: false, allow_rebase: true }, 'rebase'],
  [{ allow_merge_commits: false, allow_fast_forward_only_merge: true }, 'fast-forward-only'],
])('a pull request is merged as the repository allows: %j', async (allowed, style) => {
  const { repository, sent } = await repositoryWith((path) => (path.endsWith('/merge') ? {} : PULL), allowed);
  await repository.merge(7, { headCommit: 'a'.repeat(40) });
  expect(sent[0]).toMatchObject({ do: style });
});
