import { sql, type SQL } from 'drizzle-orm';
import type { Db, Queryable } from '../database.ts';
import { readMigrations } from './migration-files.ts';
import { ALIVE_SECONDS } from './processes.ts';
import { readSchemaState } from './schema-version.ts';

/* The installation's health by the database: each part is a few statements with a time limit. */

/** How long one part may ask, in milliseconds. */
const ASK_MS = 2_000;
const MAX_LISTED = 20;

type Row = Record<string, unknown>;

/** @throws QueryFailed if it takes too long */
export function asked<T>(db: Db, ask: (tx: Queryable) => Promise<T>): Promise<T> {
  return db.transaction(async (tx) => {
    await tx.execute(sql.raw(`SET LOCAL statement_timeout = ${ASK_MS}`));
    return ask(tx);
  });
}

async function rowsOf<T extends Row>(q: Queryable, query: SQL): Promise<T[]> {
  return (await q.execute(query)).rows as T[];
}

async function rowOf<T extends Row>(q: Queryable, query: SQL): Promise<T> {
  const [row] = await rowsOf<T>(q, query);
  if (!row) throw new Error('A row was expected.');
  return row;
}

const dateOf = (value: unknown): Date | null => (value === null ? null : new Date(value as string | Date));

export async function databaseFacts(q: Queryable) {
  const row = await rowOf<{ version: string; bytes: string; connections: number; most: string }>(
    q,
    sql`SELECT current_setting('server_version') AS version, pg_database_size(current_database()) AS bytes,
          (SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database()) AS connections,
          current_setting('max_connections') AS most`,
  );
  const { level, pending } = await readSchemaState(q, readMigrations());
  return {
    version: row.version,
    sizeBytes: Number(row.bytes),
    connections: row.connections,
    maxConnections: Number(row.most),
    schemaLevel: level,
    pendingMigrations: pending.length,
  };
}

/** Processes of the last day, living ones first. */
export async function knownProcesses(q: Queryable) {
  const rows = await rowsOf<{
    name: string;
    version: string;
    host: string;
    pid: number;
    started_at: Date;
    seen_at: Date;
    alive: boolean;
  }>(
    q,
    sql`SELECT name, version, host, pid, started_at, seen_at, seen_at > now() - make_interval(secs => ${ALIVE_SECONDS}) AS alive
        FROM processes ORDER BY alive DESC, seen_at DESC, id LIMIT 100`,
  );
  return rows.map(({ started_at, seen_at, ...row }) => ({
    ...row,
    startedAt: new Date(started_at),
    seenAt: new Date(seen_at),
  }));
}

export async function queueFacts(q: Queryable) {
  const row = await rowOf<{ active: number; waiting: number; working: number; oldest: Date | null }>(
    q,
    sql`SELECT count(*)::int AS active, count(*) FILTER (WHERE queue_no IS NOT NULL)::int AS waiting,
          (SELECT count(*)::int FROM turns WHERE state = 'running') AS working,
          min((SELECT min(created_at) FROM messages m WHERE m.job_id = jobs.id AND m.state = 'waiting'))
            FILTER (WHERE queue_no IS NOT NULL) AS oldest
        FROM jobs WHERE status = 'active' AND (status = 'active' OR signal_pending)`,
  );
  const { oldest, ...counts } = row;
  return { ...counts, oldestWaitingSince: dateOf(oldest) };
}

/** The newest model test, and the number of turns in the last day that failed because of the model. */
export async function modelFacts(q: Queryable) {
  const [test] = await rowsOf<{ model: string; at: Date; ok: boolean; message: string | null }>(
    q,
    sql`SELECT input ->> 'model' AS model, finished_at AS at, (result ->> 'ok')::boolean AS ok, result ->> 'message' AS message
        FROM control_requests WHERE kind = 'testModel' AND result IS NOT NULL ORDER BY created_at DESC LIMIT 1`,
  );
  const turns = await rowOf<{ turns: number; failed: number }>(
    q,
    sql`SELECT count(*)::int AS turns, count(*) FILTER (WHERE t.error_code LIKE 'model%')::int AS failed
        FROM (SELECT DISTINCT job_id, turn_no FROM messages WHERE created_at > now() - interval '1 day' AND turn_no IS NOT NULL) m
          JOIN turns t ON t.job_id = m.job_id AND t.no = m.turn_no
        WHERE t.state <> 'running'`,
  );
  const lastTest = test ? { ...test, at: new Date(test.at) } : null;
  return { lastTest, turnsLastDay: turns.turns, failedTurnsLastDay: turns.failed };
}

/** Code hosts with the result of their newest check within 30 days. */
export async function hostFacts(q: Queryable) {
  const rows = await rowsOf<{
    id: string;
    kind: string;
    at: Date | null;
    ok: boolean | null;
    problems: string[] | null;
  }>(
    q,
    sql`SELECT h.id, h.kind, c.finished_at AS at, (c.result ->> 'ok')::boolean AS ok, c.result -> 'problems' AS problems
        FROM code_hosts h LEFT JOIN LATERAL (
          SELECT finished_at, result FROM control_requests
          WHERE kind = 'checkHost' AND input ->> 'host' = h.id AND result IS NOT NULL ORDER BY created_at DESC LIMIT 1
        ) c ON true ORDER BY h.id LIMIT 100`,
  );
  return rows.map(({ at, problems, ...row }) => ({ ...row, checkedAt: dateOf(at), problems: problems ?? [] }));
}

export async function webhookFacts(q: Queryable) {
  const counts = await rowOf<{ failing: number; off: number; pending: number; oldest: Date | null }>(
    q,
    sql`SELECT (SELECT count(*)::int FROM webhooks WHERE enabled AND failing_since IS NOT NULL) AS failing,
          (SELECT count(*)::int FROM webhooks WHERE NOT enabled AND disabled_reason IS NOT NULL) AS off,
          (SELECT count(*)::int FROM webhook_deliveries WHERE state = 'pending') AS pending,
          (SELECT min(created_at) FROM webhook_deliveries WHERE state = 'pending') AS oldest`,
  );
  const rows = await rowsOf<{ id: string; project_id: string; url: string; failing_since: Date | null }>(
    q,
    sql`SELECT id, project_id, url, failing_since FROM webhooks
        WHERE (enabled AND failing_since IS NOT NULL) OR (NOT enabled AND disabled_reason IS NOT NULL)
        ORDER BY failing_since NULLS LAST, id LIMIT ${MAX_LISTED}`,
  );
  const { oldest, ...sums } = counts;
  return {
    ...sums,
    oldestPendingSince: dateOf(oldest),
    // Addresses may hold secrets: the host alone is shown.
    webhooks: rows.map(({ id, project_id, url, failing_since }) => ({
      id,
      projectId: project_id,
      host: URL.canParse(url) ? new URL(url).host : '',
      failingSince: dateOf(failing_since),
    })),
  };
}

export async function unmergedFacts(q: Queryable) {
  const row = await rowOf<{ events: string; files: number }>(
    q,
    sql`SELECT coalesce(sum(rows), 0) AS events, count(*)::int AS files FROM analytics_files
        WHERE removed_version IS NULL AND family = 'unmerged'`,
  );
  return { unmergedEvents: Number(row.events), unmergedFiles: row.files };
}
