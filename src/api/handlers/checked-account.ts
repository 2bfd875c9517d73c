import { AppError } from '../../platform/errors.ts';
import { SealBroken, type Sealed } from '../../platform/secret-box.ts';
import type { ApiServices } from '../services.ts';

/**
 * Has a worker try a code host's credential; answers whose it is.
 * @throws AppError `host_refused` (400) with sentences that say what is wrong, `unavailable` (503)
 */
export async function checkedAccount(services: ApiServices, hostId: string, caller: string): Promise<string | null> {
  const checked = await services.workflows.checkHost({ host: hostId, repository: null, ref: null }, caller);
  if (!checked.ok) throw new AppError('host_refused', 400, checked.problems.join(' '));
  return checked.account;
}

/** @throws AppError `unavailable` where this server has no key to encrypt with */
export function mustSeal(seal: () => Sealed): Sealed {
  try {
    return seal();
  } catch (err) {
    if (!(err instanceof SealBroken)) throw err;
    throw new AppError('unavailable', 503, `A credential cannot be kept. ${err.message}`, {
      cause: err,
      retryAfterSeconds: 60,
    });
  }
}
