const MARK = 'Asking again in ';

/** A job's progress text while it waits to ask a model again. */
export function retryText(reason: string, pauseMs: number): string {
  return `${reason} ${MARK}${Math.ceil(pauseMs / 1_000)} s.`;
}

/** Whether a job's progress is a {@link retryText}. */
export const isRetryText = (progress: string): boolean => progress.includes(MARK);
