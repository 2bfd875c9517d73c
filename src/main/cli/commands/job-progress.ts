import { setTimeout as sleep } from 'node:timers/promises';
import type { components } from '@docent/client';
import { answerOf } from '../../api-answer.ts';
import { ServerRefusal, ServerUnreachable } from '../../failures.ts';
import type { Server } from './server.ts';

export interface JobRef {
  projectId: string;
  id: string;
}

export type JobEvent = components['schemas']['JobEvent'];

/** The server holds an answer back so long where there is nothing new. */
const WAIT_SECONDS = 20;
/** A server that is away for this long has failed; a restart takes seconds. */
const PATIENCE_MS = 90_000;

/**
 * The job's events as they happen, from number `after` on, until the job is not active any more and all were seen.
 * Outlasts a restart of the server: tells `onProblem` and goes on.
 */
export async function* followJob(
  { client, url }: Server,
  { projectId, id }: JobRef,
  {
    after = 0,
    onProblem,
    onProgress,
  }: {
    after?: number;
    onProblem?: (sentence: string) => void;
    /** Told what the model is doing, each time that it has changed; null when there is nothing to show. */
    onProgress?: (progress: string | null) => void;
  } = {},
): AsyncGenerator<JobEvent> {
  let last = after;
  let seen = '';
  let awaySince: number | undefined;
  for (;;) {
    try {
      const wantsProgress: { progress?: string } = onProgress ? { progress: seen } : {};
      const query = { after: last, waitSeconds: WAIT_SECONDS, ...wantsProgress };
      const request = client.GET('/v2/agent/{projectId}/job/{id}/events', {
        params: { path: { projectId, id }, query },
      });
      const { events, status, progress } = await answerOf(url, request);
      awaySince = undefined;
      if ((progress ?? '') !== seen) onProgress?.(progress);
      seen = progress ?? '';
      for (const event of events) {
        last = event.no;
        yield event;
      }
      if (events.length === 0 && status !== 'active') return;
    } catch (err) {
      const isPassing =
        err instanceof ServerUnreachable || (err instanceof ServerRefusal && err.code === 'unavailable');
      awaySince ??= performance.now();
      if (!isPassing || performance.now() - awaySince > PATIENCE_MS) throw err;
      onProblem?.(err.message);
      await sleep(1_000);
    }
  }
}

/** The job as it is now. */
export function getJob({ client, url }: Server, { projectId, id }: JobRef) {
  return answerOf(url, client.GET('/v2/agent/{projectId}/job/{id}', { params: { path: { projectId, id } } }));
}
