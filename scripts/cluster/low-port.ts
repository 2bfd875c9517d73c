import { randomInt } from 'node:crypto';
import { isPortFree } from '../../src/main/start/free-port.ts';

/**
 * A port of loopback that is free now and not above 32,000: Temporal's PostgreSQL schema keeps ports in columns that end at 32,767,
 * and those that the system gives out by itself are mostly above.
 */
export async function lowPort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    if (await isPortFree(port)) return port;
  }
}
