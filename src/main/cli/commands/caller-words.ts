import type { components } from '@docent/client';

/** Who calls, in words: `the key ci (key_7m2…: write; projects handbook; until 2027-02-20)`. */
export function callerWords({ kind, key }: components['schemas']['Caller']): string {
  if (kind === 'operator' || !key) return 'the operator token';
  const projects = key.projectIds === null ? 'all projects' : `projects ${key.projectIds.join(', ')}`;
  const until = key.expiresAt === null ? 'does not expire' : `until ${key.expiresAt.slice(0, 10)}`;
  return `the key ${key.name} (${key.id}: ${key.scopes.join(', ')}; ${projects}; ${until})`;
}
