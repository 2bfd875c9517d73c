import type { AppError } from '../../platform/errors.ts';
import type { components } from '@docent/client';

/** The page of this server's docs with an anchor for each error code. */
export const ERRORS_PAGE = 'docs/reference/errors';

/** @param homePath the server's first page as browsers see it: `/`, or a proxy's prefix with a final slash */
export function errorBody(error: AppError, requestId: string, homePath: string): components['schemas']['Error'] {
  const { message, code, param, errors } = error;
  return { error: message, code, requestId, param, errors: [...errors], docs: `${homePath}${ERRORS_PAGE}#${code}` };
}
