import { signal } from '@preact/signals';
import { href } from '../shell/address.ts';

const TRY_AGAIN_MS = 2_000;

const isLost = signal(false);
/** Incremented each time the connection recovers, so that shown data is reloaded. */
const healed = signal(0);
let timer: ReturnType<typeof setTimeout> | undefined;

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
  lost(): void {
    if (isLost.peek()) return;
    isLost.value = true;
    timer = setTimeout(() => void tryAgain(), TRY_AGAIN_MS);
  },
  /** Checks now, after an unexplained failure. @returns whether the server answers */
  async check(): Promise<boolean> {
    const isThere = await answers();
    if (isThere) connection.reached();
    else connection.lost();
    return isThere;
  },
};

addEventListener('online', () => {
  if (isLost.peek()) void connection.check();
});

async function tryAgain(): Promise<void> {
  if (await answers()) connection.reached();
  else if (isLost.peek()) timer = setTimeout(() => void tryAgain(), TRY_AGAIN_MS);
}

async function answers(): Promise<boolean> {
  // A proxy answers 502 if its server is unavailable.
  const response = await fetch(href('/healthz'), { cache: 'no-store' }).catch(() => null);
  return response?.ok === true;
}
