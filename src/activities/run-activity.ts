import { setTimeout as sleep } from 'node:timers/promises';
import { ApplicationFailure, CancelledFailure, Context } from '@temporalio/activity';
import { Failure, UNREACHABLE_ATTEMPTS } from '@docent/base/failure';
import { messageOf } from '@docent/base/thrown';
import { withoutQuotes } from '../platform/log-errors.ts';
import { redact, type Logger } from '../platform/log.ts';
import { activityEnded } from '../platform/telemetry/instruments.ts';
import { isDiskFailing, REMEDY, Shortage, shortageOf } from '@docent/base/shortage';
import { databaseProblem, isDatabaseUnavailable } from '../store/database-problem.ts';
import { QueryFailed } from '../store/query-errors.ts';

/** The context of an activity's body. */
export interface ActivityRun {
  /** Aborts when the activity is cancelled, has timed out, or the worker shuts down. */
  signal: AbortSignal;
  log: Logger;
  /** From 1. */
  attempt: number;
  /** Milliseconds since the first attempt was due; 0 in the first one. */
  elapsedMs: number;
}

/** The error of an activity that is retried after its own pause. */
export function tryLater(message: string, code: string, pauseMs: number): Failure {
  return new Failure(message, { code, attempts: Infinity, afterMs: pauseMs });
}

const HEARTBEAT_MS = 3_000;
/** Attempts after an unforeseen error, before it ends the turn. */
const UNFORESEEN_ATTEMPTS = 6;
/** If a host asks for a pause longer than a turn may take, the job fails. */
const MAX_PAUSE_MS = 30 * 60_000;

/**
 * Runs an activity with heartbeats and decides which errors are final. Waits for an unavailable database or a
 * full disk. Messages in the history are redacted and short.
 * @param attempts for unexpected errors
 * @returns the result and `ms`, its running time
 */
export async function runActivity<T extends object>(
  log: Logger,
  { attempts = UNFORESEEN_ATTEMPTS, ...about }: { jobId?: string; turn?: number; step?: number; attempts?: number },
  body: (run: ActivityRun) => Promise<T>,
): Promise<T & { ms: number }> {
  const context = Context.current();
  const { activityType, attempt, scheduledTimestampMs } = context.info;
  const runLog = log.child({ ...about, activity: activityType, attempt });
  const beat = setInterval(() => context.heartbeat(), HEARTBEAT_MS);
  const startedAt = performance.now();
  let outcome: Parameters<typeof activityEnded>[1] = 'done';
  try {
    // Before the first attempt, the time until a worker was there is not the activity's.
    const elapsedMs = attempt === 1 ? 0 : Math.max(0, Date.now() - scheduledTimestampMs);
    const result = await body({ signal: context.cancellationSignal, log: runLog, attempt, elapsedMs });
    return { ...result, ms: Math.round(performance.now() - startedAt) };
  } catch (err) {
    outcome = 'cancelled';
    if (context.cancellationSignal.aborted) throw new CancelledFailure(`${activityType} was cancelled`);
    const failure = failureOf(err, attempt, attempts);
    outcome = failure.nonRetryable ? 'failed' : 'retried';
    runLog[failure.nonRetryable ? 'warn' : 'info']({ err, final: failure.nonRetryable }, 'activity failed');
    throw failure;
  } finally {
    clearInterval(beat);
    activityEnded(activityType, outcome, performance.now() - startedAt);
  }
}

/** Retries recording a paid answer or an edit while the database is unavailable, heartbeating. */
export async function keepTrying<T>(run: ActivityRun, record: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await record();
    } catch (err) {
      if (!isDatabaseUnavailable(err)) throw err;
      run.log.warn({ err }, 'the database is unavailable; keeping the outcome and retrying');
      await sleep(1_000, undefined, { signal: run.signal });
    }
  }
}

/** @param attempt from 1 */
export function failureOf(err: unknown, attempt: number, unforeseenAttempts = UNFORESEEN_ATTEMPTS): ApplicationFailure {
  if (err instanceof Failure) return failureWith(err, attempt);
  const problem = databaseProblem(err);
  if (problem) return passing(new Error(problem.sentence));
  const short = shortageOf(err);
  if (short)
    return passing(new Shortage(short, `The worker could not continue: ${REMEDY[short]} (${shortMessage(err)})`));
  if (attempt < (isDiskFailing(err) ? UNREACHABLE_ATTEMPTS : unforeseenAttempts)) return passing(err);
  return final(`Something went wrong that Docent did not foresee: ${shortMessage(err)}`, 'internal');
}

function failureWith(failure: Failure, attempt: number): ApplicationFailure {
  const { code: type, attempts, afterMs, message = failure.message } = failure.retry;
  const isTooLong = attempts < Infinity && (afterMs ?? 0) > MAX_PAUSE_MS;
  if (attempt >= attempts || isTooLong) return final(message, type);
  return ApplicationFailure.create({
    message: shortMessage(failure),
    type,
    ...(afterMs === undefined ? {} : { nextRetryDelay: afterMs }),
  });
}

function final(message: string, type: string): ApplicationFailure {
  return ApplicationFailure.nonRetryable(redact(message).slice(0, 1_000), type);
}

function passing(err: unknown): ApplicationFailure {
  return ApplicationFailure.create({ message: shortMessage(err), type: err instanceof Error ? err.name : 'Error' });
}

/** The error text for the history and the answer about a job. */
function shortMessage(err: unknown): string {
  const root = err instanceof QueryFailed ? err.cause : err;
  return redact(withoutQuotes(messageOf(root)).split('\n', 1)[0] ?? '').slice(0, 500);
}
