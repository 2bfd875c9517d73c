import { eq, sql } from 'drizzle-orm';
import type { Db, Queryable } from '../database.ts';
import type { JobEventData } from '../job-event-data.ts';
import { shownData, shownText } from './job-events.ts';
import type { JobRow } from './jobs.ts';
import type { ProjectRow } from '../projects/projects.ts';
import type { CallAt, CallUsage } from './model-calls.ts';
import { recordOutcome, type Recorded } from './outcomes.ts';
import { jobs, projects, transcript, type JobEventType } from '../schema.ts';
import { isAnswered, isReached } from './reached.ts';
import { findPart, type TranscriptPart } from './transcript.ts';
import { claiming, rowsBehind, type TurnClaim, type TurnRow, turnSuperseded } from './turn-fence.ts';
import { findTurn } from './turns.ts';

/** One half of a step of a turn. */
export interface PartAt {
  jobId: string;
  turnNo: number;
  stepNo: number;
  part: Extract<TranscriptPart, 'model' | 'tools'>;
}

export interface Begun {
  /** The turn, taken over for this attempt: see `claimTurn`. */
  claim: TurnRow;
  job: JobRow;
  project: ProjectRow;
  /** Messages wait, or this step was given some before: see `takeMessages`. */
  hasMessages: boolean;
  /** The recorded first half of the step, if any. */
  answer: unknown[] | null;
}

/**
 * The start of an attempt at one half of a step: an earlier outcome, or all needed input and the turn, taken
 * over. If nothing was recorded, this is one round trip and one write.
 * @throws TurnSuperseded if the turn no longer runs, its job or project is gone, or earlier parts are not
 *   recorded
 */
export async function beginPart(db: Db, at: PartAt): Promise<{ recorded: unknown[] } | ({ recorded: null } & Begun)> {
  const { jobId, turnNo, stepNo, part } = at;
  const ofStep = sql`FROM ${transcript} WHERE ${transcript.jobId} = ${jobId} AND ${transcript.turnNo} = ${turnNo} AND ${transcript.stepNo} = ${stepNo}`;
  const isNext = sql`(NOT EXISTS (SELECT 1 ${ofStep} AND ${transcript.part} = ${part})
    AND ${part === 'model' ? isReached(at) : isAnswered(at)})`;
  const claimed = db.$with('claimed').as(claiming(db, at, isNext));
  const known = db
    .select({
      hasMessages: sql<boolean>`EXISTS (
        SELECT 1 FROM messages WHERE job_id = ${jobId}
        AND (state = 'waiting' OR (state = 'taken' AND turn_no = ${turnNo} AND step_no = ${stepNo})))`.as(
        'has_messages',
      ),
      answer: sql<unknown[] | null>`(SELECT ${transcript.entries} ${ofStep} AND ${transcript.part} = 'model')`.as(
        'answer',
      ),
    })
    .from(sql`(SELECT 1) AS one`)
    .as('known');
  const [row] = await db
    .with(claimed)
    .select()
    .from(claimed)
    .innerJoin(jobs, eq(jobs.id, jobId))
    .innerJoin(projects, eq(projects.id, jobs.projectId))
    .innerJoin(known, sql`true`);
  if (row) {
    const { hasMessages, answer } = row.known;
    return { recorded: null, claim: row.claimed, job: row.jobs, project: row.projects, hasMessages, answer };
  }
  const recorded = await findPart(db, jobId, turnNo, stepNo, part);
  if (recorded) return { recorded };
  const turn = await findTurn(db, jobId, turnNo);
  throw turn?.state === 'running' ? rowsBehind(jobId, turnNo) : turnSuperseded(jobId, turnNo);
}

/** A line of the job's story that belongs to an outcome. */
export interface StepEvent {
  type: Extract<JobEventType, 'step' | 'answer' | 'tools'>;
  text: string;
  data?: JobEventData;
}

/** Records a model's answer, its usage and an event: see {@link recordOutcome}. @throws TurnSuperseded */
export function recordAnswer(
  q: Queryable,
  claim: TurnClaim,
  answer: { at: CallAt; entries: unknown[]; usage: CallUsage; activityMs: number; event: StepEvent },
): Promise<Recorded> {
  const { at, usage, entries } = answer;
  const { inputTokens, cachedInputTokens, outputTokens, costNanoUsd } = usage;
  const { type, text, data } = answer.event;
  const turn = sql`steps = ${at.stepNo}, activity_ms = activity_ms + ${Math.round(answer.activityMs)}`;
  const more = sql`, call AS (
      INSERT INTO model_calls (job_id, turn_no, step_no, project_id, model, state,
        input_tokens, cached_input_tokens, output_tokens, cost_nano_usd, created_at)
      SELECT job_id, turn_no, step_no, ${at.projectId}, ${at.model}, 'done',
        ${inputTokens}::bigint, ${cachedInputTokens}::bigint, ${outputTokens}::bigint, ${costNanoUsd}::bigint, now() FROM part
      ON CONFLICT (job_id, turn_no, step_no) DO UPDATE SET project_id = excluded.project_id, model = excluded.model,
        state = excluded.state, input_tokens = excluded.input_tokens, cached_input_tokens = excluded.cached_input_tokens,
        output_tokens = excluded.output_tokens, cost_nano_usd = excluded.cost_nano_usd, created_at = excluded.created_at
    ), job AS (
      UPDATE jobs SET model_calls = model_calls + 1, input_tokens = input_tokens + ${inputTokens}::bigint,
        cached_input_tokens = cached_input_tokens + ${cachedInputTokens}::bigint,
        output_tokens = output_tokens + ${outputTokens}::bigint,
        cost_nano_usd = cost_nano_usd + ${costNanoUsd ?? 0}::bigint,
        unpriced_calls = unpriced_calls + ${costNanoUsd === null ? 1 : 0}::int,
        last_event_no = last_event_no + 1, updated_at = now()
      FROM part WHERE jobs.id = part.job_id
      RETURNING jobs.id, jobs.last_event_no
    ), event AS (
      INSERT INTO job_events (job_id, no, type, turn_no, text, data)
      SELECT id, last_event_no, ${type}, ${claim.no}::int, ${shownText(text)}, ${shownData(data)}::jsonb FROM job
    )`;
  return recordOutcome(q, claim, { stepNo: at.stepNo, part: 'model', entries }, { turn, more });
}

/** Records tool results and an event in one statement: see {@link recordOutcome}. @throws TurnSuperseded */
export function recordResults(
  q: Queryable,
  claim: TurnClaim,
  { stepNo, entries, activityMs, event }: { stepNo: number; entries: unknown[]; activityMs: number; event: StepEvent },
): Promise<Recorded> {
  const turn = sql`activity_ms = activity_ms + ${Math.round(activityMs)}`;
  // The job's change time is indexed. The step has just set it: leaving it out saves an index write.
  const more = sql`, job AS (
      UPDATE jobs SET last_event_no = last_event_no + 1 FROM part WHERE jobs.id = part.job_id
      RETURNING jobs.id, jobs.last_event_no
    ), event AS (
      INSERT INTO job_events (job_id, no, type, turn_no, text, data)
      SELECT id, last_event_no, ${event.type}, ${claim.no}::int, ${shownText(event.text)}, ${shownData(event.data)}::jsonb
      FROM job
    )`;
  return recordOutcome(q, claim, { stepNo, part: 'tools', entries }, { turn, more });
}
