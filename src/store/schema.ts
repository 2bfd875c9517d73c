import { sql } from 'drizzle-orm';
import { bigint, boolean, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import type { CodeHostKind } from '@docent/code-hosts/remote-api';
import type { StorableProvider } from '@docent/models/model-id';
import type { ProjectSettingValues } from '../config/project-settings.ts';
import type { SaltSchedule } from './analytics-settings.ts';
import { bytea, instant } from './columns.ts';
import type { JobEventData } from './job-event-data.ts';
import type { JobMetadata, JobOptions } from './job-options.ts';
import type { PullRequestChecks, PullRequestReview } from '@docent/code-hosts/checks';
import type { ChangeSize, PublishOrder } from './preview.ts';

/** One row: distinguishes task queues and workflow ids of installations that share a namespace. */
export const installation = pgTable('installation', {
  singleton: boolean('singleton').primaryKey().default(true),
  id: text('id').notNull(),
  /** The model of projects without one, set by an operator. `DOCENT_MODEL` takes precedence. */
  model: text('model'),
  createdAt: instant('created_at').notNull().defaultNow(),
});

/** One row: which builds of Docent can use this database. */
export const schemaVersion = pgTable('schema_version', {
  singleton: boolean('singleton').primaryKey().default(true),
  /** The highest migration that was applied. */
  level: integer('level').notNull(),
  /** The lowest level that a build must have. */
  minCompatible: integer('min_compatible').notNull(),
  /** The version of Docent that changed the schema last. */
  changedBy: text('changed_by').notNull(),
  changedAt: instant('changed_at').notNull().defaultNow(),
});

/** Processes that use this database. A migration removes nothing that they still use. */
export const processes = pgTable('processes', {
  id: text('id').primaryKey(),
  /** The command that people know, such as `docent api`. */
  name: text('name').notNull(),
  version: text('version').notNull(),
  /** The schema level of its build. */
  level: integer('level').notNull(),
  host: text('host').notNull(),
  pid: integer('pid').notNull(),
  startedAt: instant('started_at').notNull().defaultNow(),
  seenAt: instant('seen_at').notNull().defaultNow(),
});

/** Limits for spending on models, in dollars; days are UTC. Absent: no limit. */
export interface Budgets {
  jobTokens?: number;
  jobUsd?: number;
  dayTokens?: number;
  dayUsd?: number;
}

/** A project's settings. Absent: the default. Salt policies have the days from which they apply. */
export type ProjectSettings = Partial<Omit<ProjectSettingValues, 'analyticsSaltPolicy'>> & {
  analyticsSalts?: SaltSchedule;
  /** The base branch was not named, so the repository's default branch may replace it. Not shown. */
  followsDefaultBranch?: true;
};

/** Code hosts on the network, with the credential that Docent has for each. */
export const codeHosts = pgTable('code_hosts', {
  /** The operator's name for it. */
  id: text('id').primaryKey(),
  kind: text('kind').$type<CodeHostKind>().notNull(),
  /** The prefix of its repositories' URLs, without a trailing slash. */
  webUrl: text('web_url').notNull(),
  apiUrl: text('api_url').notNull(),
  /** Null for a token; the id of a GitHub App, whose private key is the credential. */
  appId: text('app_id'),
  /** Encrypted: see secret-box.ts. */
  credential: bytea('credential').notNull(),
  /** Names the key that it is encrypted with. */
  keyId: text('key_id').notNull(),
  createdAt: instant('created_at').notNull().defaultNow(),
  updatedAt: instant('updated_at').notNull().defaultNow(),
});

/** Model keys that an operator entered: see model-keys.ts. A worker's environment takes precedence. */
export const modelKeys = pgTable('model_keys', {
  provider: text('provider').$type<StorableProvider>().primaryKey(),
  /** For a server without a standard address. */
  baseUrl: text('base_url'),
  /** Encrypted: see secret-box.ts. */
  secret: bytea('secret').notNull(),
  keyId: text('key_id').notNull(),
  updatedAt: instant('updated_at').notNull().defaultNow(),
});

export const projects = pgTable('projects', {
  id: text('id').primaryKey(),
  /** Id of a row of `code_hosts`; `local` is a git repository on this machine. */
  host: text('host').notNull().default('local'),
  /** Absolute path (host `local`) or URL without user info: the repository's address at the last check. */
  repository: text('repository').notNull(),
  /** The code host's permanent id of the repository. Null on `local` and until a turn found it. */
  repositoryId: text('repository_id'),
  /** Base branch: pull requests go to it. */
  ref: text('ref').notNull(),
  /** Folder that the agent may change, without slashes at its ends; empty means the whole repository. */
  docsDir: text('docs_dir').notNull().default(''),
  /** The project's own model; null follows the installation's. */
  model: text('model'),
  settings: jsonb('settings').$type<ProjectSettings>().notNull().default({}),
  createdAt: instant('created_at').notNull().defaultNow(),
  updatedAt: instant('updated_at').notNull().defaultNow(),
  /** When files of the repository last defined its automations, by the database's clock. */
  automationsAppliedAt: instant('automations_applied_at'),
});

export const KEY_SCOPES = ['read', 'write', 'events', 'analytics'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

export const apiKeys = pgTable(
  'api_keys',
  {
    id: text('id').primaryKey(),
    name: text('name').notNull(),
    /** SHA-256 of the whole key. The key itself is stored nowhere. */
    hash: bytea('hash').notNull(),
    /** The key's first characters, to recognize it by. */
    hint: text('hint').notNull(),
    scopes: text('scopes').array().$type<KeyScope[]>().notNull(),
    /** The projects that the key can access; null means all. */
    projectIds: text('project_ids').array(),
    /** Addresses or CIDR ranges that may use the key; null means any. */
    allowedAddresses: text('allowed_addresses').array(),
    createdAt: instant('created_at').notNull().defaultNow(),
    expiresAt: instant('expires_at'),
    revokedAt: instant('revoked_at'),
    /** For its current secret: see `former_key_secrets`. */
    lastUsedAt: instant('last_used_at'),
    /** When it got the secret that it has now; null for its first one. */
    secretCreatedAt: instant('secret_created_at'),
    /**
     * Set for a share link: a key whose own secret is known nowhere, and whose link is exchanged for tokens
     * of it. SHA-256 of the link's secret. Without an index: there are some hundreds of keys.
     */
    linkHash: bytea('link_hash'),
    /** Salt and scrypt hash of a share link's password: see share-links.ts. */
    linkPassword: bytea('link_password'),
  },
  (t) => [uniqueIndex('api_keys_hash').on(t.hash)],
);

export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    /** The owner of the key: a project id, or `*` for routes outside projects. */
    owner: text('owner').notNull(),
    /** operationId, and the job's id if the route has one. */
    route: text('route').notNull(),
    key: text('key').notNull(),
    bodyHash: bytea('body_hash').notNull(),
    status: integer('status'),
    /** The first response, without secrets. Null while the first request is in progress. */
    response: jsonb('response'),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.owner, t.route, t.key] }), index('idempotency_keys_created').on(t.createdAt)],
);

