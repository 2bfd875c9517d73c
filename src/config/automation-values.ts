/* What an automation can name, without the schema: the command line reads it, too. */

/** `stale_citation`: lines of a source that a page cites have changed. */
export const CODE_EVENTS = ['opened', 'approved', 'merged', 'pushed', 'stale_citation'] as const;
export type CodeEventName = (typeof CODE_EVENTS)[number];

export const READER_SIGNALS = [
  'not_found',
  'search_without_click',
  'negative_feedback',
  'agent_feedback',
  'read_by_ai_only',
] as const;
export type ReaderSignal = (typeof READER_SIGNALS)[number];

export const RUN_STATUSES = [
  'queued',
  'running',
  'review_needed',
  'accepted',
  'closed',
  'no_action',
  'failed',
  'skipped',
] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];
