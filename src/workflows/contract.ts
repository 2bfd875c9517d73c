/** Plain data and names of the workflows and their callers. Safe to import anywhere. */

/** Wakes a job's workflow: "read your rows". No authority; the preview is for the history's readers. */
export const WAKE_SIGNAL = 'wake';

export interface WakePayload {
  /** `place`: a slot is free for a job that waited for one. */
  reason: 'message' | 'publish' | 'cancel' | 'archive' | 'unarchive' | 'check' | 'place';
  /** At most 120 characters of the message, for the Web UI. */
  preview?: string;
}

/** Temporal's header for traces, as in its SDK's interceptors: an object with `traceparent`. */
export const TRACE_HEADER = '_tracer-data';

const TRACEPARENT = /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

/** The trace context of such an untrusted header, or undefined. @param read decodes it; may throw */
export function traceparentIn(read: () => unknown): string | undefined {
  try {
    const carrier = read();
    const isCarrier = typeof carrier === 'object' && carrier !== null && 'traceparent' in carrier;
    const named = isCarrier ? carrier.traceparent : undefined;
    return typeof named === 'string' && TRACEPARENT.test(named) ? named : undefined;
  } catch {
    return undefined;
  }
}

/** A turn as a span, after its run has ended it. For the other fields, see `EndedSpan`. */
export interface EndedTurn {
  traceparent: string;
  parent: string;
  links: string[];
  turn: number;
  startedAt: number;
  endedAt: number;
}

/** The reports of a workflow to its worker, in addition to its commands. */
export type TurnSinks = { traces: { turnEnded(turn: EndedTurn): void } };

export const WORKFLOW = {
  agentJob: 'agentJob',
  checkRepository: 'checkRepository',
  changePullRequest: 'changePullRequest',
  checkHost: 'checkHost',
  checkModel: 'checkModel',
  testModel: 'testModel',
  maintainAnalytics: 'maintainAnalytics',
  deleteExpired: 'deleteExpired',
  refreshPullRequest: 'refreshPullRequest',
  refreshPullRequests: 'refreshPullRequests',
  testWebhook: 'testWebhook',
  deliverWebhook: 'deliverWebhook',
  recordOccurrence: 'recordOccurrence',
} as const;

export interface AgentJobInput {
  jobId: string;
  /** False if the cluster forbids registering search attributes, which then fail workflows. */
  searchAttributes: boolean;
}

/** Limits of one turn. Times in milliseconds. */
export interface TurnLimits {
  steps: number;
  /** Sum of the activities' own running times; waiting for a worker does not count. */
  activityMs: number;
  /** How often problems found by the docs checks go back to the agent. */
  checkRounds: number;
  /** How often a push that lost to another commit is retried on the new tip. */
  publishRounds: number;
  /** A run ends when nothing has waited for this long. */
  restMs: number;
  /** A run of the workflow ends and is continued as new before it has more history events. */
  historyEvents: number;
}

export interface CheckRepositoryInput {
  host: string;
  repository: string;
  /** The host's own id of the repository, to identify it even if its URL now names another one; else null. */
  repositoryId: string | null;
  ref: string | null;
  docsDir: string;
  /** The site as stated by the caller; null to detect it. */
  site: string | null;
  /** From the project's settings; null or absent to detect them. */
  instructionFiles?: string[] | null | undefined;
  styleGuides?: string[] | null | undefined;
  /** The project's own; null for the installation's. */
  branchPrefix: string | null;
  /** Also report what the docs checks find. */
  survey?: boolean | undefined;
  /** `read` for a source: its docs and branches do not matter. Absent: `write`. */
  access?: 'read' | 'write' | undefined;
  /**
   * With `read`: also answer with the files of this folder at the branch's head, and with what is there instead
   * of the folder.
   */
  readFolder?: string | undefined;
}
export interface FoundFile {
  path: string;
  kind: 'file' | 'symlink' | 'submodule';
  /** Null if it is not text of at most 64 KB. */
  text: string | null;
}

/** Findings about a repository. A person sees them immediately. */
export interface FoundSite {
  kind:
    | 'docs.json'
    | 'mint.json'
    | 'docusaurus'
    | 'vitepress'
    | 'mkdocs'
    | 'mdbook'
    | 'starlight'
    | 'hugo'
    | 'sphinx'
    | 'nextra'
    | 'fumadocs'
    | 'plain';
  config: string | null;
  folder: string;
  pages: number;
  unsure: string | null;
  candidates: string[];
  /** The problem with the docs folder: it is missing, or has no page. */
  docsFolder?: string;
}

/** A file that may become instructions. See InstructionFile in packages/agent/src/instructions.ts. */
export interface FoundInstructions {
  path: string;
  role: 'instructions' | 'styleGuide';
  characters: number | null;
  includedCharacters: number;
  why: string;
  missing: boolean;
}

/** What the docs checks find in a repository. See SiteSurvey in packages/agent/src/survey-site.ts. */
export interface FoundProblems {
  pages: number;
  pagesWithoutDescription: number;
  problems: {
    code: string;
    severity: 'error' | 'warning' | 'notice';
    count: number;
    example: { path: string; line: number; message: string };
  }[];
  fixable: { count: number; path: string; target: string } | null;
  redirectTargets: string[];
}

/** A refusal is a result, not a failure. */
export type CheckRepositoryResult =
  | {
      ok: true;
      repository: string;
      /** The host's own id of it; null on `local`. */
      repositoryId: string | null;
      url: string;
      ref: string;
      commit: string;
      /** Null if the site could not be read. */
      site: FoundSite | null;
      /** Null as for `site`. */
      instructions: FoundInstructions[] | null;
      /** Null if there were too many pages for the time limit; absent if not requested. */
      survey?: FoundProblems | null;
      /** Absent if no folder was requested. */
      files?: FoundFile[];
    }
  | { ok: false; code: string; message: string };