export const JOB_STATUSES = ['active', 'completed', 'failed', 'archived'] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

/** The outcome of a turn: see `outcome` of Job in openapi.yaml. */
export const OUTCOMES = ['changed', 'answered', 'unchanged', 'refused', 'asked', 'discarded', 'failed'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** Jobs whose workflow has work to do, or a signal to receive. */
export const UNSETTLED = sql.raw(`(status = 'active' OR signal_pending)`);

/** Jobs that a client labeled; the index leaves out the others. */
export const HAS_METADATA = sql.raw(`metadata <> '{}'::jsonb`);

/** A job's shown outcome: none while it is active. The index and the query have exactly the same text. */
export const SHOWN_OUTCOME = sql.raw(`(CASE WHEN status <> 'active' THEN outcome END)`);
/** Jobs that may be due for retention: identical to the conditions of the indexes. */
export const ARCHIVED = sql.raw(`archived_at IS NOT NULL`);
export const HAS_TRANSCRIPT = sql.raw(
  `archived_at IS NOT NULL AND (transcript_removed_at IS NULL OR transcript_removed_at < archived_at)`,
);
export const HAS_EVENTS = sql.raw(
  `archived_at IS NOT NULL AND (events_removed_at IS NULL OR events_removed_at < archived_at)`,
);

export const jobs = pgTable(
  'jobs',
  {
    id: text('id').primaryKey(),
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id),
    status: text('status').$type<JobStatus>().notNull().default('active'),
    /** The status that `unarchive` restores. */
    statusBeforeArchive: text('status_before_archive').$type<JobStatus>(),
    model: text('model').notNull(),
    /** The repository's URL as the API shows it, without user info. */
    repositoryUrl: text('repository_url').notNull(),
    baseRef: text('base_ref').notNull(),
    /** The branch of the newest link of the job's chain, once it exists. */
    branch: text('branch'),
    prLink: text('pr_link'),
    title: text('title').notNull(),
    options: jsonb('options').$type<JobOptions>().notNull().default({}),
    metadata: jsonb('metadata').$type<JobMetadata>().notNull().default({}),
    /** The automation that created it, which may be deleted; null for one from the API. */
    automationId: text('automation_id'),
    /** `operator`, or `key:`, `automation:` or `person:` with an id: see job-creator.ts. */
    createdBy: text('created_by'),
    /** The creator's name at that time. */
    createdByName: text('created_by_name'),
    /** A preview's change that is ready to publish; null without one. */
    pendingChanges: jsonb('pending_changes').$type<ChangeSize>(),
    /** The newest request to publish a finished change. */
    publishOrder: jsonb('publish_order').$type<PublishOrder>(),
    summary: text('summary'),
    /** Of its last turn; null while the job is active, and if that turn was canceled. */
    outcome: text('outcome').$type<Outcome>(),
    errorCode: text('error_code'),
    errorMessage: text('error_message'),
    lastMessageNo: integer('last_message_no').notNull().default(0),
    lastTurnNo: integer('last_turn_no').notNull().default(0),
    lastEventNo: integer('last_event_no').notNull().default(0),
    /** Sums over the job's `model_calls`, so that showing a job takes one row. */
    modelCalls: integer('model_calls').notNull().default(0),
    inputTokens: bigint('input_tokens', { mode: 'number' }).notNull().default(0),
    cachedInputTokens: bigint('cached_input_tokens', { mode: 'number' }).notNull().default(0),
    outputTokens: bigint('output_tokens', { mode: 'number' }).notNull().default(0),
    costNanoUsd: bigint('cost_nano_usd', { mode: 'number' }).notNull().default(0),
    /** Model calls without a known price: with any of them, the job's cost is unknown. */
    unpricedCalls: integer('unpriced_calls').notNull().default(0),
    /** What the model is doing now, for watchers; null while it does nothing. */
    progress: text('progress'),
    /** Set when someone asked to cancel the running turn; cleared when that turn ends. */
    cancelRequestedAt: instant('cancel_requested_at'),
    /** Set by cancel, archive or unarchive until the workflow has the signal. See the reconciler. */
    signalPending: boolean('signal_pending').notNull().default(false),
    /** Order among waiting turns, lowest first, drawn under a lock: see jobs/queue.ts. */
    queueNo: bigint('queue_no', { mode: 'number' }),
    /** When a slot was reserved for the job; null once its turn has begun. See jobs/queue.ts. */
    slotReservedAt: instant('slot_reserved_at'),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
    archivedAt: instant('archived_at'),
    /** When transcript and events were deleted: see retention.ts. New ones may follow until `archivedAt`. */
    transcriptRemovedAt: instant('transcript_removed_at'),
    eventsRemovedAt: instant('events_removed_at'),
  },
  (t) => [
    // Ascending, and read from the end: `.desc()` here is NULLS LAST, and `ORDER BY … DESC` is not.
    index('jobs_of_project').on(t.projectId, t.createdAt, t.id),
    index('jobs_of_project_by_status').on(t.projectId, t.status, t.createdAt, t.id),
    index('jobs_of_project_by_outcome').on(t.projectId, SHOWN_OUTCOME, t.createdAt, t.id),
    index('jobs_of_project_by_model').on(t.projectId, t.model, t.createdAt, t.id),
    index('jobs_with_pull_request')
      .on(t.projectId, t.createdAt, t.id)
      .where(sql`pr_link IS NOT NULL`),
    index('jobs_ready')
      .on(t.projectId, t.createdAt, t.id)
      .where(sql`pending_changes IS NOT NULL`),
    // For checking a new job's branch: see work-branch.ts.
    index('jobs_of_branch')
      .on(t.projectId, sql`(options ->> 'branch')`)
      .where(sql`(options ->> 'branch') IS NOT NULL`),
    index('jobs_metadata').using('gin', t.metadata.op('jsonb_path_ops')).where(HAS_METADATA),
    index('jobs_of_automation')
      .on(t.projectId, t.automationId, t.createdAt, t.id)
      .where(sql`automation_id IS NOT NULL`),
    index('jobs_of_creator')
      .on(t.projectId, t.createdBy, t.createdAt, t.id)
      .where(sql`created_by IS NOT NULL`),
    index('jobs_unsettled').on(t.updatedAt, t.id).where(UNSETTLED),
    index('jobs_queued')
      .on(t.projectId, t.queueNo)
      .where(sql`queue_no IS NOT NULL`),
    index('jobs_with_reserved_slot')
      .on(t.slotReservedAt)
      .where(sql`slot_reserved_at IS NOT NULL`),
    index('jobs_archived').on(t.archivedAt, t.id).where(ARCHIVED),
    index('jobs_with_transcript').on(t.archivedAt, t.id).where(HAS_TRANSCRIPT),
    index('jobs_with_events').on(t.archivedAt, t.id).where(HAS_EVENTS),
  ],
);

