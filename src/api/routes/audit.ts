import { listAudit, type AuditRow } from '../../store/access/audit-log.ts';
import { readRangeOf } from '../analytics-range.ts';
import type { Handler } from '../contract/handler.ts';
import { pageOf, readNumberedTimeCursor, timeCursorOf } from '../presenters/cursor.ts';
import type { components } from '@docent/client';

function presentAuditEntry(row: AuditRow): components['schemas']['AuditEntry'] {
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

const cursorOf = ({ at, id }: AuditRow) => timeCursorOf({ createdAt: at, id: String(id) });

export const listAuditLog: Handler<'listAuditLog'> = async ({ query }, { db }) => {
  const { projectId, actor, operation, limit, cursor } = query;
  const { from, to } = readRangeOf('', query.from, query.to);
  const filter = {
    projectId,
    actor,
    operation,
    from: from === null ? undefined : new Date(from),
    to: to === null ? undefined : new Date(to),
  };
  const found = await listAudit(db, filter, { limit: limit + 1, before: readNumberedTimeCursor(cursor, filter) });
  const { rows, nextCursor } = pageOf(found, limit, cursorOf, filter);
  return { status: 200, body: { entries: rows.map(presentAuditEntry), nextCursor } };
};
