import { signal } from '@preact/signals';
import { href } from '../shell/address.ts';

const TRY_AGAIN_MS = 2_000;

const isLost = signal(false);
/** Goes up each time that the connection is back: what is shown is asked for again. */
const healed = signal(0);
let timer: ReturnType<typeof setTimeout> | undefined;

/** Whether the server answers. Asks by itself until it does again. */
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
  /** Asks now, for what failed without saying why. @returns whether the server answers */
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
  // A proxy answers 502 where its server is away.
  const response = await fetch(href('/healthz'), { cache: 'no-store' }).catch(() => null);
  return response?.ok === true;
}
