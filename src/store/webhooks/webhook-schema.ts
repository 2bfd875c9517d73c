import { sql } from 'drizzle-orm';
import { boolean, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { bytea, instant } from '../columns.ts';
import { projects } from '../schema.ts';
import type { WebhookEvent } from '@docent/client';

type DeliveryType = WebhookEvent | 'ping';

/** Webhook addresses: of a whole project, or, with `job_id`, of one job that brought its own. */
export const webhooks = pgTable(
  'webhooks',
  {
    id: text('id').primaryKey(),
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    jobId: text('job_id'),
    url: text('url').notNull(),
    description: text('description').notNull().default(''),
    events: text('events').array().$type<WebhookEvent[]>().notNull(),
    enabled: boolean('enabled').notNull().default(true),
    /** Why Docent itself switched it off, in a sentence; null if it is on, or a person switched it off. */
    disabledReason: text('disabled_reason'),
    /** Encrypted: see secret-box.ts. Null for a job's own without one: its messages are unsigned. */
    secret: bytea('secret'),
    keyId: text('key_id'),
    /** The previous secret, with which messages are signed too until `previous_until`. */
    previousSecret: bytea('previous_secret'),
    previousKeyId: text('previous_key_id'),
    previousUntil: instant('previous_until'),
    /** Since when every attempt has failed; null after one that did not. */
    failingSince: instant('failing_since'),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (t) => [index('webhooks_of_project').on(t.projectId, t.createdAt, t.id), index('webhooks_of_job').on(t.jobId)],
);

export const DELIVERY_STATES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** Deliveries that someone has to see to. */
export const UNDELIVERED = sql.raw(`state = 'pending'`);

/** Waiting and failed deliveries. */
export const NOT_DELIVERED = sql.raw(`state <> 'delivered'`);

/** Messages to endpoints, written together with their events. Sent at least once, in no particular order. */
export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    /** `webhook-id` of the message: the same in every attempt. */
    id: text('id').primaryKey(),
    webhookId: text('webhook_id')
      .notNull()
      .references(() => webhooks.id, { onDelete: 'cascade' }),
    type: text('type').$type<DeliveryType>().notNull(),
    /** The rows of the event, as they were at that time: see webhook-outbox.ts. */
    data: jsonb('data').$type<unknown>().notNull(),
    /** A unique event has one row per endpoint. */
    onceKey: text('once_key'),
    /** Host and port of its address: parallel attempts there are limited. */
    target: text('target').notNull(),
    state: text('state').$type<DeliveryState>().notNull().default('pending'),
    /** Why there are no more attempts, in a sentence. */
    problem: text('problem'),
    attempts: integer('attempts').notNull().default(0),
    /** Attempts before a redelivery was requested: the schedule starts again after them. */
    attemptsBefore: integer('attempts_before').notNull().default(0),
    lastStatus: integer('last_status'),
    nextAttemptAt: instant('next_attempt_at'),
    /** A worker is at an attempt, until then at most. */
    claimedUntil: instant('claimed_until'),
    /** Its workflow is started (again) then, if it is pending still. */
    startAt: instant('start_at').notNull().defaultNow(),
    createdAt: instant('created_at').notNull().defaultNow(),
    finishedAt: instant('finished_at'),
  },
  (t) => [
    index('webhook_deliveries_of_webhook').on(t.webhookId, t.createdAt, t.id),
    index('webhook_deliveries_undelivered').on(t.webhookId, t.createdAt, t.id).where(NOT_DELIVERED),
    uniqueIndex('webhook_deliveries_once').on(t.webhookId, t.onceKey),
    index('webhook_deliveries_pending').on(t.startAt).where(UNDELIVERED),
    index('webhook_deliveries_claimed')
      .on(t.target, t.claimedUntil)
      .where(sql`claimed_until IS NOT NULL`),
    index('webhook_deliveries_created').on(t.createdAt),
  ],
);

export const webhookAttempts = pgTable(
  'webhook_attempts',
  {
    deliveryId: text('delivery_id')
      .notNull()
      .references(() => webhookDeliveries.id, { onDelete: 'cascade' }),
    no: integer('no').notNull(),
    startedAt: instant('started_at').notNull(),
    ms: integer('ms').notNull(),
    /** Status of the response; null without one. */
    status: integer('status'),
    /** Why none came, or why it does not count, in a sentence. */
    problem: text('problem'),
    /** The beginning of the answer's body. */
    response: text('response'),
  },
  (t) => [primaryKey({ columns: [t.deliveryId, t.no] })],
);
