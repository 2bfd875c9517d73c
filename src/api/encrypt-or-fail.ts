import { AppError, isExpected } from '../platform/errors.ts';
import type { Encrypted } from '../platform/secret-box.ts';

/** @param what is encrypted, a sentence's subject @throws AppError `unavailable` without a key */
export function encryptOrFail(what: string, encrypt: () => Encrypted): Encrypted {
  try {
    return encrypt();
  } catch (err) {
    if (!isExpected(err, 'secret_key')) throw err;
    throw new AppError('unavailable', `${what} cannot be stored. ${err.message}`, {
      cause: err,
      retryAfterSeconds: 60,
    });
  }
}
