import type { Db } from '../../store/database.ts';
import { listEvents } from '../../store/jobs/job-events.ts';
import { findSession } from '../../store/jobs/sessions.ts';
import { presentSession } from '../presenters/session.ts';
import type { JobWatch } from './job-feed.ts';

const PAGE = 100;

export interface SessionStreamInput {
  db: Db;
  projectId: string;
  jobId: string;
  watch: JobWatch;
  /** Aborts when the caller leaves or the server stops: the job continues. */
  signal: AbortSignal;
  /** Rejects if the caller may no longer read. */
  authorizeAgain: () => Promise<void>;
  onError: (err: unknown) => void;
  heartbeatMs: number;
  authorizeMs: number;
}

/** A job until its turn ends, as the AI SDK's UI message stream (version 1), built from rows. */
export async function* sessionStream(input: SessionStreamInput): AsyncGenerator<string> {
  const { db, projectId, jobId, watch, signal, heartbeatMs, authorizeMs } = input;
  yield part({ type: 'start', messageId: jobId });
  yield part({ type: 'text-start', id: jobId });
  try {
    let after = 0;
    let saidAt = performance.now();
    let authorizedAt = performance.now();
    for (;;) {
      // Read the job first: if it has ended, all of its events exist when they are read.
      const session = await findSession(db, projectId, jobId);
      const events = await listEvents(db, jobId, { after, limit: PAGE });
      for (const event of events) yield delta(jobId, `${event.text}\n`);
      after = events.at(-1)?.no ?? after;
      if (events.length > 0) saidAt = performance.now();
      if (events.length === PAGE) continue;
      if (!session || session.job.status !== 'active') {
        if (session) yield* closing(jobId, presentSession(session));
        break;
      }
      if (signal.aborted) return;
      const now = performance.now();
      if (now - authorizedAt >= authorizeMs) {
        await input.authorizeAgain();
        authorizedAt = now;
      }
      if (now - saidAt >= heartbeatMs) {
        yield ': still at work\n\n';
        saidAt = now;
      }
      await watch.changed(Math.min(saidAt + heartbeatMs - now, authorizeMs), signal);
    }
  } catch (err) {
    input.onError(err);
    yield part({ type: 'error', errorText: 'The stream ended early. Get the job to see its progress.' });
    return;
  }
  yield part({ type: 'text-end', id: jobId });
  yield part({ type: 'finish' });
  yield 'data: [DONE]\n\n';
}

function* closing(jobId: string, { messageToUser, pullRequestLink }: ReturnType<typeof presentSession>) {
  if (messageToUser) yield delta(jobId, `\n${messageToUser}\n`);
  if (pullRequestLink) yield delta(jobId, `\n${pullRequestLink}\n`);
}

const delta = (id: string, text: string) => part({ type: 'text-delta', id, delta: text });
const part = (value: object) => `data: ${JSON.stringify(value)}\n\n`;
