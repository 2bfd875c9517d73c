import type { GuardedFetch } from '@docent/base/net/guarded-fetch';
import { createConditionalFetch } from './conditional-fetch.ts';
import { createHostFetch, createReadText } from './host-fetch.ts';
import type { CodeHostKind, RemoteApi } from './remote-api.ts';

/** A code host's address, and what Docent authenticates with there. */
export interface HostAccess {
  kind: CodeHostKind;
  apiUrl: string;
  /** Null for a token; the id of a GitHub App, whose private key is the credential. */
  appId: string | null;
  credential: string;
}

/**
 * The API of a code host. Its client library is loaded only now.
 * @param guarded reaches only allowed addresses
 * @throws HostProblem for a credential that cannot be used
 */
export async function connectApi(access: HostAccess, guarded: GuardedFetch): Promise<RemoteApi> {
  const { kind, apiUrl, appId, credential } = access;
  const fetch = createConditionalFetch(createHostFetch(apiUrl, guarded));
  const readText = createReadText(guarded);
  if (kind === 'gitlab') {
    const { createGitLabApi } = await import('./apis/gitlab-api.ts');
    return createGitLabApi({ apiUrl, token: credential, fetch, readText });
  }
  if (kind === 'gitea') {
    const { createGiteaApi } = await import('./apis/gitea-api.ts');
    return createGiteaApi({ apiUrl, token: credential, fetch });
  }
  const { createGitHubApi } = await import('./apis/github-api.ts');
  return createGitHubApi({ apiUrl, appId, credential, fetch, readText });
}
