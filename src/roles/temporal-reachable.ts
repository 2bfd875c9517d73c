import { Connection } from '@temporalio/client';
import type { TemporalSettings } from './temporal-settings.ts';
import { grpcCodeOf, isUnreachable } from '../temporal/unreachable.ts';
import { untilReachable, type Patience } from './until-reachable.ts';

/** Waits until the namespace can be described; rejects at once if waiting would not help. */
export function temporalReachable({ connection, namespace }: TemporalSettings, patience: Patience): Promise<void> {
  const describe = async () => {
    const attempt = await Connection.connect({ ...connection, connectTimeout: 5_000 });
    try {
      await attempt.withDeadline(Date.now() + 5_000, () => attempt.workflowService.describeNamespace({ namespace }));
    } finally {
      await attempt.close();
    }
  };
  return untilReachable(`Temporal at ${connection.address}`, describe, mayBeUnreachable, patience);
}

/** A connection that could not be made has no code. */
const mayBeUnreachable = (err: unknown): boolean => isUnreachable(err) || grpcCodeOf(err) === undefined;
