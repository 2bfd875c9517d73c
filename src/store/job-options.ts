import type { WebhookEvent } from '@docent/client';

/** `preview`: changes wait to be published. `ask`: no changes. `push`: straight to the base branch. */
export const JOB_MODES = ['pull-request', 'preview', 'ask', 'push'] as const;
export type JobMode = (typeof JOB_MODES)[number];

/**
 * The options that a job was created with. Absent: those of the project or installation. Some have columns.
 */
export interface JobOptions {
  /** Where its changes go; absent: a pull request. */
  mode?: JobMode;
  /** The base branch, in place of the project's. */
  ref?: string;
  /** The branch of its commits, in place of one that Docent names. */
  branch?: string;
  /** As the client calls it; the row's `title` is the same. */
  title?: string;
  effort?: Effort;
  budget?: JobBudget;
  /** Whether its pull requests are drafts. */
  draft?: boolean;
  /** The event at a code host that started it. Clients cannot set it. */
  cause?: JobCause;
  /** Ids of the attachments that came with its prompt. */
  attachments?: string[];
  /** A webhook for this job only, without secrets: those are in a row of `webhooks`. */
  webhook?: { url: string; events: WebhookEvent[] };
}

/** A comment at a code host that started a job. */
export interface JobCause {
  /** URL of its issue or pull request. */
  url: string;
  /** `ref` is the branch of a pull request, to which its author may push. */
  isOwnBranch: boolean;
  /** Its pull requests are drafts until the pull request of the comment is merged. */
  isDraftUntilMerge?: boolean;
  /** The number of the pull request that the job reviews. Its answer comes with comments on lines. */
  reviews?: number;
}

/** How much the model is to think. */
export type Effort = 'low' | 'medium' | 'high';

/** Limits of the job, if lower than the project's. Amounts are in dollars. */
export interface JobBudget {
  tokens?: number;
  usd?: number;
}

/** A client's own labels of a job, returned unchanged. */
export type JobMetadata = Record<string, string>;

export function modeOf({ options }: { options: JobOptions }): JobMode {
  return options.mode ?? 'pull-request';
}
