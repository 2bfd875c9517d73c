import type { WebhookEvent } from './webhook-events.ts';

/**
 * `preview`: held back until someone publishes them. `ask`: there are none. `push`: straight to the base
 * branch.
 */
export const JOB_MODES = ['pull-request', 'preview', 'ask', 'push'] as const;
export type JobMode = (typeof JOB_MODES)[number];

/**
 * What a job was created with beside its prompt, as `options` of its row holds it. Absent: as the project or
 * the installation says. What listings look at has columns of its own: title, model, base branch and
 * metadata.
 */
export interface JobOptions {
  /** What becomes of its changes; absent: a pull request. */
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
  /** What started it, where a person did at a code host. No client sets it. */
  cause?: JobCause;
  /** Ids of the attachments that came with its prompt. */
  attachments?: string[];
  /** Who is told of it alone, without secrets: what is sent is in a row of `webhooks`. */
  webhook?: { url: string; events: WebhookEvent[] };
}

/** What a person wrote at a code host that started a job. */
export interface JobCause {
  /** Of the issue or pull request in which it was written. */
  url: string;
  /** `ref` is the branch of a pull request, to which its author may push. */
  isOwnBranch: boolean;
  /** Its pull requests are drafts until the pull request in which it was written is merged. */
  isDraftUntilMerge?: boolean;
}

/** How much the model is to think. */
export type Effort = 'low' | 'medium' | 'high';

/** What the job may take in all, where that is less than the project allows. Dollars in full. */
export interface JobBudget {
  tokens?: number;
  usd?: number;
}

/** A client's own words about a job, told back as they were given. */
export type JobMetadata = Record<string, string>;

export function modeOf({ options }: { options: JobOptions }): JobMode {
  return options.mode ?? 'pull-request';
}
