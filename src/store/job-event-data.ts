/** An event of a job for programs, by its type. Stored as JSON: fields may be added, never renamed. */
export interface JobEventData {
  /** Of `step`, `tools` and `answer`: the step of the turn, counted from 1. */
  step?: number;
  /** For `step` and `answer`: the model's text, at most MAX_EVENT_TEXT characters, without secrets. */
  words?: string;
  /** For `step`: short descriptions of the model's calls. */
  calls?: { id: string; name: string; summary: string }[];
  /** For `tools`: the outcomes of the calls, without texts of files. */
  results?: { id: string; name: string; ok: boolean; changed: string[] }[];
  /** Of `checks`: how many new problems the change brings. */
  problems?: number;
  /** Of `published`. */
  commit?: string;
  branch?: string;
  prLink?: string;
  /** Of `turn_ended`. */
  state?: 'published' | 'ready' | 'unchanged' | 'failed' | 'cancelled' | 'archived';
  outcome?: string | null;
  error?: { code: string; message: string } | null;
}

/** Longest words of an event, in characters; more is cut. */
export const MAX_EVENT_TEXT = 20_000;
/** Most entries of a list in an event. */
export const MAX_EVENT_ENTRIES = 100;
