import { useRef, useState } from 'preact/hooks';
import { onceKey } from '../../api/client.ts';
import { isRefusal, problemOf, type Problem } from '../../api/problem.ts';

interface Kept {
  body: string;
  key: string;
}

/** For browsers that keep nothing. */
const inMemory = new Map<string, Kept>();

/**
 * Sends a person's text once: for double clicks, late or lost answers, and retries after a reload, the same
 * body is sent with the same `Idempotency-Key` until the server has answered. Another body gets another key.
 * @param place identifies what is sent, e.g. `job:<project>`
 */
export function useSendOnce<Body, Answer>(place: string, send: (body: Body, once: string) => Promise<Answer>) {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const isSending = useRef(false);
  const submit = async (body: Body): Promise<{ answer: Answer } | null> => {
    if (isSending.current) return null;
    isSending.current = true;
    setBusy(true);
    setProblem(undefined);
    try {
      const answer = await send(body, keyFor(place, JSON.stringify(body)));
      keep(place, null);
      return { answer };
    } catch (thrown) {
      const found = problemOf(thrown);
      if (isRefusal(found)) keep(place, null);
      setProblem(found);
      return null;
    } finally {
      isSending.current = false;
      setBusy(false);
    }
  };
  return { submit, isBusy, problem };
}

function keyFor(place: string, body: string): string {
  const before = kept(place);
  if (before?.body === body) return before.key;
  const key = onceKey();
  keep(place, { body, key });
  return key;
}

function kept(place: string): Kept | null {
  try {
    const text = sessionStorage.getItem(`docent-once:${place}`);
    if (text) return JSON.parse(text) as Kept;
  } catch {
    // Storage may be disabled.
  }
  return inMemory.get(place) ?? null;
}

function keep(place: string, what: Kept | null): void {
  if (what) inMemory.set(place, what);
  else inMemory.delete(place);
  try {
    if (what) sessionStorage.setItem(`docent-once:${place}`, JSON.stringify(what));
    else sessionStorage.removeItem(`docent-once:${place}`);
  } catch {
    // As above; or it is full.
  }
}
