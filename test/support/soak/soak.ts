import { setTimeout as sleep } from 'node:timers/promises';
import type { Installation } from '../installation.ts';
import type { JobClient } from './jobs.ts';
import type { Ledger } from './ledger.ts';
import type { Receiver } from './receiver.ts';

/** A soak as its customers see it. */
export interface Soak {
  readonly docent: Installation;
  readonly ledger: Ledger;
  readonly jobs: JobClient;
  readonly receiver: Receiver;
  /** Customers stop when it ends. */
  isOn: boolean;
  /** How often what was acknowledged. */
  readonly counts: Record<string, number>;
}

export const PAGES = ['guides/start', 'guides/log', 'index'] as const;

export function count(soak: Soak, what: string, by = 1): void {
  soak.counts[what] = (soak.counts[what] ?? 0) + by;
}

/** Starts again as long after each end, and writes down what it could not do. */
export async function every(soak: Soak, pauseMs: number, work: (soak: Soak) => Promise<void>): Promise<void> {
  while (soak.isOn) {
    await work(soak).catch((err: unknown) => soak.ledger.wrong(`${String(err)} ${String((err as Error).cause ?? '')}`));
    await sleep(pauseMs);
  }
}
