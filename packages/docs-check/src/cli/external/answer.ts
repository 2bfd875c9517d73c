/** What is known of an external address. */
export type Answer =
  | { kind: 'fine' }
  /** @property why the rest of a sentence that begins with the link. @property by what says so */
  | { kind: 'dead'; why: string; by: 'status' | 'name' }
  /** @property to where it is now; null where the new address is no answer, such as a home page. @property end where requests were sent on to */
  | { kind: 'moved'; to: string | null; end: string }
  /** @property why the rest of a sentence that begins with the server. */
  | Unknown;

export interface Unknown {
  kind: 'unknown';
  why: string;
  /**
   * It may pass. Milliseconds before another try may tell more; null for the usual pause, Infinity where none
   * would.
   */
  retry?: { afterMs: number | null };
  /** Some server answered. */
  isReached?: true;
  /** Nothing was sent, and nothing needs to be said: an address of a private network. */
  isPrivate?: true;
}
