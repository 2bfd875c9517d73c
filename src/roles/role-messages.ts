/** Messages between `docent start` and a role that it started, over the IPC channel. */

import type { GivenUpPart } from '@docent/servers/given-up-parts';

export type FromRole =
  | { type: 'ready' }
  /** It ends, and would end again however often it is started, until the configuration changes. */
  | { type: 'refused'; reason: string };

export interface ToRole {
  type: 'given-up';
  parts: readonly GivenUpPart[];
}
