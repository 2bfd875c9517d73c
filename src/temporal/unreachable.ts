/** gRPC codes of a server that cannot be reached now: DEADLINE_EXCEEDED, UNAVAILABLE. */
const UNREACHABLE_CODES = new Set([4, 14]);

/** The gRPC code of an error of Temporal's client, or of its cause. */
export function grpcCodeOf(err: unknown): number | undefined {
  for (let at = err; at instanceof Error; at = at.cause)
    if ('code' in at && typeof at.code === 'number') return at.code;
  return undefined;
}

/** Whether Temporal, or one of its shards, did not answer. Other errors are about the request itself. */
export function isUnreachable(err: unknown): boolean {
  return UNREACHABLE_CODES.has(grpcCodeOf(err) ?? -1);
}
