import type { AuditRow } from '../../store/access/audit-log.ts';
import type { components } from '../generated/openapi.ts';

export function presentAuditEntry(row: AuditRow): components['schemas']['AuditEntry'] {
  return {
    id: String(row.id),
    at: row.at.toISOString(),
    actor: { kind: row.actorKind, id: row.actorId, name: row.actorName, keyId: row.actorKeyId },
    operation: row.operation,
    projectId: row.projectId,
    target: row.target,
    changed: row.changed,
    createdId: row.createdId,
    address: row.address,
    userAgent: row.userAgent,
    requestId: row.requestId,
    status: row.status,
    code: row.errorCode,
    replayed: row.replayed,
  };
}
