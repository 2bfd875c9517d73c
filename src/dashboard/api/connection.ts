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
};

async function tryAgain(): Promise<void> {
  const response = await fetch(href('/healthz'), { cache: 'no-store' }).catch(() => null);
  // A proxy answers 502 where its server is away.
  if (response?.ok) connection.reached();
  else if (isLost.peek()) timer = setTimeout(() => void tryAgain(), TRY_AGAIN_MS);
}
