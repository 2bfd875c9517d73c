import { useEffect, useRef, useState } from 'preact/hooks';
import { followJob, FollowRefused } from '@docent/client';
import { api } from '../../api/client.ts';
import { connection } from '../../api/connection.ts';
import { Problem, problemOf } from '../../api/problem.ts';
import { session } from '../../api/session.ts';
import { emptyTimeline, shownOf, take, type Timeline } from './timeline.ts';

/** The shortest interval between two repaints, however fast events arrive. */
const PAINT_MS = 100;

/**
 * Follows a job while its page is visible: browsers open few connections to a server, and a stream is one.
 * Resumes after a lost connection, a new sign-in and a hidden tab: no event is missing or repeated.
 */
export function useTimeline(
  projectId: string,
  jobId: string,
  isArchived: boolean,
): { timeline: Timeline; problem: Problem | undefined } {
  const timeline = useRef(emptyTimeline());
  const problem = useRef<Problem | undefined>(undefined);
  const [shown, show] = useState({ timeline: emptyTimeline(), problem: problem.current });

  useEffect(() => {
    let controller: AbortController | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const changed = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        show((before) => ({ timeline: shownOf(timeline.current, before.timeline), problem: problem.current }));
      }, PAINT_MS);
    };
    const follow = async () => {
      controller?.abort();
      const mine = new AbortController();
      controller = mine;
      const { last: after } = timeline.current;
      try {
        for await (const event of followJob(api, { projectId, id: jobId, after, follow: true, signal: mine.signal })) {
          if (mine.signal.aborted) return;
          problem.current = undefined;
          if (take(timeline.current, event)) changed();
        }
      } catch (thrown) {
        if (mine.signal.aborted) return;
        problem.current = refusal(thrown);
        changed();
      }
    };
    const onVisibility = () => {
      if (document.visibilityState === 'visible') void follow();
      else controller?.abort();
    };
    if (document.visibilityState === 'visible') void follow();
    let seen = connection.healed.peek();
    const stopHealing = connection.healed.subscribe((times) => {
      if (times === seen) return;
      seen = times;
      onVisibility();
    });
    document.addEventListener('visibilitychange', onVisibility);
    return () => {
      controller?.abort();
      clearTimeout(timer);
      stopHealing();
      document.removeEventListener('visibilitychange', onVisibility);
    };
    // A stream ends when its job is archived: after an unarchive, it continues.
  }, [projectId, jobId, isArchived]);

  return shown;
}

function refusal(thrown: unknown): Problem {
  if (!(thrown instanceof FollowRefused)) return problemOf(thrown);
  if (thrown.status === 401 || thrown.body?.code === 'unauthorized') session.ended();
  return new Problem(thrown.message, {
    code: thrown.body?.code ?? 'unexpected',
    status: thrown.status,
    requestId: thrown.body?.requestId ?? null,
  });
}
