import { createAppAuth, type AppAuthentication, type InstallationAccessTokenAuthentication } from '@octokit/auth-app';
import type { GitHubClient } from './github-client.ts';
import type { RepositoryKey } from './remote-api.ts';

/** How requests are authenticated: by one token, or by a token per installation of an App. Errors are the client's own. */
export interface GitHubCredentials {
  /** Asks GitHub each time: a repository that was moved may be of another installation. */
  forRepository(key: RepositoryKey): Promise<RepositoryAccess>;
  account(): Promise<{ name: string; problems: string[] }>;
}

export interface RepositoryAccess {
  client: GitHubClient;
  gitToken(): Promise<string>;
  /**
   * What the credential lacks for pull requests in the repository; null where only a trial can tell.
   * @param shown the repository, as GitHub answered with these headers
   */
  problems(shown: { isPrivate: boolean; headers: Record<string, unknown> }): string[] | null;
}

type Connect = (options: object) => GitHubClient;

/** An installation's token lives for an hour; one with less than this left is made new, so that a long push gets through. */
const MIN_LEFT_MS = 10 * 60_000;

export function tokenCredentials(token: string, connect: Connect): GitHubCredentials {
  const client = connect({ auth: token });

  const access: RepositoryAccess = {
    client,
    gitToken: async () => token,

    problems({ isPrivate, headers }) {
      const scopes = scopesIn(headers);
      if (!scopes) return null;
      const isEnough = scopes.includes('repo') || (scopes.includes('public_repo') && !isPrivate);
      return isEnough ? [] : ['The token lacks the scope "repo".'];
    },
  };

  return {
    forRepository: async () => access,

    async account() {
      const { data, headers } = await client.rest.users.getAuthenticated();
      const scopes = scopesIn(headers);
      const problems =
        scopes && !scopes.includes('repo') && !scopes.includes('public_repo')
          ? ['The token lacks the scope "repo" ("public_repo" is enough for public repositories).']
          : [];
      return { name: data.login, problems };
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
  // One client per installation keeps its token until shortly before it expires.
  const clients = new Map<number, GitHubClient>();

  function clientOf(installationId: number): GitHubClient {
    const client =
      clients.get(installationId) ?? connect({ authStrategy: createAppAuth, auth: { ...app, installationId } });
    clients.set(installationId, client);
    return client;
  }

  async function installationOf(key: RepositoryKey): Promise<Installation> {
    if ('path' in key) return asApp.rest.apps.getRepoInstallation(partsOf(key.path));
    // The client knows the documented address alone for one that takes the App's own token.
    const { token } = (await asApp.auth({ type: 'app' })) as AppAuthentication;
    const request = connect({ auth: token }).request('GET /repositories/{id}/installation', { id: key.id });
    return request as Promise<Installation>;
  }

  return {
    async forRepository(key) {
      const { data } = await installationOf(key);
      const client = clientOf(data.id);
      const tokenFor = (refresh: boolean) =>
        client.auth({ type: 'installation', refresh }) as Promise<InstallationAccessTokenAuthentication>;

      return {
        client,

        async gitToken() {
          const kept = await tokenFor(false);
          const isFresh = Date.parse(kept.expiresAt) - Date.now() > MIN_LEFT_MS;
          return (isFresh ? kept : await tokenFor(true)).token;
        },

        problems: () => lackingIn(data.permissions, "The App's installation"),
      };
    },

    async account() {
      const { data } = await asApp.rest.apps.getAuthenticated();
      return { name: data?.slug ?? data?.name ?? app.appId, problems: lackingIn(data?.permissions ?? {}, 'The App') };
    },
  };
}

type Installation = Awaited<ReturnType<GitHubClient['rest']['apps']['getRepoInstallation']>>;

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

/** `org/repo`, as GitHub's requests have it. */
export function partsOf(path: string): { owner: string; repo: string } {
  const [owner = '', ...rest] = path.split('/');
  return { owner, repo: rest.join('/') };
}
