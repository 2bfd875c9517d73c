import { portsFrom } from '../../scripts/free-port.ts';

const FIRST = 12_000;
const PORTS_PER_WORKER = 2_000;
/** Vitest numbers its workers from 1; its main process has none. */
const WORKER = Number(process.env.VITEST_POOL_ID ?? 0) % 4;

/** A free port of loopback, and one that no test of another worker takes before the caller listens. */
export const freePort = portsFrom(FIRST + WORKER * PORTS_PER_WORKER, PORTS_PER_WORKER);
