import { createAppAuth } from '@octokit/auth-app';
import { z } from 'zod';
import { number } from './answer-fields.ts';
import type { GitHubClient } from './github-client.ts';
import type { RepositoryKey } from '../remote-api.ts';

/** Authenticates requests by a token, or an App's token per installation. Errors are the client's. */
export interface GitHubCredentials {
  /** Asks GitHub each time: a moved repository may belong to another installation. */
  forRepository(key: RepositoryKey): Promise<RepositoryAccess>;
  account(): Promise<{ name: string; problems: string[] }>;
}

export interface RepositoryAccess {
  client: GitHubClient;
  /** The App's own client, for its one webhook; null for a token. */
  app: GitHubClient | null;
  gitToken(): Promise<string>;
  /** The id of the account that comments are written as. An App's account has another id than the App. */
  accountId(): Promise<string>;
  /**
   * The permissions for pull requests that the credential lacks; null if only a trial can show.
   * @param shown GitHub's answer with its headers
   */
  problems(shown: { isPrivate: boolean; headers: Record<string, unknown> }): string[] | null;
}

const User = z.object({ login: z.string() });
const UserId = z.object({ id: number });

/** `contents: write` and the like. */
const Permissions = z.record(z.string(), z.string());
const App = z.object({ slug: z.string().nullish(), name: z.string().nullish(), permissions: Permissions });
const Installation = z.object({ id: number, permissions: Permissions });

/** GitHub's answer with a token of an installation. */
const MadeToken = z.object({
  token: z.string().min(1),
  expires_at: z.iso.datetime({ offset: true }),
  permissions: Permissions.nullish(),
  repositories: z.array(z.object({ id: number, name: z.string() })).nullish(),
});

const AppToken = z.object({ token: z.string() });
const InstallationToken = z.object({ token: z.string(), expiresAt: z.string() });

type Connect = (options: object) => GitHubClient;

/** An installation's token lives for an hour. Renewed below this, so that a long push succeeds. */
const MIN_LEFT_MS = 10 * 60_000;

export function tokenCredentials(token: string, connect: Connect): GitHubCredentials {
  const client = connect({ auth: token });

  const access: RepositoryAccess = {
    client,
    app: null,
    gitToken: async () => token,
    accountId: async () => String(UserId.parse((await client.rest.users.getAuthenticated()).data).id),

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
      const { login } = User.parse(data);
      const scopes = scopesIn(headers);
      const problems =
        scopes && !scopes.includes('repo') && !scopes.includes('public_repo')
          ? ['The token lacks the scope "repo" ("public_repo" is enough for public repositories).']
          : [];
      return { name: login, problems };
    },
  };
}

/** Only classic tokens have scopes; null for others, and if none are reported. */
function scopesIn(headers: Record<string, unknown>): string[] | null {
  const scopes = headers['x-oauth-scopes'];
  return typeof scopes === 'string' && scopes.trim() !== '' ? scopes.split(',').map((scope) => scope.trim()) : null;
}

export function appCredentials(app: { appId: string; privateKey: string }, connect: Connect): GitHubCredentials {
  const asApp = connect({ authStrategy: createAppAuth, auth: app });
  // One client per installation keeps its token until shortly before it expires.
  const clients = new Map<number, GitHubClient>();

  function clientOf(installationId: number): GitHubClient {
    const known = clients.get(installationId);
    if (known) return known;
    const client = connect({ authStrategy: createAppAuth, auth: { ...app, installationId } });
    // The client creates tokens automatically, and caches any answer.
    client.hook.after('request', ({ data }, { url }) => {
      if (url.endsWith('/access_tokens')) MadeToken.parse(data);
    });
    clients.set(installationId, client);
    return client;
  }

  async function installationOf(key: RepositoryKey): Promise<z.output<typeof Installation>> {
    if ('path' in key) return Installation.parse((await asApp.rest.apps.getRepoInstallation(partsOf(key.path))).data);
    // The client knows the documented address alone for one that takes the App's own token.
    const { token } = AppToken.parse(await asApp.auth({ type: 'app' }));
    const { data } = await connect({ auth: token }).request('GET /repositories/{id}/installation', { id: key.id });
    return Installation.parse(data);
  }

  return {
    async forRepository(key) {
      const { id, permissions } = await installationOf(key);
      const client = clientOf(id);
      const tokenFor = async (refresh: boolean) =>
        InstallationToken.parse(await client.auth({ type: 'installation', refresh }));

      return {
        client,
        app: asApp,

        async gitToken() {
          const kept = await tokenFor(false);
          const isFresh = Date.parse(kept.expiresAt) - Date.now() > MIN_LEFT_MS;
          return (isFresh ? kept : await tokenFor(true)).token;
        },

        async accountId() {
          const { slug } = App.parse((await asApp.rest.apps.getAuthenticated()).data);
          return String(UserId.parse((await client.rest.users.getByUsername({ username: `${slug}[bot]` })).data).id);
        },

        problems: () => lackingIn(permissions, "The App's installation"),
      };
    },

    async account() {
      const { slug, name, permissions } = App.parse((await asApp.rest.apps.getAuthenticated()).data);
      return { name: slug ?? name ?? app.appId, problems: lackingIn(permissions, 'The App') };
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

/** `org/repo`, as in GitHub's requests. */
export function partsOf(path: string): { owner: string; repo: string } {
  const [owner = '', ...rest] = path.split('/');
  return { owner, repo: rest.join('/') };
}
