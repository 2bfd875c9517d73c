/** The result for an external address. */
export type Answer =
  | { kind: 'fine' }
  /** @property why the rest of a sentence that begins with the link. @property by the evidence */
  | { kind: 'dead'; why: string; by: 'status' | 'name' }
  /**
   * @property to the new address; null if it is not useful, such as a home page. @property end of the
   *   redirects
   */
  | { kind: 'moved'; to: string | null; end: string }
  /** @property why the rest of a sentence that begins with the server. */
  | Unknown;

export interface Unknown {
  kind: 'unknown';
  why: string;
  /** Temporary. Milliseconds until a retry may help; null for the usual pause, Infinity if none would. */
  retry?: { afterMs: number | null };
  /** Some server answered. */
  isReached?: true;
  /** Nothing was sent, and nothing must be reported: an address of a private network. */
  isPrivate?: true;
}
