import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import type { AppliedMapping } from '../analytics-settings.ts';
import { bytea, instant } from '../columns.ts';
import { projects } from '../schema.ts';

const count = (name: string) => bigint(name, { mode: 'number' });

/**
 * The version of the layout of derived files. A build refuses projects with another layout, so that it cannot
 * spoil files of a newer one. If you raise it, `maintain` must rebuild projects with a lower one.
 */
export const LAYOUT = 1;

/** The head of a project's manifest. Made with the first event. */
export const analyticsProjects = pgTable('analytics_projects', {
  projectId: text('project_id')
    .primaryKey()
    .references(() => projects.id, { onDelete: 'cascade' }),
  /** Raised by every change of the manifest: an answer that names a version can be given again. */
  version: count('version').notNull().default(0),
  /** Versions below this one are no longer readable: their files are deleted. */
  oldestVersion: count('oldest_version').notNull().default(0),
  /** Raised by every change but adding unmerged files; changes are conditional on it. */
  fence: count('fence').notNull().default(0),
  /** Days (since 1970) below this one no longer count, even if their files still exist. */
  floorDay: integer('floor_day'),
  /** The layout of the files: see LAYOUT. */
  layout: integer('layout').notNull().default(LAYOUT),
  /** What counts as human and AI, oldest first; before the first, the default. Changes with a rebuild. */
  mappings: jsonb('mappings').$type<AppliedMapping[]>().notNull().default([]),
  /** When maintenance last began that did all there was to do, and the fence that it left. */
  maintainedAt: instant('maintained_at'),
  maintainedFence: count('maintained_fence'),
});

/**
 * `unmerged`: sealed events, perhaps with repeats. `events`: events, each id once a day. `presence`: which
 * visitor was where on which day. `cube`: counts by day and previous day. `revisits`: returns to a page or
 * the site, by day and previous day. `views`: page views by day.
 */
export const FILE_FAMILIES = ['unmerged', 'events', 'presence', 'cube', 'revisits', 'views'] as const;
export type FileFamily = (typeof FILE_FAMILIES)[number];

/** The manifest: Parquet files that count, or did recently. Rows only ever change to be marked removed. */
export const analyticsFiles = pgTable(
  'analytics_files',
  {
    id: text('id').primaryKey(),
    family: text('family').$type<FileFamily>().notNull(),
    /** Relative to the analytics folder. */
    path: text('path').notNull(),
    rows: count('rows').notNull(),
    bytes: count('bytes').notNull(),
    /** SHA-256 of the file when it was written. */
    sha256: bytea('sha256').notNull(),
    /** Days since 1970, both included. */
    minDay: integer('min_day').notNull(),
    maxDay: integer('max_day').notNull(),
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    /** The origin of an unmerged file, `<writer>/<segment>`: it is added once. */
    source: text('source'),
    addedVersion: count('added_version').notNull(),
    removedVersion: count('removed_version'),
    removedAt: instant('removed_at'),
  },
  (t) => [
    index('analytics_files_live')
      .on(t.projectId, t.family)
      .where(sql`removed_version IS NULL`),
    index('analytics_files_version').on(t.projectId, t.addedVersion),
    index('analytics_files_removed')
      .on(t.removedAt)
      .where(sql`removed_version IS NOT NULL`),
    uniqueIndex('analytics_files_source').on(t.projectId, t.source),
  ],
);

/** Files that were found damaged and taken out of the manifest, until an operator has seen to them. */
export const analyticsDamage = pgTable('analytics_damage', {
  /** The id that the file had in the manifest. */
  id: text('id').primaryKey(),
  projectId: text('project_id')
    .notNull()
    .references(() => projects.id, { onDelete: 'cascade' }),
  family: text('family').$type<FileFamily>().notNull(),
  path: text('path').notNull(),
  rows: count('rows').notNull(),
  minDay: integer('min_day').notNull(),
  maxDay: integer('max_day').notNull(),
  /** The problem with it, for people. */
  reason: text('reason').notNull(),
  /** Its manifest entry: the file is restored if it reappears unchanged. */
  bytes: count('bytes').notNull(),
  /** Null once a visitor was erased: the file may hold that visitor's events. */
  sha256: bytea('sha256'),
  foundAt: instant('found_at').notNull().defaultNow(),
});

/** One row: the folder with the files of this installation. A file in the folder carries the same id. */
export const analyticsFolder = pgTable(
  'analytics_folder',
  {
    singleton: boolean('singleton').primaryKey().default(true),
    id: text('id').notNull(),
    /** Its path for the process that claimed it, for people. */
    path: text('path').notNull(),
    host: text('host').notNull(),
    claimedAt: instant('claimed_at').notNull().defaultNow(),
  },
  (t) => [check('analytics_folder_singleton', sql`${t.singleton}`)],
);

/** Removed files that are still to be deleted; `files/<project>` for a deleted project. */
export const analyticsDeletions = pgTable('analytics_deletions', {
  path: text('path').primaryKey(),
  notedAt: instant('noted_at').notNull().defaultNow(),
});

/** One row per folder of write-ahead logs. The lease holder may append to it, seal it and delete from it. */
export const analyticsWriters = pgTable('analytics_writers', {
  id: text('id').primaryKey(),
  leaseUntil: instant('lease_until').notNull(),
  /** Incremented by each takeover of the folder. */
  fence: count('fence').notNull().default(0),
  /** Segments up to this number are in the manifest. */
  consumed: count('consumed').notNull().default(0),
});

/** The keys of visitor ids. Once a salt is destroyed, its period's ids are permanently unlinkable. */
export const analyticsSalts = pgTable(
  'analytics_salts',
  {
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    /** '' (fixed), `from 2026-11-21` (fixed from a day on), `2026-11` (monthly), `2026-11-21` (daily). */
    period: text('period').notNull(),
    /** Empty once it is destroyed: it is not made again. */
    salt: bytea('salt').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.period] })],
);

/** Erased visitors: earlier events do not come back when a log is imported again. */
export const analyticsErased = pgTable(
  'analytics_erased',
  {
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    /** The first 64 bits of a hash, as PostgreSQL's signed number. */
    visitor: bigint('visitor', { mode: 'bigint' }).notNull(),
    erasedAt: instant('erased_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.visitor] })],
);

/** The version with which a listing continues, for clients that do not send it. */
export const analyticsListings = pgTable(
  'analytics_listings',
  {
    /** SHA-256 of the caller, the range, and the next offset. */
    key: bytea('key').primaryKey(),
    version: count('version').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [index('analytics_listings_expiry').on(t.expiresAt)],
);

/** What an operator publishes of its agents, as last read. Addresses replace those in the release. */
export const agentRanges = pgTable('agent_ranges', {
  /** The URL where the operator publishes them. */
  url: text('url').primaryKey(),
  /** Addresses in CIDR notation, or keys for signatures as JSON Web Keys. */
  ranges: text('ranges').array().notNull(),
  readAt: instant('read_at').notNull().defaultNow(),
});
