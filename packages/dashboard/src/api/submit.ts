import { useState } from 'preact/hooks';
import { onceKey } from './client.ts';
import { isRefusal, problemOf, type Problem } from './problem.ts';

export interface Submit {
  isBusy: boolean;
  /** Why it could not be done, the last time. */
  problem: Problem | undefined;
  /**
   * Sends a form. `isBusy` stays true after success, when the form disappears.
   * @param call gets an `Idempotency-Key`: the same one until the server has refused it, so that a lost
   *   answer does not do it twice
   */
  submit<T>(call: (once: string) => Promise<T>, onAnswer: (answer: T) => void): void;
}

/**
 * The common behavior of sent forms. Stores nothing beyond the page, because the data may contain a secret.
 */
export function useSubmit(): Submit {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const [once, setOnce] = useState(onceKey);
  return {
    isBusy,
    problem,
    submit: (call, onAnswer) => {
      setBusy(true);
      setProblem(undefined);
      call(once).then(onAnswer, (thrown: unknown) => {
        const found = problemOf(thrown);
        setProblem(found);
        if (isRefusal(found)) setOnce(onceKey());
        setBusy(false);
      });
    },
  };
}
