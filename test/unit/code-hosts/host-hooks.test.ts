import { expect, test } from 'vitest';
import { createGiteaApi } from '@docent/code-hosts/apis/gitea-api';
import { createGitHubApi } from '@docent/code-hosts/apis/github-api';
import { createGitLabApi } from '@docent/code-hosts/apis/gitlab-api';
import type { RemoteApi } from '@docent/code-hosts/remote-api';

const readText = async () => null;

const URL_OF_HOOK = 'https://docent.example/v1/hosts/work/hook';
const OTHER = { id: 4, url: 'https://ci.example', config: { url: 'https://ci.example' } };
const OURS = { id: 9, url: URL_OF_HOOK, config: { url: URL_OF_HOOK } };
const REPOSITORIES = {
  github: {
    id: 1,
    name: 'docs',
    full_name: 'acme/docs',
    owner: { login: 'acme' },
    html_url: 'x',
    default_branch: 'main',
  },
  gitea: { id: 1, full_name: 'acme/docs', html_url: 'x' },
  gitlab: { id: 1, web_url: 'x', path_with_namespace: 'acme/docs' },
};

/** A host with these webhooks, and what changed them. */
function hostWith(
  kind: keyof typeof REPOSITORIES,
  hooks: object[],
): {
  api: RemoteApi;
  sent: [string, unknown][];
  asked: string[];
} {
  const sent: [string, unknown][] = [];
  const asked: string[] = [];
  const fetch = async (input: string | URL | Request, init?: RequestInit) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const method = (init?.method ?? 'GET').toUpperCase();
    const isHooks = /\/hooks(\/\d+)?$/.test(url.pathname);
    asked.push(`${method} ${url.pathname}${url.search}`);
    if (method !== 'GET') {
      const text = typeof init?.body === 'string' ? init.body : '';
      sent.push([`${method} ${url.pathname.split('/').slice(-2).join('/')}`, text === '' ? null : JSON.parse(text)]);
      return method === 'DELETE' ? new Response(null, { status: 204 }) : Response.json({ id: 10 }, { status: 201 });
    }
    return Response.json(isHooks ? hooks : REPOSITORIES[kind]);
  };
  const common = { fetch, token: 't', readText };
  const apis = {
    github: () =>
      createGitHubApi({ apiUrl: 'https://host.example/api/v3', fetch, readText, credential: 't', appId: null }),
    gitea: () => createGiteaApi({ apiUrl: 'https://host.example/api/v1', ...common }),
    gitlab: () => createGitLabApi({ apiUrl: 'https://host.example/api/v4', ...common }),
  };
  return { api: apis[kind](), sent, asked };
}

test.for([
  ['github', 'POST docs/hooks', ['PATCH hooks/9']],
  ['gitea', 'POST docs/hooks', ['POST docs/hooks', 'DELETE hooks/9']],
  ['gitlab', 'POST 1/hooks', ['PUT hooks/9']],
] as const)(
  'the webhook of a repository on %s is created once, and given the secret again',
  async ([kind, creates, updates]) => {
    const hook = { url: URL_OF_HOOK, secret: 'whsec_x' };
    const fresh = hostWith(kind, [OTHER]);
    expect(await (await fresh.api.open({ path: 'acme/docs' })).saveHook(hook)).toBe('created');
    expect(fresh.sent.map(([request]) => request)).toEqual([creates]);
    expect(JSON.stringify(fresh.sent[0])).toContain('whsec_x');
    const known = hostWith(kind, [OTHER, OURS]);
    expect(await (await known.api.open({ path: 'acme/docs' })).saveHook(hook)).toBe('updated');
    expect(known.sent.map(([request]) => request)).toEqual(updates);
  },
);

test.for([
  ['github', '/api/v3/repos/acme/docs'],
  ['gitea', '/api/v1/repos/acme/docs'],
  ['gitlab', '/api/v4/projects/1'],
] as const)('polling asks %s below the repository', async ([kind, base]) => {
  const { api, asked } = hostWith(kind, []);
  const repository = await api.open({ path: 'acme/docs' });
  expect(await repository.get('/issues/7/x', { since: '2026-01-01T00:00:00Z', page: 2 })).toEqual(REPOSITORIES[kind]);
  const [path, query] = (asked.at(-1) ?? '').split('?');
  expect(path).toBe(`GET ${base}/issues/7/x`);
  expect(Object.fromEntries(new URLSearchParams(query))).toEqual({ since: '2026-01-01T00:00:00Z', page: '2' });
});
