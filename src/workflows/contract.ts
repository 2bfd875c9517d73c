/**
 * What the workflows and those who start or signal them agree on. Plain data and names: safe to import
 * anywhere.
 */

/**
 * Wakes the job's workflow: "look at your rows". It carries no authority; the preview is for people reading
 * the history.
 */
export const WAKE_SIGNAL = 'wake';

export interface WakePayload {
  /** `place`: there is a place for a job that waited for one. */
  reason: 'message' | 'publish' | 'cancel' | 'archive' | 'unarchive' | 'check' | 'place';
  /** At most 120 characters of the message, for the Web UI. */
  preview?: string;
}

/**
 * The header by which traces go through Temporal, as its SDK's own interceptors have it: an object with
 * `traceparent`.
 */
export const TRACE_HEADER = '_tracer-data';

const TRACEPARENT = /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

/**
 * The place in a trace that such a header names. Anyone who reaches Temporal can send one of any form:
 * undefined for what is none.
 * @param read decodes the header; may throw
 */
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

/** A turn as a span, when its run has ended it. Of the rest, see `EndedSpan`. */
export interface EndedTurn {
  traceparent: string;
  parent: string;
  links: string[];
  turn: number;
  startedAt: number;
  endedAt: number;
}

/** What a workflow tells its worker, beside its commands. */
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
  /**
   * False where the cluster lets no one register search attributes: setting an unregistered one would fail
   * the workflow.
   */
  searchAttributes: boolean;
}

/** Limits of one turn. Times in milliseconds. */
export interface TurnLimits {
  steps: number;
  /** Sum of the activities' own running times; waiting for a worker does not count. */
  activityMs: number;
  /** Rounds in which problems found by the docs checks go back to the agent. */
  checkRounds: number;
  /** Rounds in which a push lost to someone else's commit is tried again on the new tip. */
  publishRounds: number;
  /** A run ends when nothing has waited for this long. */
  restMs: number;
  /** A run of the workflow ends and is continued as new before it has more history events. */
  historyEvents: number;
}

export interface CheckRepositoryInput {
  host: string;
  repository: string;
  /** The host's own id of it, where the repository and not its URL is meant; else null. */
  repositoryId: string | null;
  ref: string | null;
  docsDir: string;
  /** What someone says of the site; null where it is to be found. */
  site: string | null;
  /** What the project's settings name; null or absent where it is to be found. */
  instructionFiles?: string[] | null | undefined;
  styleGuides?: string[] | null | undefined;
  /** The project's own; null for the installation's. */
  branchPrefix: string | null;
  /** Also say what the docs checks see. */
  survey?: boolean | undefined;
  /** `read`: it is a source, whose docs and branches do not matter. Absent: `write`. */
  access?: 'read' | 'write' | undefined;
  /** With `read`: also answer with the files of this folder at the branch's head. */
  readFolder?: string | undefined;
}
export interface FoundFile {
  path: string;
  /** Null for what is no text of at most 64 KB. */
  text: string | null;
}

/** What was found in a repository: a person reads it at once. */
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
  /** What is wrong with the docs folder: that it is missing, or has no page. */
  docsFolder?: string;
}

/**
 * A file that might be told to the agent, and what becomes of it: see InstructionFile of
 * src/agent/instructions.ts.
 */
export interface FoundInstructions {
  path: string;
  role: 'instructions' | 'styleGuide';
  characters: number | null;
  toldCharacters: number;
  why: string;
  missing: boolean;
}

/** What the docs checks see in a repository: see SiteSurvey of src/agent/survey-site.ts. */
export interface FoundProblems {
  pages: number;
  pagesWithoutDescription: number;
  problems: {
    code: string;
    severity: 'error' | 'warning' | 'notice';
    count: number;
    example: { path: string; line: number; message: string };
  }[];
  /** The last two are absent from a worker of an older version. */
  fixable?: { count: number; path: string; target: string } | null;
  redirectTargets?: string[];
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
      /** Null where it could not be looked at. */
      site: FoundSite | null;
      /** Null as for `site`. */
      instructions: FoundInstructions[] | null;
      /** Null where there were too many pages for the time; absent where it was not asked for. */
      survey?: FoundProblems | null;
      /** Absent where no folder was asked for. */
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
  /**
   * To be looked at instead of what is stored under the name: a new code host, or a new credential, that is
   * not kept yet.
   */
  candidate: CodeHostCandidate | null;
  /** Also look at this repository, with this base branch (null: its own). */
  repository: string | null;
  ref: string | null;
  /** Also create the webhooks of the projects' repositories, or bring them up to date: where they are to deliver. */
  hookUrl?: string | null | undefined;
}

