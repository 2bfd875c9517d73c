import type { Pool } from 'pg';
import type { SlotLimits } from '../../src/jobs/queue.ts';

/** SlotLimits for turns, of which there are always enough. */
export const MANY_SLOTS: SlotLimits = { concurrentJobs: 1_000, projectConcurrentJobs: 1_000 };

const TABLES = [
  'messages',
  'turns',
  'transcript',
  'model_calls',
  'overlay_files',
  'job_events',
  'pull_requests',
] as const;

/** All rows of a job, as text of Postgres: nothing is rounded. */
export type JobRows = ReadonlyMap<string, string>;

export async function saveJobRows(pool: Pool, jobId: string): Promise<JobRows> {
  const saved = new Map<string, string>();
  for (const table of ['jobs', ...TABLES]) {
    const key = table === 'jobs' ? 'id' : 'job_id';
    const { rows } = await pool.query<{ rows: string }>(
      `SELECT coalesce(jsonb_agg(to_jsonb(t)), '[]')::text AS rows FROM ${table} t WHERE ${key} = $1`,
      [jobId],
    );
    saved.set(table, rows[0]?.rows ?? '[]');
  }
  return saved;
}

/** Puts a job back to what it was: what a database does that fell back by some seconds, seen from one job. */
export async function putJobRowsBack(pool: Pool, jobId: string, saved: JobRows): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('DELETE FROM pull_requests WHERE job_id = $1', [jobId]);
    await client.query('DELETE FROM jobs WHERE id = $1', [jobId]);
    for (const [table, rows] of saved) {
      await client.query(`INSERT INTO ${table} SELECT * FROM jsonb_populate_recordset(NULL::${table}, $1::jsonb)`, [
        rows,
      ]);
    }
    await client.query('COMMIT');
  } finally {
    client.release();
  }
}
