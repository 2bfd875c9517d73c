import { concealInLogs } from '../platform/log.ts';
import type { SecretBox } from '../platform/secret-box.ts';
import { decryptCredential, findCodeHost, type CodeHostAccess, type CodeHostRow } from '../store/hosts/code-hosts.ts';
import type { Db } from '../store/database.ts';
import { findHostSecret } from '../store/hosts/host-hooks.ts';
import { createGuardedFetch, type GuardedFetch } from '@docent/base/net/guarded-fetch';
import { inSpan } from '../platform/telemetry/spans.ts';
import { HostProblem } from '@docent/code-hosts/host-problem';
import type { CodeHost, CodeHosts } from './host.ts';
import { connectApi } from '@docent/code-hosts/connect';
import { createRemoteHost } from './remote/remote-host.ts';
import { isExpected } from '../platform/errors.ts';

export interface CodeHostsOptions {
  db: Db;
  /** The host `local`. */
  local: CodeHost;
  secrets: SecretBox;
  /** DOCENT_PRIVATE_HOSTS: destinations allowed besides the internet. */
  privateHosts: readonly string[];
}

/** Reads a host from the database each time, for new credentials. Clients are cached, libraries lazy. */
export function createCodeHosts({ db, local, secrets, privateHosts }: CodeHostsOptions): CodeHosts {
  const fetch = traced(createGuardedFetch({ allowed: privateHosts }));
  const known = new Map<string, { version: string; host: Promise<CodeHost> }>();

  function hostOf(row: CodeHostRow): Promise<CodeHost> {
    const version = JSON.stringify([
      row.keyId,
      row.kind,
      row.webUrl,
      row.apiUrl,
      row.appId,
      row.credential.toString('base64'),
    ]);
    const before = known.get(row.id);
    if (before?.version === version) return before.host;
    const host = connect(row);
    known.set(row.id, { version, host });
    // A later request may succeed.
    host.catch(() => known.delete(row.id));
    return host;
  }

  async function connect(access: CodeHostAccess): Promise<CodeHost> {
    const { kind, webUrl, apiUrl, appId } = access;
    const api = await connectApi({ kind, apiUrl, appId, credential: credentialOf(access) }, fetch);
    return createRemoteHost({ db, kind, webUrl, api, privateHosts });
  }

  function credentialOf(row: CodeHostAccess): string {
    try {
      const credential = decryptCredential(secrets, row);
      concealInLogs(credential);
      return credential;
    } catch (err) {
      if (!isExpected(err, 'secret_key')) throw err;
      throw new HostProblem(
        'credential_unreadable',
        `The credential of the code host ${row.id} cannot be read. ${err.message}`,
      );
    }
  }

  return {
    connect,

    async hookSecret(id) {
      try {
        const secret = await findHostSecret(db, secrets, id);
        if (secret !== null) concealInLogs(secret);
        return secret;
      } catch (err) {
        if (!isExpected(err, 'secret_key')) throw err;
        throw new HostProblem('credential_unreadable', `The webhook secret of ${id} cannot be read. ${err.message}`);
      }
    },

    async get(id) {
      if (id === 'local') return local;
      const row = await findCodeHost(db, id);
      if (row) return hostOf(row);
      known.delete(id);
      throw new HostProblem('repository_missing', `The code host ${id} no longer exists. Add it again.`);
    },
  };
}

/** A span for each request. */
function traced(guarded: GuardedFetch): GuardedFetch {
  return (input, init) => {
    const method = (init?.method ?? 'GET').toUpperCase();
    const { hostname } = new URL(input instanceof Request ? input.url : input);
    const fields = { 'http.request.method': method, 'server.address': hostname };
    return inSpan({ name: `${method} code host`, kind: 'client', fields }, async (span) => {
      const answer = await guarded(input, init);
      span.set({ 'http.response.status_code': answer.status });
      if (answer.status >= 400) span.fail();
      return answer;
    });
  };
}
