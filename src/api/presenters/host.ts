import type { CodeHostRow } from '../../store/hosts/code-hosts.ts';
import type { components } from '../generated/openapi.ts';

export function presentHost(row: CodeHostRow): components['schemas']['Host'] {
  return {
    id: row.id,
    kind: row.kind,
    url: row.webUrl,
    apiUrl: row.apiUrl,
    appId: row.appId,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