export interface CodeHostCandidate {
  kind: 'github' | 'gitlab' | 'gitea';
  webUrl: string;
  apiUrl: string;
  appId: string | null;
  /** Encrypted, in base64. */
  credential: string;
  keyId: string;
}

export interface CheckHostInput {
  host: string;
  /** Checked instead of the stored host: a new code host or credential that is not saved yet. */
  candidate: CodeHostCandidate | null;
  /** Also check this repository, with this base branch (null: its default branch). */
  repository: string | null;
  ref: string | null;
  /** Also create or update the webhooks of the projects' repositories, so that they deliver to this URL. */
  hookUrl?: string | null | undefined;
}

/** The result of creating or updating a repository's webhook. */
export interface SavedHostHook {
  repository: string;
  result: 'created' | 'updated' | 'failed';
  /** A sentence; null if it did not fail. */
  problem: string | null;
}

export interface CheckHostResult {
  ok: boolean;
  account: string | null;
  /** Sentences. */
  problems: string[];
  hooks?: SavedHostHook[] | undefined;
}

export interface CheckModelInput {
  model: string;
}

/** The sentence names the setting to change. */
export type CheckModelResult = { ok: true; isPriced: boolean } | { ok: false; message: string };

/** The result of asking a model one short question. */
export type TestModelResult =
  | { ok: true; ms: number; inputTokens: number; outputTokens: number; costUsd: number | null }
  /** `code`: a code of failed jobs, or `model_no_tool_call`. */
  | { ok: false; code: string; message: string };

export interface ChangePullRequestInput {
  pullRequestId: string;
  action: 'merge' | 'close';
}

export type ChangePullRequestResult =
  | { ok: true; state: 'merged' | 'closed' }
  | {
      ok: false;
      /** `unavailable`: nothing was changed; a later attempt may succeed. */
      code: 'pull_request_not_open' | 'merge_conflict' | 'branch_checked_out' | 'merge_refused' | 'unavailable';
      message: string;
    };

export interface RefreshPullRequestInput {
  pullRequestId: string;
}

/** `mayPass`: the host does not respond, or limits the rate. */
export type RefreshPullRequestResult = { ok: true } | { ok: false; message: string; mayPass: boolean };

export interface TestWebhookInput {
  /** A `ping` that was written for this check. Its rows have the outcome. */
  deliveryId: string;
}

export interface TestWebhookResult {
  state: string;
}

/** One message to one webhook. Its row has the content and the address. */
export interface DeliverWebhookInput {
  deliveryId: string;
}

/** The automation whose schedule is due. Temporal, which starts the workflow, knows the time. */
export interface RecordOccurrenceInput {
  projectId: string;
  automationId: string;
}

/** Starts a short workflow: the id of a row with an authenticated request, which receives the answer. */
export interface ControlRequestInput {
  requestId: string;
}

/** A job's (Keyword). Status: `active`, `completed`, `cancelled`, `failed`, `archived` or `deleted`. */
export const SEARCH_ATTRIBUTES = { project: 'DocentProject', status: 'DocentStatus' } as const;

/** Distinguishes installations in one namespace. No slashes: they break links in Temporal's Web UI. */
export const taskQueueOf = (installationId: string): string => `docent-${installationId}`;
/** Webhooks have their own workers, so slow receivers do not take slots from jobs. */
export const webhookQueueOf = (taskQueue: string): string => `${taskQueue}-webhooks`;
export const jobWorkflowId = (installationId: string, jobId: string): string => `docent-${installationId}-job-${jobId}`;

/** What the API and the reconciler need from Temporal. Every call is safe to repeat. */
export interface JobWorkflows {
  /** Starts an accepted job's workflow, if it does not run. Throws within 2 s if Temporal is unavailable. */
  start(job: WorkflowJob): Promise<void>;
  /** Signals the job's workflow, starting a run where none is open. */
  signal(job: WorkflowJob, payload: WakePayload): Promise<void>;
  /** Signals the open run. Does nothing if there is none. */
  signalOpen(job: Pick<WorkflowJob, 'id'>, payload: WakePayload): Promise<void>;
  /** Starts a new run and ends the open one in one call. The rows fence off the old run's work. */
  replace(job: WorkflowJob): Promise<void>;
}

export interface WorkflowJob {
  id: string;
  projectId: string;
  status: string;
  /** First line of the prompt, for the Web UI. */
  title: string;
  /** The first prompt, for the Web UI; cut at 2,000 characters. */
  prompt?: string;
}

/**
 * Short workflows that the API waits for. Throws AppError `unavailable`. `requestedBy`: `operator`, or a
 * person's, session's or key's id.
 */
export interface ShortWorkflows {
  checkRepository(input: CheckRepositoryInput, requestedBy: string): Promise<CheckRepositoryResult>;
  /** Within 20 s, one per caller: a new survey ends the previous one with AppError `superseded`. */
  surveyRepository(input: CheckRepositoryInput, requestedBy: string): Promise<CheckRepositoryResult>;
  changePullRequest(input: ChangePullRequestInput, requestedBy: string): Promise<ChangePullRequestResult>;
  checkHost(input: CheckHostInput, requestedBy: string): Promise<CheckHostResult>;
  checkModel(input: CheckModelInput, requestedBy: string): Promise<CheckModelResult>;
  testModel(input: CheckModelInput, requestedBy: string): Promise<TestModelResult>;
  refreshPullRequest(input: RefreshPullRequestInput, requestedBy: string): Promise<RefreshPullRequestResult>;
  testWebhook(input: TestWebhookInput, requestedBy: string): Promise<TestWebhookResult>;
}
