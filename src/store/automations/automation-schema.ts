import { sql } from 'drizzle-orm';
import {
  boolean,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { bytea, instant } from '../columns.ts';
import type { JobMetadata, JobOptions } from '../job-options.ts';
import { projects } from '../schema.ts';
import type { WebhookEvent } from '@docent/client';
import type { CodeEventName, ReaderSignal, RunStatus } from '../../config/automation-values.ts';

/** What starts runs of an automation. API calls start one in any case. */
export type Trigger =
  | { type: 'api' }
  | {
      type: 'schedule';
      /** Five fields. */
      cron: string;
      /** IANA name. */
      timezone: string;
      jitterMinutes: number;
      /** How many occurrences are made up for after a downtime. */
      catchUp: 'none' | 'one';
    }
  /** `filter`: a JMESPath expression. Only payloads for which it is true start a run. */
  | { type: 'webhook'; filter?: string }
  /** Starts where a page or a search has that many visitors with the signal within that many days. */
  | {
      type: 'code';
      /** Names of sources, or `.` for the project's own repository; none for all sources. */
      repositories?: string[];
      events: CodeEventName[];
      /** Globs; none for all files. They only apply to the watched branch. */
      paths?: string[];
      branches?: string[];
      ignoreDrafts?: boolean;
    }
  | { type: 'readers'; signal: ReaderSignal; threshold: number; days: number };

/** Commits by name of the watched repository, and by branch if it is not the default one. */
export type CodeHeads = Record<string, string>;

export type TriggerType = Trigger['type'];

/** The options of its jobs. `branch` is a pattern: see branchOfRun in automations.ts. */
export type AutomationOptions = Omit<JobOptions, 'attachments' | 'webhook'>;

/** A stored prompt with the options of its jobs: triggering it creates one. */
export const automations = pgTable(
  'automations',
  {
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    /** The client's own, or a new one: unique in its project. */
    id: text('id').notNull(),
    name: text('name').notNull(),
    prompt: text('prompt').notNull(),
    /** The file of the docs repository that defines it; null for one that was made otherwise. */
    file: text('file'),
    /** Appended to the prompt, without variables. */
    instructions: text('instructions'),
    options: jsonb('options').$type<AutomationOptions>().notNull().default({}),
    /** Null: the project's model at the time of each job. */
    model: text('model'),
    metadata: jsonb('metadata').$type<JobMetadata>().notNull().default({}),
    /** A webhook for its jobs only; null for none. */
    webhook: jsonb('webhook').$type<{ url: string; events: WebhookEvent[]; secretName?: string }>(),
    /** The secret of that webhook, encrypted: see secret-box.ts. Null if it has none, or a named one. */
    webhookSecret: bytea('webhook_secret'),
    webhookKeyId: text('webhook_key_id'),
    enabled: boolean('enabled').notNull().default(true),
    trigger: jsonb('trigger').$type<Trigger>().notNull().default({ type: 'api' }),
    /** The secret of its delivery URL, encrypted: see secret-box.ts. Null before one was created. */
    hookSecret: bytea('hook_secret'),
    hookKeyId: text('hook_key_id'),
    /** Whether a run continues the open pull request of an earlier one. */
    foldIntoOpenPullRequest: boolean('fold_into_open_pull_request').notNull().default(true),
    /** Runs that start on one day of UTC at most, and minutes between two of them; null for no limit. */
    maxRunsPerDay: integer('max_runs_per_day'),
    cooldownMinutes: integer('cooldown_minutes'),
    /** Runs in a row that have failed. */
    failures: integer('failures').notNull().default(0),
    /** When and why it paused itself; null until then, and again once it is enabled. */
    pausedAt: instant('paused_at'),
    pausedReason: text('paused_reason'),
    /** Set with a change of its trigger until Temporal's schedule follows it: see automation-schedules.ts. */
    scheduleDue: boolean('schedule_due').notNull().default(false),
    /**
     * The commits up to which completed runs have seen the code, or at which the automation began to watch.
     */
    codeHeads: jsonb('code_heads').$type<CodeHeads>().notNull().default({}),
    /** How often it was triggered: the number of its last run. */
    runs: integer('runs').notNull().default(0),
    createdAt: instant('created_at').notNull().defaultNow(),
    /** The last change of its settings. Runs do not change it. */
    updatedAt: instant('updated_at').notNull().defaultNow(),
    lastTriggeredAt: instant('last_triggered_at'),
    /** The job of its last run, which may be deleted. */
    lastJobId: text('last_job_id'),
  },
  (t) => [
    primaryKey({ columns: [t.projectId, t.id] }),
    uniqueIndex('automations_name').on(t.projectId, sql`lower(${t.name})`),
    index('automations_of_project').on(t.projectId, t.createdAt, t.id),
  ],
);

export const EVENT_STATES = ['waiting', 'done', 'ignored'] as const;

/** Events that no run has taken yet. */
export const EVENT_WAITS = sql.raw(`state = 'waiting'`);

/**
 * The inbox of events that start work. An event is written before its sender gets an answer, and becomes part
 * of one run.
 */
export const triggerEvents = pgTable(
  'trigger_events',
  {
    id: text('id').primaryKey(),
    /**
     * Its origin: `schedule:`, `webhook:`, `code:` or `readers:` with project and automation, or `host:` with
     * the code host's id.
     */
    source: text('source').notNull(),
    /** The sender's own id of it, the same in every repeat. */
    deliveryId: text('delivery_id').notNull(),
    /** Its project; null if the source does not determine one. */
    projectId: text('project_id').references(() => projects.id, { onDelete: 'cascade' }),
    automationId: text('automation_id'),
    /** Headers of interest to people: no secrets, no signatures. */
    headers: jsonb('headers').$type<Record<string, string>>().notNull().default({}),
    /** The kind of event, as its sender names it. */
    event: text('event'),
    /** Byte for byte. */
    body: bytea('body').notNull(),
    state: text('state').$type<(typeof EVENT_STATES)[number]>().notNull().default('waiting'),
    /** The run that it became part of. */
    runId: text('run_id'),
    attempts: integer('attempts').notNull().default(0),
    /** When it is taken, or tried again. */
    dueAt: instant('due_at').notNull().defaultNow(),
    receivedAt: instant('received_at').notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex('trigger_events_once').on(t.source, t.deliveryId),
    index('trigger_events_waiting').on(t.dueAt, t.receivedAt).where(EVENT_WAITS),
    index('trigger_events_received').on(t.receivedAt),
    index('trigger_events_of_run')
      .on(t.runId)
      .where(sql`run_id IS NOT NULL`),
    foreignKey({
      name: 'trigger_events_automation',
      columns: [t.projectId, t.automationId],
      foreignColumns: [automations.projectId, automations.id],
    }).onDelete('cascade'),
  ],
);

export const SKIP_REASONS = ['disabled', 'paused', 'filtered', 'cap', 'cooldown', 'missed', 'duplicate'] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

/** What started a run. */
export interface RunCause {
  type: TriggerType;
  /** As in `trigger_events`; `api` for a call. */
  source: string;
  /** Null for a call without an Idempotency-Key. */
  deliveryId: string | null;
  /** The caller, or the kind of event, as its sender names it. */
  actor: string | null;
  /** An HTTP or HTTPS page about the event; null if the sender names none. */
  url: string | null;
}

/** The input of a run in addition to its prompt. */
export interface RunMaterial {
  commits: number;
  files: number;
  characters: number;
  /** Whether some of it was left out. */
  cut: boolean;
}

/** The code changes that were read for a queued run. */
export interface GatheredCode {
  /** The number of the run's events at that time. With more, the code is read again. */
  events: number;
  text: string;
  material: RunMaterial;
}

export interface RunUsage {
  modelCalls: number;
  inputTokens: number;
  cachedInputTokens: number;
  outputTokens: number;
  /** Null if the price of a call is not known. */
  costUsd: number | null;
}

/** Runs that may still change. */
export const OPEN_RUN = sql.raw(`status IN ('queued', 'running', 'review_needed')`);

/** What an automation did or skipped, and why. */
export const automationRuns = pgTable(
  'automation_runs',
  {
    id: text('id').primaryKey(),
    projectId: text('project_id').notNull(),
    automationId: text('automation_id').notNull(),
    /** 1, 2, 3 … with gaps; null for one that was skipped. */
    no: integer('no'),
    status: text('status').$type<RunStatus>().notNull(),
    skippedBecause: text('skipped_because').$type<SkipReason>(),
    cause: jsonb('cause').$type<RunCause>().notNull(),
    /** The key of the event that started it: no other run of the automation has it. */
    source: text('source').notNull(),
    deliveryId: text('delivery_id'),
    /** The number of its events. */
    events: integer('events').notNull().default(1),
    material: jsonb('material').$type<RunMaterial>(),
    /** The code that it is about, of runs that code started. */
    since: jsonb('since').$type<CodeHeads>(),
    until: jsonb('until').$type<CodeHeads>(),
    gathered: jsonb('gathered').$type<GatheredCode>(),
    jobId: text('job_id'),
    pullRequestId: text('pull_request_id'),
    usage: jsonb('usage').$type<RunUsage>(),
    /** The outcome, or why there is none. */
    summary: text('summary'),
    /** When a queued one is tried again. */
    dueAt: instant('due_at').notNull().defaultNow(),
    createdAt: instant('created_at').notNull().defaultNow(),
    startedAt: instant('started_at'),
    endedAt: instant('ended_at'),
  },
  (t) => [
    index('automation_runs_of_automation').on(t.projectId, t.automationId, t.createdAt, t.id),
    index('automation_runs_open').on(t.projectId, t.automationId, t.status).where(OPEN_RUN),
    uniqueIndex('automation_runs_once')
      .on(t.projectId, t.automationId, t.source, t.deliveryId)
      .where(sql`source <> 'api'`),
    index('automation_runs_of_job')
      .on(t.jobId)
      .where(sql`job_id IS NOT NULL`),
    foreignKey({
      name: 'automation_runs_automation',
      columns: [t.projectId, t.automationId],
      foreignColumns: [automations.projectId, automations.id],
    }).onDelete('cascade'),
  ],
);
