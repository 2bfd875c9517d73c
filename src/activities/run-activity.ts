import { ApplicationFailure, CancelledFailure, Context } from '@temporalio/activity';
import { JobFailure, type JobFailureCode } from '../platform/errors.ts';
import { messageOf } from '@docent/base/thrown';
import { WorkLimit } from '../platform/children/child-pool.ts';
import { HostProblem } from '../code-hosts/host-problem.ts';
import { RepositoryProblem } from '../git/repository-problem.ts';
import { WorkspaceRefusal } from '../git/workspace.ts';
import { withoutQuotes } from '../platform/log-errors.ts';
import { redact, type Logger } from '../platform/log.ts';
import { activityEnded } from '../platform/telemetry/instruments.ts';
import { isDiskFailing, REMEDY, Shortage, shortageOf } from '../platform/shortage.ts';
import { RequestUnknown } from '../store/control-requests.ts';
import { databaseProblem } from '../store/database-problem.ts';
import { QueryFailed } from '../store/query-errors.ts';
import { TurnOver } from '../store/turn-fence.ts';

/** What an activity's body is given. */
export interface ActivityRun {
  /** Aborts when the activity is cancelled, has timed out, or the worker shuts down. */
  signal: AbortSignal;
  log: Logger;
  /** From 1. */
  attempt: number;
  /** Milliseconds since the first attempt was due; 0 in the first one. */
  elapsedMs: number;
}

/** A passing failure, to be tried again after a pause of its own. */
export class TryLater extends Error {
  readonly type: string;
  readonly pauseMs: number;

  constructor(message: string, type: string, pauseMs: number) {
    super(message);
    this.name = 'TryLater';
    this.type = type;
    this.pauseMs = pauseMs;
  }
}

const HEARTBEAT_MS = 3_000;
/** An error that nobody foresaw is tried again this often before it ends the turn. */
const UNFORESEEN_ATTEMPTS = 6;
/** What took too much memory or time is tried once more: the machine may have been busy. */
const LIMITED_ATTEMPTS = 2;
/** A host that does not answer is tried again this often: with the policy's pauses, some two minutes. */
const UNREACHABLE_ATTEMPTS = 12;
/** A host that asks for a longer pause than a turn may take fails the job. */
const MAX_PAUSE_MS = 30 * 60_000;

/**
 * Runs an activity's body with a heartbeat on a timer and decides which errors are final. A database that is away is waited
 * for without end, and so is room on a full disk, here or where a repository is kept. Messages that reach the history are redacted and short.
 * @param attempts how often an error that nobody foresaw is tried; the rest is for the log
 * @returns the body's result and `ms`, its own running time
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

function failureOf(err: unknown, attempt: number, unforeseenAttempts: number): ApplicationFailure {
  if (err instanceof TurnOver) return final(err.message, 'TurnOver');
  if (err instanceof RequestUnknown) return final(err.message, err.name);
  if (err instanceof JobFailure) return final(err.message, err.code);
  if (err instanceof TryLater) {
    const message = redact(err.message).slice(0, 500);
    return ApplicationFailure.create({ message, type: err.type, nonRetryable: false, nextRetryDelay: err.pauseMs });
  }
  if (err instanceof Shortage) return passing(err);
  if (err instanceof WorkspaceRefusal) return final(`The change is not allowed: ${err.message}`, 'change_refused');
  if (err instanceof RepositoryProblem) {
    if (err.code === 'unreachable' && attempt < UNREACHABLE_ATTEMPTS) return passing(err, err.retryAfterMs);
    return final(err.message, jobCodeOf(err));
  }
  if (err instanceof HostProblem) {
    const isShort = (err.retryAfterMs ?? 0) <= MAX_PAUSE_MS;
    return err.mayPass && isShort && attempt < UNREACHABLE_ATTEMPTS
      ? passing(err, err.retryAfterMs)
      : final(err.message, err.code);
  }
  if (err instanceof WorkLimit) {
    if (attempt < LIMITED_ATTEMPTS) return passing(err);
    const hint = 'Something in the repository is too large or too odd for Docent: look for huge pages and files.';
    return final(`${err.message} ${hint}`, 'limit_work');
  }
  const problem = databaseProblem(err);
  if (problem) return passing(new Error(problem.sentence));
  const short = shortageOf(err);
  if (short) return passing(new Shortage(short, `The worker could not go on: ${REMEDY[short]} (${shortMessage(err)})`));
  if (attempt < (isDiskFailing(err) ? UNREACHABLE_ATTEMPTS : unforeseenAttempts)) return passing(err);
  return final(`Something went wrong that Docent did not foresee: ${shortMessage(err)}`, 'internal');
}

function jobCodeOf(problem: RepositoryProblem): JobFailureCode {
  switch (problem.code) {
    case 'repository_missing':
    case 'repository_replaced':
    case 'repository_empty':
    case 'branch_missing':
    case 'branch_prefix_taken':
    case 'address_refused':
      return problem.code;
    default:
      return 'repository_unreadable';
  }
}

function final(message: string, type: string): ApplicationFailure {
  return ApplicationFailure.nonRetryable(redact(message).slice(0, 1_000), type);
}

/** @param retryAfterMs how long the other side asked to be left alone */
function passing(err: unknown, retryAfterMs?: number): ApplicationFailure {
  return ApplicationFailure.create({
    message: shortMessage(err),
    type: err instanceof Error ? err.name : 'Error',
    ...(retryAfterMs === undefined ? {} : { nextRetryDelay: Math.min(retryAfterMs, MAX_PAUSE_MS) }),
  });
}

/** What may stand in the history, and in the answer about a job. */
function shortMessage(err: unknown): string {
  const root = err instanceof QueryFailed ? err.cause : err;
  return redact(withoutQuotes(messageOf(root)).split('\n', 1)[0] ?? '').slice(0, 500);
}
