import { sql } from 'drizzle-orm';
import type { Queryable } from '../database.ts';
import { levelOf, type Migration } from './migration-files.ts';
import { Refused } from '@docent/base/refused';

/** The state of a database's schema, as seen by this build. */
export interface SchemaState {
  /** The highest migration that was applied, by whichever build; 0 before the first. */
  level: number;
  /** Builds of a lower level cannot work on it. */
  minCompatible: number;
  /** The version of Docent that changed the schema last; null before the first migration. */
  changedBy: string | null;
  /** Unapplied migrations of this build, in order. */
  pending: readonly Migration[];
  /** Applied migrations that are older than this build, but unknown to it: another history. */
  strange: number;
}

/** Changes nothing. */
export async function readSchemaState(q: Queryable, migrations: readonly Migration[]): Promise<SchemaState> {
  const [tables] = await rowsOf<{ journal: boolean; version: boolean }>(
    q,
    sql`SELECT to_regclass('drizzle.__drizzle_migrations') IS NOT NULL AS journal,
               to_regclass('public.schema_version') IS NOT NULL AS version`,
  );
  const journal = tables?.journal
    ? await rowsOf<{ when: string }>(q, sql`SELECT created_at AS when FROM drizzle.__drizzle_migrations`)
    : [];
  const applied = new Set(journal.map((row) => Number(row.when)));
  const [version] = tables?.version
    ? await rowsOf<{ level: number; minCompatible: number; changedBy: string }>(
        q,
        sql`SELECT level, min_compatible AS "minCompatible", changed_by AS "changedBy" FROM schema_version`,
      )
    : [];
  const known = new Set(migrations.map(({ when }) => when));
  const newest = Math.max(0, ...known);
  return {
    level: version?.level ?? 0,
    minCompatible: version?.minCompatible ?? 0,
    changedBy: version?.changedBy ?? null,
    pending: migrations.filter(({ when }) => !applied.has(when)),
    strange: [...applied].filter((when) => !known.has(when) && when < newest).length,
  };
}

/**
 * @param version of this build, for the message
 * @throws Refused if it can neither use nor upgrade the database
 */
export function refuseMismatch(state: SchemaState, migrations: readonly Migration[], version: string): void {
  const level = levelOf(migrations);
  if (state.minCompatible > level) {
    throw new Refused(
      `The database belongs to a newer version of Docent: ${state.changedBy ?? 'it'} requires ` +
        `schema level ${state.minCompatible} or higher, but this version, ${version}, has level ${level}. ` +
        'Run the newer version, or restore a backup from before that upgrade.',
    );
  }
  if (state.strange > 0) {
    throw new Refused(
      `The database was made by a version of Docent from which ${version} cannot upgrade: ` +
        `${state.strange} of its schema changes ${state.strange === 1 ? 'is' : 'are'} unknown here. Nothing was changed. ` +
        'Start over with an empty database (DATABASE_URL) or, for `docent start`, an empty home (DOCENT_HOME): ' +
        'upgrades begin with version 1.0.0, and go through the versions that CHANGELOG.md names.',
    );
  }
}

async function rowsOf<T extends Record<string, unknown>>(q: Queryable, query: ReturnType<typeof sql>): Promise<T[]> {
  return (await q.execute(query)).rows as T[];
}
