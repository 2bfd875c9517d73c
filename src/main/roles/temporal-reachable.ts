import { Connection } from '@temporalio/client';
import type { TemporalSettings } from './temporal-settings.ts';
import { untilReachable, type Patience } from './until-reachable.ts';

/** gRPC codes of a server that cannot be reached yet: DEADLINE_EXCEEDED, UNAVAILABLE. */
const UNREACHABLE_CODES = new Set([4, 14]);

function isTemporalUnreachable(err: unknown): boolean {
  return UNREACHABLE_CODES.has(grpcCodeOf(err) ?? (err instanceof Error ? grpcCodeOf(err.cause) : undefined) ?? 14);
}

function grpcCodeOf(err: unknown): number | undefined {
  return err instanceof Error && 'code' in err && typeof err.code === 'number' ? err.code : undefined;
}

/** Resolves when the namespace can be described. Waits for it as long as it takes; rejects at once where waiting would not help. */
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
