import { DrizzleQueryError } from 'drizzle-orm/errors';
import { AppError } from '../../errors.ts';
import type { Logger } from '../../log.ts';
import { isDatabaseUnavailable, sqlStateOf } from '../../store/database.ts';

/** Worth repeating at once: serialization, deadlock, lock timeout, statement timeout. */
const PASSING_STATES = new Set(['40001', '40P01', '55P03', '57014']);

/**
 * Turns whatever was thrown into an error of the contract. What nobody expected is logged with its causes and answered without
 * details.
 */
export function failureOf(thrown: unknown, log: () => Logger): AppError {
  if (thrown instanceof AppError) {
    if (thrown.status >= 500) log().warn({ err: thrown }, 'the request could not be served');
    return thrown;
  }
  if (isDatabaseUnavailable(thrown)) {
    log().warn({ err: withoutValues(thrown) }, 'the database cannot be reached');
    return new AppError('unavailable', 503, 'The database cannot be reached now. Try again in a moment.', {
      cause: thrown,
      retryAfterSeconds: 5,
    });
  }
  if (PASSING_STATES.has(sqlStateOf(thrown) ?? '')) {
    log().warn({ err: withoutValues(thrown) }, 'the database was too busy');
    return new AppError('unavailable', 503, 'The database is too busy now. Try again in a moment.', {
      cause: thrown,
      retryAfterSeconds: 1,
    });
  }
  log().error({ err: withoutValues(thrown) }, 'unexpected error');
  return new AppError(
    'internal',
    500,
    'Something went wrong in the server. Its log has the details under the request id.',
    {
      cause: thrown,
    },
  );
}

/** A failed query's message repeats the bound values, prompts among them. */
function withoutValues(thrown: unknown): unknown {
  if (!(thrown instanceof DrizzleQueryError)) return thrown;
  return new Error(`Query failed: ${thrown.query}`, { cause: thrown.cause });
}
