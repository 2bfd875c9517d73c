import { createHash } from 'node:crypto';
import type { Ingested } from '../../analytics/ingestor.ts';
import type { Handler } from '../contract/handler.ts';
import { readEventBatches } from '../middleware/read-events.ts';

/** Of the refused events, so many are named. */
const MAX_NAMED = 1_000;

export const postEvents: Handler<'postEvents'> = async ({ path, request }, { analytics }) => {
  const { ingestor } = analytics();
  const { projectId } = path;
  const fallbackId = idsOf(projectId, request.idempotencyKey);
  const total: Ingested & { rejectedCount: number } = { accepted: 0, duplicates: 0, rejected: [], rejectedCount: 0 };
  for await (const { first, events } of readEventBatches(request.incoming)) {
    const part = await ingestor.ingest(projectId, events, fallbackId && ((index) => fallbackId(first + index)));
    total.accepted += part.accepted;
    total.duplicates += part.duplicates;
    total.rejectedCount += part.rejected.length;
    for (const { index, error } of part.rejected) {
      if (total.rejected.length < MAX_NAMED) total.rejected.push({ index: first + index, error });
    }
  }
  return { status: 202, body: total };
};

/** A repeated request gives its events the ids that they had. */
function idsOf(projectId: string, idempotencyKey: string | null): ((index: number) => string) | undefined {
  if (idempotencyKey === null) return undefined;
  return (index) =>
    createHash('sha256')
      .update(JSON.stringify([projectId, idempotencyKey, index]))
      .digest('hex')
      .slice(0, 32);
}
