import { sql } from 'drizzle-orm';
import type { Database } from '../../src/store/database.ts';

/** Has had three of ten jobs. The others have 2,000 projects. */
export const LARGE = 'large';
export const WEBHOOK = 'wh_large';
/** Jobs that are worked on, and that wait for a place. */
export const RUNNING = 50;
export const QUEUED = 200;
/** One in so many has what is rare. */
const RARE = 100_000;
const BATCH = 100_000;

/**
 * An installation that has had so many jobs, one each half minute up to now, with what they leave behind. Most rest; seven in ten of those
 * older than a month are archived, some with a pull request that nobody has closed. What is generated refers to what is there.
 */
export async function fillTables({ db, pool }: Database, jobs: number, say: (text: string) => void): Promise<void> {
  const run = async (statement: string) =>
    db.transaction(async (tx) => {
      // Keys of other tables need not be looked up.
      await tx.execute(sql.raw(`SET LOCAL statement_timeout = 0; SET LOCAL session_replication_role = replica`));
      await tx.execute(sql.raw(statement));
    });
  await run(`INSERT INTO projects (id, repository, ref, model)
    SELECT CASE n WHEN 0 THEN '${LARGE}' ELSE 'project-' || n END, '/srv/git/docs.git', 'main', 'builtin' FROM generate_series(0, 2000) n`);
  await run(
    `INSERT INTO webhooks (id, project_id, url, events) VALUES ('${WEBHOOK}', '${LARGE}', 'https://hooks.example.com/', '{job.completed}')`,
  );
  for (let from = 1; from <= jobs; from += BATCH) {
    const to = Math.min(jobs, from + BATCH - 1);
    for (const statement of statements(jobs, `generate_series(${from}, ${to}) n`)) await run(statement);
    say(`${to.toLocaleString('en')} jobs`);
  }
  const client = await pool.connect();
  try {
    await client.query('SET statement_timeout = 0');
    await client.query('VACUUM (ANALYZE)');
    await client.query('RESET statement_timeout');
  } finally {
    client.release();
  }
}

/** Ids sort by no time, as real ones. @param n an expression */
const idOf = (n: string) => `substr(md5((${n})::text), 1, 20)`;

