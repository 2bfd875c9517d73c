import type { Ingested } from '../../analytics/ingest/ingestor.ts';
import { AppError } from '../../platform/errors.ts';
import type { Handler } from '../contract/handler.ts';
import { readEventSlices } from '../middleware/read-events.ts';

/** The most refused events that an answer names. */
const MAX_NAMED = 1_000;
/** Refused events beyond one per accepted event: the whole request is wrong. */
const MOST_REFUSED = 1_000;

export const postEvents: Handler<'postEvents'> = async ({ path, request }, services) => {
  const { analytics, limits, config, draining } = services;
  const { ingestor } = analytics();
  const { projectId } = path;
  const perMinute = config.eventRequestsPerMinute.toLocaleString('en-US');
  limits.eventRequests.pass(
    'events',
    request.caller,
    `Rate limit reached: ${perMinute} requests with events per minute. Send more events in each request.`,
  );
  const { idempotencyKey: key } = request;
  const total: Ingested & { rejectedCount: number } = { accepted: 0, duplicates: 0, rejected: [], rejectedCount: 0 };
  let next = 0;
  // In any case, the answer says which events were stored, and where to resume.
  request.errorFields = () => ({ ...total, next });
  for await (const { first, events } of readEventSlices(request.incoming, { silenceMs: config.silenceMs, draining })) {
    // A stream may last long: its key may be revoked in the meantime.
    await request.authorizeAgain();
    const part = await ingestor.ingest(projectId, events, key === null ? undefined : { key, first });
    next = first + events.length;
    total.accepted += part.accepted;
    total.duplicates += part.duplicates;
    total.rejectedCount += part.rejected.length;
    for (const { index, error } of part.rejected) {
      if (total.rejected.length < MAX_NAMED) total.rejected.push({ index: first + index, error });
    }
    if (total.rejectedCount > MOST_REFUSED + total.accepted + total.duplicates)
      throw mostlyRefused(total.rejectedCount);
  }
  return { status: 202, body: total };
};

const mostlyRefused = (count: number) =>
  new AppError(
    'bad_request',
    `${count.toLocaleString('en-US')} events were rejected, more than were accepted, so the rest was not ` +
      `read. Fix the events in \`rejected\`, and resume at \`next\`.`,
  );
