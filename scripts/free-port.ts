import { randomInt } from 'node:crypto';
import { isPortFree, QUIET_PORTS } from '../src/main/start/free-port.ts';

/**
 * Gives ports of loopback that are free now, one after the other and from anywhere among `count` ports from `first` on. A program needs
 * seconds to start, and until it listens its port is free: of 400 ports that the system gave out one after the other, 14 had been given
 * out before.
 */
export function portsFrom(first: number, count: number): () => Promise<number> {
  let next = randomInt(count);
  return async () => {
    for (;;) {
      next = (next + 1) % count;
      if (await isPortFree(first + next)) return first + next;
    }
  };
}

/**
 * A free port below those that the system gives out by itself, which are mostly above 32,000. Temporal's PostgreSQL schema keeps ports in
 * columns that end at 32,767.
 */
export const freePort = portsFrom(QUIET_PORTS.first, QUIET_PORTS.count);
