import { randomInt } from 'node:crypto';
import { isPortFree } from '../../src/main/start/free-port.ts';

/** Below those that the system gives out by itself. */
const FIRST = 12_000;
const PORTS_PER_WORKER = 2_000;
/** Vitest numbers its workers from 1; its main process has none. */
const WORKER = Number(process.env.VITEST_POOL_ID ?? 0) % 4;
let next = randomInt(PORTS_PER_WORKER);

/**
 * A port of loopback that is free, and that no test of another worker takes before the caller listens: a program needs seconds to start,
 * and of 400 ports that the system gave out one after the other, 14 had been given out before.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    next = (next + 1) % PORTS_PER_WORKER;
    const port = FIRST + WORKER * PORTS_PER_WORKER + next;
    if (await isPortFree(port)) return port;
  }
}
