import { listEvents } from '../../store/jobs/job-events.ts';
import type { JobRow } from '../../store/jobs/jobs.ts';
import type { Handler } from '../contract/handler.ts';
import { presentEvent, progressOf } from '../presenters/job.ts';
import type { RequestContext } from '../request-context.ts';
import type { ApiServices } from '../services.ts';
import { jobStream } from '../streams/job-stream.ts';
import { readableStream } from '../streams/readable-stream.ts';
import { jobNotFound } from '../../store/jobs/jobs.ts';

export const listJobEvents: Handler<'listJobEvents'> = async ({ path, query, request }, services) => {
  const { db, jobs, feed } = services;
  const until = performance.now() + query.waitSeconds * 1_000;
  for (;;) {
    // The job first: if it is final, all of its events are there when they are read.
    const job = await jobs.find(path.projectId, path.id);
    if (!job) throw jobNotFound(path.id);
    if (request.wantsEvents) return streamOf(job, query, request, services);
    const isOver =
      job.status !== 'active' || performance.now() >= until || (query.waitSeconds > 0 && request.signal.aborted);
    const progress = progressOf(job);
    const isNewProgress = query.progress !== undefined && query.progress !== (progress ?? '');
    if (isOver || job.lastEventNo > query.after || isNewProgress) {
      const events = await listEvents(db, job.id, { after: query.after, limit: query.limit });
      const body = { events: events.map(presentEvent), status: job.status, progress };
      return { status: 200, body, headers: { Vary: 'Accept' } };
    }
    const watch = feed.watch(job, { words: false });
    try {
      await watch.changed(until - performance.now(), request.signal);
    } finally {
      watch.end();
    }
  }
};

/** No caching, changing or buffering by proxies; closes its connection for stopping servers. */
const STREAM_HEADERS = {
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
  Vary: 'Accept',
  Connection: 'close',
};

function streamOf(
  job: JobRow,
  query: { after: number; follow: boolean },
  request: RequestContext,
  services: ApiServices,
): Awaited<ReturnType<typeof listJobEvents>> {
  const lastSeen = Number(request.incoming.headers['last-event-id'] || NaN);
  const isAgain = !Number.isNaN(lastSeen);
  const after = isAgain ? lastSeen : query.after;
  const isAtEnd = job.status === 'archived' || (job.status !== 'active' && !query.follow);
  if (isAgain && isAtEnd && after >= job.lastEventNo) return { status: 204, headers: STREAM_HEADERS };
  if (request.isHead) return { status: 200, type: 'text/event-stream', stream: null, headers: STREAM_HEADERS };
  const leave = services.limits.streams.take(request.caller);
  const { log, signal } = request;
  const { heartbeatMs, authorizeMs, stallMs } = services.config;
  const watch = services.feed.watch(job, { words: true });
  const events = jobStream({
    db: services.db,
    log,
    watch,
    after,
    follow: query.follow,
    signal,
    draining: services.draining,
    requestId: request.id,
    homePath: request.homePath,
    authorizeAgain: request.authorizeAgain,
    heartbeatMs,
    authorizeMs,
  });
  const openedAt = performance.now();
  const stream = readableStream(events, {
    stallMs,
    close: (reason) => {
      watch.end();
      leave();
      log.debug({ ms: Math.round(performance.now() - openedAt), reason }, 'a stream of events was closed');
    },
  });
  return { status: 200, type: 'text/event-stream', stream, headers: STREAM_HEADERS };
}
