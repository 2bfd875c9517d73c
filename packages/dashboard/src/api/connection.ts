import { signal } from '@preact/signals';
import { href } from '../shell/address.ts';

const TRY_AGAIN_MS = 2_000;
/** How long the server may take to say that it is there. */
const ANSWER_MS = 10_000;

const isLost = signal(false);
/** Incremented each time the connection recovers, so that shown data is reloaded. */
const healed = signal(0);
let timer: ReturnType<typeof setTimeout> | undefined;
let checking: Promise<boolean> | undefined;

/** Whether the server answers. Polls on its own until it does. */
export const connection = {
  isLost,
  healed,
  reached(): void {
    if (!isLost.peek()) return;
    clearTimeout(timer);
    isLost.value = false;
    healed.value += 1;
  },
  /**
   * Checks now, after a request without an answer: the connection is lost only if the server does not answer at
   * all. If each request that failed counted as a loss, and each answer as a recovery, one blocked request would
   * make pages reload everything again and again.
   * @returns whether the server answers
   */
  check(): Promise<boolean> {
    checking ??= answers().then((isThere) => {
      checking = undefined;
      if (isThere) connection.reached();
      else lost();
      return isThere;
    });
    return checking;
  },
};

function lost(): void {
  isLost.value = true;
  clearTimeout(timer);
  timer = setTimeout(() => void connection.check(), TRY_AGAIN_MS);
}

addEventListener('online', () => {
  if (isLost.peek()) void connection.check();
});

async function answers(): Promise<boolean> {
  // A proxy answers 502 if its server is unavailable.
  const signal = AbortSignal.timeout(ANSWER_MS);
  const response = await fetch(href('/healthz'), { cache: 'no-store', signal }).catch(() => null);
  return response?.ok === true;
}
