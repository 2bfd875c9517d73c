import { createAppAuth, type InstallationAccessTokenAuthentication } from '@octokit/auth-app';
import type { GitHubClient } from './github-api.ts';
import { Remembered } from './remembered.ts';

/** How requests are authenticated: by one token, or by a token per installation of an App. Errors are the client's own. */
export interface GitHubCredentials {
  client(repo: string): Promise<GitHubClient>;
  gitToken(repo: string): Promise<string>;
  account(): Promise<{ name: string; problems: string[] }>;
  /** What the credential lacks for pull requests in a repository; null where only a trial can tell. */
  repositoryProblems(repo: string): Promise<string[] | null>;
}

type Connect = (options: object) => GitHubClient;

const KEEP_MS = 600_000;
/** An installation's token lives for an hour; one with less than this left is made new, so that a long push gets through. */
const MIN_LEFT_MS = 10 * 60_000;

export function tokenCredentials(token: string, connect: Connect): GitHubCredentials {
  const client = connect({ auth: token });

  return {
    client: async () => client,
    gitToken: async () => token,

    async account() {
      const { data, headers } = await client.rest.users.getAuthenticated();
      const scopes = scopesIn(headers);
      const problems =
        scopes && !scopes.includes('repo') && !scopes.includes('public_repo')
          ? ['The token lacks the scope "repo" ("public_repo" is enough for public repositories).']
          : [];
      return { name: data.login, problems };
    },

    async repositoryProblems(repo) {
      const [owner = '', name = ''] = repo.split('/');
      const { data, headers } = await client.rest.repos.get({ owner, repo: name });
      const scopes = scopesIn(headers);
      if (!scopes) return null;
      const isEnough = scopes.includes('repo') || (scopes.includes('public_repo') && !data.private);
      return isEnough ? [] : ['The token lacks the scope "repo".'];
    },
  };
}

/** Only classic tokens have scopes; null for others, and where none are told. */
function scopesIn(headers: Record<string, unknown>): string[] | null {
  const scopes = headers['x-oauth-scopes'];
  return typeof scopes === 'string' && scopes.trim() !== '' ? scopes.split(',').map((scope) => scope.trim()) : null;
}

export function appCredentials(app: { appId: string; privateKey: string }, connect: Connect): GitHubCredentials {
  const asApp = connect({ authStrategy: createAppAuth, auth: app });
  const installations = new Remembered<{ client: GitHubClient; permissions: Record<string, string | undefined> }>(
    KEEP_MS,
  );
  const clients = new Map<number, GitHubClient>();

  const installationOf = (repo: string) =>
    installations.get(repo, async () => {
      const [owner = '', name = ''] = repo.split('/');
      const { data } = await asApp.rest.apps.getRepoInstallation({ owner, repo: name });
      // One client per installation keeps its token until shortly before it expires.
      const client =
        clients.get(data.id) ?? connect({ authStrategy: createAppAuth, auth: { ...app, installationId: data.id } });
      clients.set(data.id, client);
      return { client, permissions: data.permissions };
    });

  return {
    client: async (repo) => (await installationOf(repo)).client,

    async gitToken(repo) {
      const { client } = await installationOf(repo);
      const tokenFor = (refresh: boolean) =>
        client.auth({ type: 'installation', refresh }) as Promise<InstallationAccessTokenAuthentication>;
      const kept = await tokenFor(false);
      const isFresh = Date.parse(kept.expiresAt) - Date.now() > MIN_LEFT_MS;
      return (isFresh ? kept : await tokenFor(true)).token;
    },

    async account() {
      const { data } = await asApp.rest.apps.getAuthenticated();
      return { name: data?.slug ?? data?.name ?? app.appId, problems: lackingIn(data?.permissions ?? {}, 'The App') };
    },

    async repositoryProblems(repo) {
      installations.forget(repo);
      const { permissions } = await installationOf(repo);
      return lackingIn(permissions, "The App's installation");
    },
  };
}

function lackingIn(permissions: Record<string, string | undefined>, who: string): string[] {
  return [
    ['contents', 'Contents'],
    ['pull_requests', 'Pull requests'],
  ]
    .filter(([name = '']) => permissions[name] !== 'write')
    .map(
      ([, label]) =>
        `${who} lacks the permission "${label}: Read and write". Grant it, and accept the change where it is installed.`,
    );
}