/** What came of the webhook of a repository. */
export interface SavedHostHook {
  repository: string;
  result: 'created' | 'updated' | 'failed';
  /** A sentence; null where it did not fail. */
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

/** The sentence says what to set. Workers of an earlier build do not say whether the price is known. */
export type CheckModelResult = { ok: true; isPriced?: boolean } | { ok: false; message: string };

/** What came of asking a model one small thing. */
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
      /** `unavailable`: nothing was changed, and later it may go. */
      code: 'pull_request_not_open' | 'merge_conflict' | 'branch_checked_out' | 'refused' | 'unavailable';
      message: string;
    };

export interface RefreshPullRequestInput {
  pullRequestId: string;
}

/** `mayPass`: the host does not answer, or asked to be left alone. */
export type RefreshPullRequestResult = { ok: true } | { ok: false; message: string; mayPass: boolean };

export interface TestWebhookInput {
  /** A `ping` that was written for it. What came of it is in its rows. */
  deliveryId: string;
}

export interface TestWebhookResult {
  state: string;
}

/** One message to one webhook: a row says what and where to. */
export interface DeliverWebhookInput {
  deliveryId: string;
}

/**
 * The automation whose schedule has occurred. When it did is known to Temporal, which starts the workflow.
 */
export interface RecordOccurrenceInput {
  projectId: string;
  automationId: string;
}

/**
 * What a short workflow is started with: the id of a row that the API wrote for a caller whom it had let in.
 * The row says what is to be done and gets the answer; anything else in here is ignored.
 */
export interface ControlRequestInput {
  requestId: string;
}

/**
 * Search attributes of a job's workflow (both Keyword). Status: `active`, `completed`, `cancelled`, `failed`,
 * `archived` or `deleted`.
 */
export const SEARCH_ATTRIBUTES = { project: 'DocentProject', status: 'DocentStatus' } as const;

/** Names that tell installations apart on one namespace. No slashes: links of the Web UI break on them. */
export const taskQueueOf = (installationId: string): string => `docent-${installationId}`;
/** Messages are sent by workers of their own: slow receivers take no place from jobs. */
export const webhookQueueOf = (taskQueue: string): string => `${taskQueue}-webhooks`;
export const jobWorkflowId = (installationId: string, jobId: string): string => `docent-${installationId}-job-${jobId}`;

/** What the API and the reconciler need of Temporal. Every call is safe to repeat. */
export interface JobWorkflows {
  /**
   * Starts the workflow of a job that was just accepted. Does nothing if it runs already. Throws within 2 s
   * if Temporal is away.
   */
  start(job: WorkflowJob): Promise<void>;
  /** Signals the job's workflow, starting a run where none is open. */
  signal(job: WorkflowJob, payload: WakePayload): Promise<void>;
  /** Signals the run that is open. Where none is, no one has to be told, and nothing is started. */
  signalOpen(job: Pick<WorkflowJob, 'id'>, payload: WakePayload): Promise<void>;
  /**
   * Starts a new run that begins with the rows, and ends the one that is open in the same moment: no one ever
   * sees the job without one. What the old run was doing is fenced off by the rows.
   */
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
 * Short workflows that the API waits for. Rejects with AppError `unavailable` when no worker answers in time.
 * `requestedBy`: who was let in, `operator` or the id of a person, a session or an API key.
 */
export interface ShortWorkflows {
  checkRepository(input: CheckRepositoryInput, requestedBy: string): Promise<CheckRepositoryResult>;
  /**
   * The same, within 20 s, and once at a time for a caller: a new one ends the one before, which rejects with
   * AppError `superseded`.
   */
  surveyRepository(input: CheckRepositoryInput, requestedBy: string): Promise<CheckRepositoryResult>;
  changePullRequest(input: ChangePullRequestInput, requestedBy: string): Promise<ChangePullRequestResult>;
  checkHost(input: CheckHostInput, requestedBy: string): Promise<CheckHostResult>;
  checkModel(input: CheckModelInput, requestedBy: string): Promise<CheckModelResult>;
  testModel(input: CheckModelInput, requestedBy: string): Promise<TestModelResult>;
  refreshPullRequest(input: RefreshPullRequestInput, requestedBy: string): Promise<RefreshPullRequestResult>;
  testWebhook(input: TestWebhookInput, requestedBy: string): Promise<TestWebhookResult>;
}