/** `taken` by the running turn. `unheard`: a turn ended before the model answered; the next one takes it. */
export const MESSAGE_STATES = ['waiting', 'taken', 'done', 'unheard', 'dropped'] as const;
export type MessageState = (typeof MESSAGE_STATES)[number];

export const messages = pgTable(
  'messages',
  {
    jobId: text('job_id')
      .notNull()
      .references(() => jobs.id, { onDelete: 'cascade' }),
    /** 1, 2, 3 … in the order of acceptance. */
    no: integer('no').notNull(),
    id: text('id').notNull(),
    prompt: text('prompt').notNull(),
    /** Ids of its attachments, in the client's order. */
    attachments: jsonb('attachments').$type<string[]>().notNull().default([]),
    state: text('state').$type<MessageState>().notNull().default('waiting'),
    turnNo: integer('turn_no'),
    stepNo: integer('step_no'),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.jobId, t.no] }),
    index('messages_waiting')
      .on(t.jobId)
      .where(sql`state = 'waiting'`),
    index('messages_job_created').on(t.createdAt),
  ],
);

/** `ready`: a preview's change waits to be published. `discarded`: it was discarded instead. */
export const TURN_STATES = [
  'running',
  'published',
  'ready',
  'discarded',
  'unchanged',
  'failed',
  'cancelled',
  'archived',
] as const;
export type TurnState = (typeof TURN_STATES)[number];

