export type GitService = 'git-upload-pack' | 'git-receive-pack';

/** Beyond them: RepositoryProblem `unreachable` or `repository_unsupported`. */
export interface TransferLimits {
  /** Bytes of one answer. */
  maxBytes: number;
  /** Longest silence, in milliseconds. */
  idleMs: number;
  /** Longest time of one exchange, in milliseconds. */
  totalMs: number;
}

export const DEFAULT_TRANSFER_LIMITS: TransferLimits = {
  maxBytes: 1024 * 1024 * 1024,
  idleMs: 60_000,
  totalMs: 600_000,
};

export interface ExchangeOptions {
  signal?: AbortSignal | undefined;
  limits: TransferLimits;
  /** `version=2` requests git's protocol 2; without it the server answers in the old one. */
  protocol?: 'version=2' | undefined;
}

/**
 * The two requests of git's smart protocol (gitprotocol-http): a service's advertisement, and one stateless
 * call. Nothing happens before the answer is iterated; leaving the iteration early ends the exchange and
 * frees its resources. Errors are RepositoryProblem, or the signal's reason.
 */
export interface GitTransport {
  advertise(service: GitService, options: ExchangeOptions): AsyncGenerator<Uint8Array>;
  call(service: GitService, request: Uint8Array, options: ExchangeOptions): AsyncGenerator<Uint8Array>;
}
