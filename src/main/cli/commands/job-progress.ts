import { setTimeout as sleep } from 'node:timers/promises';
import type { components } from '@docent/client';
import { answerOf } from '../../api-answer.ts';
import { ServerRefusal, ServerUnreachable } from '../../failures.ts';
import type { Server } from './server.ts';

/** What it takes to ask. */
export type Asked = Pick<Server, 'client' | 'url'>;

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
  { client, url }: Asked,
  { projectId, id }: JobRef,
  {
    after = 0,
    onProblem,
    onProgress,
    signal,
  }: {
    after?: number;
    /** Ends it at once: whoever aborts it says why. */
    signal?: AbortSignal;
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
        ...(signal ? { signal } : {}),
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
      if (signal?.aborted) return;
      const isPassing =
        err instanceof ServerUnreachable || (err instanceof ServerRefusal && err.code === 'unavailable');
      awaySince ??= performance.now();
      if (!isPassing || performance.now() - awaySince > PATIENCE_MS) throw err;
      onProblem?.(err.message);
      await sleep(1_000, undefined, signal ? { signal } : {}).catch(() => {});
      if (signal?.aborted) return;
    }
  }
}

/**
 * The number of the event before the turn that the job is in, or that was its last: what follows it tells of that turn. Where the
 * last turn ended and another is to come, of that one.
 */
export async function beforeLastTurn({ client, url }: Asked, { projectId, id }: JobRef): Promise<number> {
  let [last, start] = [0, 0];
  let isOver = false;
  for (;;) {
    const params = { path: { projectId, id }, query: { after: last, limit: 500 } };
    const { events, status } = await answerOf(url, client.GET('/v2/agent/{projectId}/job/{id}/events', { params }));
    for (const { no, type } of events) {
      if (type === 'turn_started') start = no - 1;
      if (type === 'turn_started') isOver = false;
      else if (type === 'turn_ended') isOver = true;
      last = no;
    }
    if (events.length === 0) return isOver && status === 'active' ? last : start;
  }
}

/** The job as it is now. */
export function getJob({ client, url }: Asked, { projectId, id }: JobRef) {
  return answerOf(url, client.GET('/v2/agent/{projectId}/job/{id}', { params: { path: { projectId, id } } }));
}