/** A commit of a pull request's branch, as its page lists it. */
export interface CommitInfo {
  id: string;
  message: string;
  authorName: string;
  time: string;
}

export interface TurnSource {
  name: string;
  host: string;
  repository: string;
  repositoryId: string | null;
  ref: string;
  paths: string[];
  /** Null if it could not be read then; `problem` is why, in a sentence. */
  commit: string | null;
  problem: string | null;
}

export const turns = pgTable(
  'turns',
  {
    jobId: text('job_id')
      .notNull()
      .references(() => jobs.id, { onDelete: 'cascade' }),
    no: integer('no').notNull(),
    state: text('state').$type<TurnState>().notNull().default('running'),
    /**
     * The current holder of the turn. Every attempt of an activity first draws a number and makes its writes
     * conditional on it, so that a late, resumed attempt changes nothing. It is random, not counted: a
     * restored database would reach numbers again that late attempts still have.
     */
    fence: bigint('fence', { mode: 'number' }).notNull().default(0),
    /** Link of the branch chain that this turn works on: 1 is `<prefix>/<jobId>`, 2 is `…-2`. */
    chainNo: integer('chain_no').notNull().default(1),
    /** Null, like the commits below, until the turn's place in the repository is found. */
    branch: text('branch'),
    /** The commit below the turn's overlay: tip of the job's branch, else of the base branch. */
    baseCommit: text('base_commit'),
    /** The commit at which the chain's branch left the base branch. */
    chainBaseCommit: text('chain_base_commit'),
    /** Null for the first push of a chain: the branch must not exist yet. */
    expectedTip: text('expected_tip'),
    /** The commit's date: whole seconds, so that every attempt creates the same commit. */
    commitTime: instant('commit_time').notNull(),
    commit: text('commit'),
    commitMessage: text('commit_message'),
    diff: text('diff'),
    /** Docent's own remark about publishing, for the summary. */
    remark: text('remark'),
    summary: text('summary'),
    /** Null while it runs, and where it was cancelled or archived. */
    outcome: text('outcome').$type<Outcome>(),
    errorCode: text('error_code'),
    errorMessage: text('error_message'),
    steps: integer('steps').notNull().default(0),
    activityMs: bigint('activity_ms', { mode: 'number' }).notNull().default(0),
    startedAt: instant('started_at').notNull().defaultNow(),
    endedAt: instant('ended_at'),
    /** The number of the job's messages when it ended: the position of its answer. Null while it runs. */
    answeredAfter: integer('answered_after'),
    /** Readable sources, each at one commit for all steps. Null until the turn is located. */
    sources: jsonb('sources').$type<TurnSource[]>(),
    /** Claims whose source proved invalid. */
    claimsWithoutSource: integer('claims_without_source').notNull().default(0),
  },
  (t) => [
    primaryKey({ columns: [t.jobId, t.no] }),
    index('turns_running')
      .on(t.jobId)
      .where(sql`state = 'running'`),
  ],
);

