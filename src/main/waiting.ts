import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { messageOf } from '../errors.ts';
import type { Logger } from '../log.ts';
import { isDatabaseUnavailable, migrate, type Database } from '../store/database.ts';
import type { TemporalSettings } from './temporal-settings.ts';

interface Patience {
  log: Logger;
  signal: AbortSignal;
}

const RETRY_MS = 1_000;
const REMIND_MS = 15_000;

/**
 * Brings the schema up to date; waits for a database that cannot be reached yet, as long as it takes.
 * Rejects at once where waiting would not help: a wrong password, a missing database.
 */
export function migrateWhenReachable(database: Database, patience: Patience): Promise<void> {
  return untilReachable('the database', () => migrate(database), isDatabaseUnavailable, patience);
}

/** gRPC codes of a server that cannot be reached yet: DEADLINE_EXCEEDED, UNAVAILABLE. */
const UNREACHABLE_CODES = new Set([4, 14]);

function isTemporalUnreachable(err: unknown): boolean {
  const { code, cause } = err as { code?: number; cause?: { code?: number } };
  return UNREACHABLE_CODES.has(code ?? cause?.code ?? 14);
}

/** Resolves when the namespace can be described. Waits and rejects as {@link migrateWhenReachable} does. */
export function temporalReachable({ connection, namespace }: TemporalSettings, patience: Patience): Promise<void> {
  const describe = async () => {
    const attempt = await Connection.connect({ ...connection, connectTimeout: 5_000 });
    try {
      await attempt.withDeadline(Date.now() + 5_000, () => attempt.workflowService.describeNamespace({ namespace }));
    } finally {
      await attempt.close();
    }
  };
  return untilReachable(`Temporal at ${connection.address}`, describe, isTemporalUnreachable, patience);
}

async function untilReachable(
  what: string,
  attempt: () => Promise<void>,
  isUnreachable: (err: unknown) => boolean,
  { log, signal }: Patience,
): Promise<void> {
  let said = -Infinity;
  for (;;) {
    signal.throwIfAborted();
    try {
      await attempt();
      if (said > 0) log.info(`${what} can be reached`);
      return;
    } catch (err) {
      if (!isUnreachable(err)) throw err;
      if (performance.now() - said > REMIND_MS) {
        said = performance.now();
        log.warn(`waiting for ${what}: ${messageOf(err)}`);
      }
    }
    await sleep(RETRY_MS, undefined, { signal });
  }
}
