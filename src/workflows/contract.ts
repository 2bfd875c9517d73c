/** What the workflows and those who start or ring them agree on. Plain data and names: safe to import anywhere. */

/** Rings the job: "look at your rows". It carries no authority; the preview is for people reading the history. */
export const RING_SIGNAL = 'ring';

export interface RingPayload {
  reason: 'message' | 'cancel' | 'archive' | 'unarchive' | 'check';
  /** At most 120 characters of the message, for the Web UI. */
  preview?: string;
}

export const WORKFLOW = {
  agentJob: 'agentJob',
  checkRepository: 'checkRepository',
  changePullRequest: 'changePullRequest',
  checkHost: 'checkHost',
  checkModel: 'checkModel',
  maintainAnalytics: 'maintainAnalytics',
} as const;

export interface AgentJobInput {
  jobId: string;
  limits: TurnLimits;
  /** False where the cluster lets nobody register search attributes: setting an unregistered one would fail the workflow. */
  searchAttributes: boolean;
}

/** Limits of one turn. Times in milliseconds. */
export interface TurnLimits {
  steps: number;
  /** Sum of the activities' own running times; waiting for a worker does not count. */
  activityMs: number;
  /** Rounds in which problems found by the docs checks go back to the agent. */
  checkRounds: number;
  /** Rounds in which a push lost to somebody else's commit is tried again on the new tip. */
  publishRounds: number;
  /** A job without a message for this long is archived. */
  idleMs: number;
  /** A run of the workflow ends and is continued as new before it has more history events. */
  historyEvents: number;
}

export const DEFAULT_LIMITS: TurnLimits = {
  steps: 50,
  activityMs: 30 * 60_000,
  checkRounds: 3,
  publishRounds: 5,
  idleMs: 30 * 86_400_000,
  historyEvents: 1_000,
};

export interface CheckRepositoryInput {
  host: string;
  repository: string;
  ref: string | null;
}

/** The result of `checkRepository`; a refusal is a result, not a failure. */
export type CheckRepositoryResult =
  | { ok: true; repository: string; url: string; ref: string; commit: string }
  | { ok: false; code: string; message: string };

export interface CheckHostInput {
  host: string;
  /** Also look at this repository, with this base branch (null: its own). */
  repository: string | null;
  ref: string | null;
}

export interface CheckHostResult {
  ok: boolean;
  account: string | null;
  /** Sentences. */
  problems: string[];
}

export interface CheckModelInput {
  model: string;
}

/** The sentence says what to set. */
export type CheckModelResult = { ok: true } | { ok: false; message: string };

export interface ChangePullRequestInput {
  pullRequestId: string;
  action: 'merge' | 'close';
}

export type ChangePullRequestResult =
  | { ok: true; state: 'merged' | 'closed' }
  | { ok: false; code: 'pull_request_not_open' | 'merge_conflict' | 'branch_checked_out' | 'refused'; message: string };

/** Search attributes of a job's workflow (both Keyword). Status: `active`, `completed`, `failed` or `archived`. */
export const SEARCH_ATTRIBUTES = { project: 'DocentProject', status: 'DocentStatus' } as const;

/** Names that tell installations apart on one namespace. No slashes: links of the Web UI break on them. */
export const taskQueueOf = (installationId: string): string => `docent-${installationId}`;
export const jobWorkflowId = (installationId: string, jobId: string): string => `docent-${installationId}-job-${jobId}`;

/** What the API and the dispatcher need of Temporal. Every call is safe to repeat. */
export interface JobBell {
  /** Starts the workflow of a job that was just accepted. Does nothing if it runs already. Throws within 2 s if Temporal is away. */
  start(job: BellJob): Promise<void>;
  /** Signals the job's workflow, starting a run where none is open. */
  ring(job: BellJob, payload: RingPayload): Promise<void>;
}

export interface BellJob {
  id: string;
  projectId: string;
  status: string;
  /** First line of the prompt, for the Web UI. */
  title: string;
  /** The first prompt, for the Web UI; cut at 2,000 characters. */
  prompt?: string;
}

/** Short workflows that the API waits for. Rejects with AppError `unavailable` when no worker answers in time. */
export interface ShortWorkflows {
  checkRepository(input: CheckRepositoryInput): Promise<CheckRepositoryResult>;
  changePullRequest(input: ChangePullRequestInput): Promise<ChangePullRequestResult>;
  checkHost(input: CheckHostInput): Promise<CheckHostResult>;
  checkModel(input: CheckModelInput): Promise<CheckModelResult>;
}