/** Which attempt may push for a job: one at a time. The job cannot be archived in the meantime. */
export const publishLeases = pgTable('publish_leases', {
  jobId: text('job_id')
    .primaryKey()
    .references(() => jobs.id, { onDelete: 'cascade' }),
  /** The turn's fence that the attempt holds. */
  fence: bigint('fence', { mode: 'number' }).notNull(),
  /** When it expires, by the database's clock. */
  until: instant('until').notNull(),
});

/** The transcript, one row per recorded outcome of a step's half. The first recorded outcome wins. */
export const transcript = pgTable(
  'transcript',
  {
    jobId: text('job_id')
      .notNull()
      .references(() => jobs.id, { onDelete: 'cascade' }),
    turnNo: integer('turn_no').notNull(),
    stepNo: integer('step_no').notNull(),
    /** `model`: messages and answer; `tools`: results; `note`: Docent's notice; `compact`: shortened here. */
    part: text('part').$type<'compact' | 'note' | 'model' | 'tools'>().notNull(),
    /** `TranscriptEntry[]` of agent/transcript.ts. */
    entries: jsonb('entries').$type<unknown[]>().notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.jobId, t.turnNo, t.stepNo, t.part] })],
);

export type ModelCallState = 'reserved' | 'done';

/** Usage of each step. `reserved`: an estimate while the model works, so that concurrent jobs see it. */
export const modelCalls = pgTable(
  'model_calls',
  {
    jobId: text('job_id')
      .notNull()
      .references(() => jobs.id, { onDelete: 'cascade' }),
    turnNo: integer('turn_no').notNull(),
    stepNo: integer('step_no').notNull(),
    projectId: text('project_id').notNull(),
    model: text('model').notNull(),
    state: text('state').$type<ModelCallState>().notNull(),
    /** All input tokens, including those from the cache. */
    inputTokens: bigint('input_tokens', { mode: 'number' }).notNull(),
    cachedInputTokens: bigint('cached_input_tokens', { mode: 'number' }).notNull(),
    outputTokens: bigint('output_tokens', { mode: 'number' }).notNull(),
    /** Billionths of a US dollar; null for a model without a known price. */
    costNanoUsd: bigint('cost_nano_usd', { mode: 'number' }),
    /** When the call was made or recorded: it counts for that day. */
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.jobId, t.turnNo, t.stepNo] }),
    index('model_calls_project_created').on(t.projectId, t.createdAt),
  ],
);

/** The workspace's changed files: changes of the agent that are not pushed yet. */
export const overlayFiles = pgTable(
  'overlay_files',
  {
    jobId: text('job_id')
      .notNull()
      .references(() => jobs.id, { onDelete: 'cascade' }),
    path: text('path').notNull(),
    /** UTF-8 text; null means that the file is deleted. */
    content: text('content'),
    /** For a file moved without a change of a binary: the base blob that it keeps. */
    blobId: text('blob_id'),
    turnNo: integer('turn_no').notNull(),
  },
  (t) => [primaryKey({ columns: [t.jobId, t.path] })],
);

export const PULL_REQUEST_STATES = ['open', 'merged', 'closed'] as const;
export type PullRequestState = (typeof PULL_REQUEST_STATES)[number];

