import { setTimeout as sleep } from 'node:timers/promises';
import { listEvents } from '../../store/job-events.ts';
import type { Handler } from '../contract/handler.ts';
import { presentEvent, progressOf } from '../presenters/job.ts';
import { missingJob } from './missing-job.ts';

/** Pause between looks at a job that somebody waits for. */
const LOOK_MS = 250;

export const listJobEvents: Handler<'listJobEvents'> = async ({ path, query, request }, { db, jobs }) => {
  const until = performance.now() + query.waitSeconds * 1_000;
  for (;;) {
    // The job first: if it is final, all of its events are there when they are read.
    const job = await jobs.find(path.projectId, path.id);
    if (!job) throw await missingJob(db, path);
    const isOver =
      job.status !== 'active' || performance.now() >= until || (query.waitSeconds > 0 && request.signal.aborted);
    const progress = progressOf(job);
    const isNewProgress = query.progress !== undefined && query.progress !== (progress ?? '');
    if (isOver || job.lastEventNo > query.after || isNewProgress) {
      const events = await listEvents(db, job.id, { after: query.after, limit: query.limit });
      return { status: 200, body: { events: events.map(presentEvent), status: job.status, progress } };
    }
    await sleep(Math.min(LOOK_MS, Math.max(1, until - performance.now())), undefined, { signal: request.signal }).catch(
      () => {
        // Somebody left or the server stops: the next look is the last.
      },
    );
  }
};
