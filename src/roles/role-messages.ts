/** Messages between `docent start` and a role that it started, over the IPC channel. */

export type FromRole =
  | { type: 'ready' }
  /** It ends, and would end again however often it is started, until the configuration changes. */
  | { type: 'refused'; reason: string };

export interface ToRole {
  type: 'given-up';
  parts: readonly GivenUpPart[];
}

/** A part beside this one that fails whenever it is started. */
export interface GivenUpPart {
  /** `postgres`, `temporal`, `worker` or `api` */
  name: string;
  /** The last failure, without secrets. */
  reason: string;
}
