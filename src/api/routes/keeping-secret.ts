import { AppError, isExpected } from '../../platform/errors.ts';

/**
 * Does what keeps a secret in the database.
 * @throws AppError `unavailable` if this server has no key to encrypt with
 */
export async function keepingSecret<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (err) {
    if (!isExpected(err, 'secret_key')) throw err;
    throw new AppError('unavailable', `The secret cannot be stored. ${err.message}`, {
      cause: err,
      retryAfterSeconds: 60,
    });
  }
}