/** `k`: how many jobs came after it. */
function statements(jobs: number, numbers: string): string[] {
  const age = `(${jobs} - n) * interval '30 seconds'`;
  const each = `FROM ${numbers} JOIN jobs j ON j.id = ${idOf('n')}`;
  const done = `j.status <> 'active'`;
  return [
    `INSERT INTO jobs (id, project_id, status, outcome, error_code, model, repository_url, base_ref, branch, pr_link, title, summary, metadata,
        automation_id, created_by, created_by_name, queue_no, last_message_no, last_turn_no, last_event_no, created_at, updated_at)
      SELECT ${idOf('n')}, CASE WHEN n % 10 < 3 THEN '${LARGE}' ELSE 'project-' || (1 + (n::bigint * 7919) % 2000) END, status,
        CASE WHEN status = 'active' THEN NULL ELSE outcome END, CASE WHEN outcome = 'failed' THEN 'model_failed' END,
        CASE WHEN n % ${RARE} = 10 THEN 'rare' ELSE 'builtin' END, 'file:///srv/git/docs.git', 'main', 'docent/' || ${idOf('n')},
        CASE WHEN outcome = 'changed' AND status <> 'active' THEN 'https://docs.example.com/pull/' || ${idOf('n')} END,
        'Improve page ' || n, CASE WHEN status <> 'active' THEN repeat('Said what was done. ', 8) END,
        CASE WHEN n % 10 = 0 THEN jsonb_build_object('team', CASE WHEN n % ${RARE} = 20 THEN 'rare' ELSE 'docs' END, 'ticket', 'DOC-' || n) ELSE '{}' END,
        CASE WHEN n % 10 = 1 THEN CASE WHEN n % ${RARE} = 11 THEN 'rare' ELSE 'weekly-' || n / 10 % 7 END END,
        CASE WHEN n % ${RARE} = 12 THEN 'person:rare' WHEN n % 10 = 1 THEN NULL ELSE 'key:' || n % 7 END, 'a key',
        CASE WHEN status = 'active' AND k >= ${RUNNING} THEN n END, 1, CASE WHEN status = 'active' AND k >= ${RUNNING} THEN 0 ELSE 1 END, 4,
        now() - ${age}, now() - ${age} + interval '90 seconds'
      FROM (SELECT n, ${jobs} - n AS k,
          CASE WHEN ${jobs} - n < ${RUNNING + QUEUED} THEN 'active' WHEN ${jobs} - n > 86400 AND (n::bigint * 31) % 10 < 7 THEN 'archived'
            WHEN n % 50 = 2 THEN 'failed' ELSE 'completed' END AS status,
          CASE WHEN n % ${RARE} = 30 THEN 'refused' WHEN n % 50 = 2 THEN 'failed' WHEN n % 5 = 3 THEN 'answered' WHEN n % 7 = 4 THEN 'unchanged' ELSE 'changed' END AS outcome
        FROM ${numbers}) x`,
    `INSERT INTO messages (job_id, no, id, prompt, state, turn_no, step_no, created_at)
      SELECT id, m, id || m, 'Improve the page, please. ' || repeat(title || ' should say more. ', 6),
        CASE WHEN status <> 'active' THEN 'done' WHEN queue_no IS NULL THEN 'taken' ELSE 'waiting' END, 1, 1, created_at
      ${each}, generate_series(1, 1 + n % 2) m`,
    `INSERT INTO turns (job_id, no, state, chain_no, branch, base_commit, chain_base_commit, commit_time, commit, diff, steps, started_at, ended_at)
      SELECT id, 1, CASE status WHEN 'active' THEN 'running' WHEN 'failed' THEN 'failed' ELSE 'published' END, 1, branch, id, id,
        created_at, id, repeat('+ line', 30), 2, created_at, CASE WHEN ${done} THEN updated_at END ${each} WHERE queue_no IS NULL`,
    `INSERT INTO transcript (job_id, turn_no, step_no, part, entries, created_at)
      SELECT id, 1, 1, part, '[{"role": "assistant", "text": "Done", "toolCalls": [{"id": "a"}]}]', created_at ${each},
        unnest(ARRAY['model', 'tools']) part WHERE queue_no IS NULL`,
    `INSERT INTO job_events (job_id, no, type, turn_no, text, created_at)
      SELECT id, k, 'step', 1, 'read guides/start.mdx', created_at ${each}, generate_series(1, 4) k`,
    `INSERT INTO model_calls (job_id, turn_no, step_no, project_id, model, state, input_tokens, cached_input_tokens, output_tokens, cost_nano_usd, created_at)
      SELECT id, 1, 1, project_id, model, 'done', 1000, 0, 100, 0, created_at ${each} WHERE queue_no IS NULL`,
    `INSERT INTO pull_requests (id, project_id, job_id, chain_no, repository, head_branch, base_branch, state, title, body, head_commit,
        look_at, settled_at, created_at, updated_at)
      SELECT id, project_id, id, 1, '/srv/git/docs.git', branch, 'main', state, title, 'Body', id, now() - interval '1 minute',
        CASE WHEN state <> 'open' THEN updated_at + interval '2 hours' END, created_at, updated_at
      FROM (SELECT j.*, CASE WHEN n % ${RARE} = 13 THEN 'closed' WHEN n % 25 = 5 THEN 'open' ELSE 'merged' END AS state ${each}
        WHERE outcome = 'changed' AND ${done}) p`,
    `INSERT INTO webhook_deliveries (id, webhook_id, type, data, target, state, attempts, start_at, created_at, finished_at)
      SELECT 'msg_' || id, '${WEBHOOK}', 'job.completed', '{"job": {}}', 'hooks.example.com:443',
        CASE WHEN n % ${RARE} = 21 THEN 'failed' ELSE 'delivered' END, 1, created_at, created_at, created_at ${each} WHERE project_id = '${LARGE}' AND ${done}`,
    `INSERT INTO audit_log (at, actor_kind, actor_id, operation, project_id, target, changed, request_id, status)
      SELECT created_at, CASE WHEN n % ${RARE} = 40 THEN 'operator' ELSE 'key' END, CASE WHEN n % ${RARE} <> 40 THEN CASE WHEN n % ${RARE} = 41 THEN 'key_rare' ELSE 'key_' || n % 7 END END,
        CASE WHEN n % ${RARE} = 42 THEN 'archiveJob' ELSE 'createJob' END, project_id, '{}', '{prompt}', id, 201 ${each}`,
  ];
}
