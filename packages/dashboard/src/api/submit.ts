import { useState } from 'preact/hooks';
import { onceKey } from './client.ts';
import { isRefusal, problemOf, type Problem } from './problem.ts';

export interface Submit {
  isBusy: boolean;
  /** Why it could not be done, the last time. */
  problem: Problem | undefined;
  /**
   * Sends what a form says. `isBusy` stays after an answer that is none of a problem: the form goes away with
   * it.
   * @param call takes an `Idempotency-Key`: the same one until the server has refused it, so that a lost
   * answer does not do it twice
   */
  submit<T>(call: (once: string) => Promise<T>, onAnswer: (answer: T) => void): void;
}

/** What every form does when it is sent. Keeps nothing beyond the page: what is sent may hold a secret. */
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
