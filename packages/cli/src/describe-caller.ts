import type { components } from '@docent/client';

/** A description of the caller: `the key ci (key_7m2…: write; projects handbook; until 2027-02-20)`. */
export function describeCaller({ key, token }: Pick<components['schemas']['Caller'], 'key' | 'token'>): string {
  if (token) {
    const what = token.jobId === null ? `project ${token.projectId}` : `job ${token.jobId}`;
    return `a token (${token.id}: ${token.scopes.join(', ')}; ${what}; until ${token.expiresAt})`;
  }
  if (!key) return 'the operator token';
  const projects = key.projectIds === null ? 'all projects' : `projects ${key.projectIds.join(', ')}`;
  const until = key.expiresAt === null ? 'does not expire' : `until ${key.expiresAt.slice(0, 10)}`;
  return `the key ${key.name} (${key.id}: ${key.scopes.join(', ')}; ${projects}; ${until})`;
}
