import { AppError, isExpected } from '../../platform/errors.ts';
import { statusOf } from '../contract/error-status.ts';
import type { Logger } from '../../platform/log.ts';
import { databaseProblem, sqlStateOf } from '../../store/database-problem.ts';

/** Worth an immediate retry: serialization, deadlock, lock timeout, statement timeout. */
const PASSING_STATES = new Set(['40001', '40P01', '55P03', '57014']);

/** Converts thrown values. Unexpected ones are logged with their causes and answered without details. */
export function failureOf(thrown: unknown, log: () => Logger): AppError {
  if (thrown instanceof AppError) {
    if (statusOf(thrown) >= 500) log().warn({ err: thrown }, 'the request could not be served');
    return thrown;
  }
  if (isExpected(thrown, 'secret_key')) {
    log().warn({ err: thrown }, 'a secret could not be stored or read');
    return new AppError('unavailable', `A secret cannot be stored or read. ${thrown.message}`, {
      cause: thrown,
      retryAfterSeconds: 60,
    });
  }
  const problem = databaseProblem(thrown);
  if (problem) {
    log().warn({ err: thrown, problem: problem.kind }, 'the database is unavailable');
    const { sentence, retryAfterSeconds } = problem;
    return new AppError('unavailable', sentence, { cause: thrown, retryAfterSeconds });
  }
  if (PASSING_STATES.has(sqlStateOf(thrown) ?? '')) {
    log().warn({ err: thrown }, 'the database was too busy');
    return new AppError('unavailable', 'The database is busy. Try again in a moment.', {
      cause: thrown,
      retryAfterSeconds: 1,
    });
  }
  log().error({ err: thrown }, 'unexpected error');
  return new AppError('internal', "Internal server error. See the server's log for the request ID.", {
    cause: thrown,
  });
}