/** For the `local` host, this table is the host; for others it mirrors their answers. */
export const pullRequests = pgTable(
  'pull_requests',
  {
    /** Unguessable: the link gives access to the page. */
    id: text('id').primaryKey(),
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id),
    jobId: text('job_id').notNull(),
    chainNo: integer('chain_no').notNull(),
    /** Its number on a host of the network, and its page there; null for the `local` host. */
    number: integer('number'),
    link: text('link'),
    repository: text('repository').notNull(),
    /** As in `projects`. */
    repositoryId: text('repository_id'),
    headBranch: text('head_branch').notNull(),
    baseBranch: text('base_branch').notNull(),
    state: text('state').$type<PullRequestState>().notNull().default('open'),
    title: text('title').notNull(),
    body: text('body').notNull(),
    /** Unified diff of the whole pull request as of the last push. */
    diff: text('diff').notNull().default(''),
    commits: jsonb('commits').$type<CommitInfo[]>().notNull().default([]),
    headCommit: text('head_commit').notNull(),
    mergeCommit: text('merge_commit'),
    /** Checks, mergeability and reviews as last polled. Null before that, or if the host has none. */
    checks: jsonb('checks').$type<PullRequestChecks>(),
    mergeable: boolean('mergeable'),
    review: text('review').$type<PullRequestReview>(),
    /** When its host was asked last, why that failed if it did, and when it is asked next. */
    polledAt: instant('polled_at'),
    pollProblem: text('poll_problem'),
    nextPollAt: instant('next_poll_at').notNull().defaultNow(),
    /** When it was merged or closed, or that was seen. Null while it is open. */
    settledAt: instant('settled_at'),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex('pull_requests_head').on(t.projectId, t.headBranch),
    index('pull_requests_job').on(t.jobId, t.chainNo),
    index('pull_requests_of_project').on(t.projectId, t.createdAt, t.id),
    index('pull_requests_open')
      .on(t.projectId, t.createdAt, t.id)
      .where(sql`state = 'open'`),
    index('pull_requests_by_state').on(t.projectId, t.state, t.createdAt, t.id),
    index('pull_requests_settled')
      .on(t.projectId, t.settledAt)
      .where(sql`state <> 'open'`),
    index('pull_requests_due')
      .on(t.nextPollAt)
      .where(sql`state = 'open'`),
  ],
);

export const EVENT_TYPES = [
  'created',
  'message',
  'queued',
  'turn_started',
  'step',
  'checks',
  'published',
  'discarded',
  'turn_ended',
  'archived',
  'unarchived',
  'tools',
  'answer',
] as const;
export type JobEventType = (typeof EVENT_TYPES)[number];

/** The history of a job: events in order, as sentences for progress displays. */
export const jobEvents = pgTable(
  'job_events',
  {
    jobId: text('job_id')
      .notNull()
      .references(() => jobs.id, { onDelete: 'cascade' }),
    no: integer('no').notNull(),
    type: text('type').$type<JobEventType>().notNull(),
    turnNo: integer('turn_no'),
    text: text('text').notNull(),
    /** The same for programs; null if the sentence says everything. */
    data: jsonb('data').$type<JobEventData>(),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.jobId, t.no] })],
);

export const CONTROL_KINDS = [
  'checkRepository',
  'changePullRequest',
  'checkHost',
  'checkModel',
  'testModel',
  'refreshPullRequest',
  'testWebhook',
] as const;
export type ControlKind = (typeof CONTROL_KINDS)[number];

/** Work for a worker while a caller waits. The row is the authority, and gets the answer. */
export const controlRequests = pgTable(
  'control_requests',
  {
    /** Unguessable. */
    id: text('id').primaryKey(),
    kind: text('kind').$type<ControlKind>().notNull(),
    input: jsonb('input').$type<unknown>().notNull(),
    /** The authenticated caller: `operator`, or the id of an API key. */
    requestedBy: text('requested_by').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    /** Nothing starts after this time: the caller already has a timeout error. */
    expiresAt: instant('expires_at').notNull(),
    claimedAt: instant('claimed_at'),
    /** Attempts so far; more than one if a worker died during the first. */
    attempts: integer('attempts').notNull().default(0),
    finishedAt: instant('finished_at'),
    /** The first recorded outcome; null until there is one. */
    result: jsonb('result').$type<unknown>(),
  },
  (t) => [index('control_requests_created').on(t.createdAt)],
);
