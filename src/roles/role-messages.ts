/** What `docent start` and a role that it started say to each other, over the IPC channel. */

export type FromRole =
  | { type: 'ready' }
  /** It ends, and would again however often it is started, until somebody changes something. */
  | { type: 'refused'; reason: string };

export interface ToRole {
  type: 'given-up';
  parts: readonly GivenUpPart[];
}

/** A part beside this one that fails whenever it is started. */
export interface GivenUpPart {
  /** `postgres`, `temporal`, `worker` or `api` */
  name: string;
  /** What happened the last time, without secrets. */
  reason: string;
}
