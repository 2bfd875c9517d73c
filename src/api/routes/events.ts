import type { Ingested } from '../../analytics/ingest/ingestor.ts';
import type { Handler, Handlers } from '../contract/handler.ts';
import { readEventSlices } from '../middleware/read-events.ts';

/** Of the refused events, so many are named. */
const MAX_NAMED = 1_000;

const postEvents: Handler<'postEvents'> = async ({ path, request }, { analytics, config, draining }) => {
  const { ingestor } = analytics();
  const { projectId } = path;
  const { idempotencyKey: key } = request;
  const total: Ingested & { rejectedCount: number } = { accepted: 0, duplicates: 0, rejected: [], rejectedCount: 0 };
  let next = 0;
  // Whatever ends the request, its sender is told what was taken, and where to go on.
  request.errorFields = () => ({ ...total, next });
  for await (const { first, events } of readEventSlices(request.incoming, { silenceMs: config.silenceMs, draining })) {
    // A stream may last for long: its key may be revoked meanwhile.
    await request.authorizeAgain();
    const part = await ingestor.ingest(projectId, events, key === null ? undefined : { key, first });
    next = first + events.length;
    total.accepted += part.accepted;
    total.duplicates += part.duplicates;
    total.rejectedCount += part.rejected.length;
    for (const { index, error } of part.rejected) {
      if (total.rejected.length < MAX_NAMED) total.rejected.push({ index: first + index, error });
    }
  }
  return { status: 202, body: total };
};

export const eventRoutes = { postEvents } satisfies Partial<Handlers>;
