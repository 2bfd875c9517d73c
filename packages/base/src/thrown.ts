/**
 * The code of anything thrown: the system's (`ENOENT`), Node's or PostgreSQL's. Undefined if it has none.
 */
export function codeOf(thrown: unknown): string | undefined {
  const hasCode = typeof thrown === 'object' && thrown !== null && 'code' in thrown;
  return hasCode && typeof thrown.code === 'string' ? thrown.code : undefined;
}

/** The standard error of a failed program, or the message of anything else thrown. */
export function stderrOf(thrown: unknown): string {
  const hasOutput = typeof thrown === 'object' && thrown !== null && 'stderr' in thrown;
  return ((hasOutput && typeof thrown.stderr === 'string' && thrown.stderr.trim()) || messageOf(thrown)).trim();
}

/** The message of anything thrown. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
