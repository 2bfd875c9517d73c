import type { AppError } from '../../platform/errors.ts';
import type { components } from '../generated/openapi.ts';

/** Where the documentation explains the codes: a page of `docs/`, with an anchor for each. */
const ERRORS_PAGE = '/reference/errors';

/** The body of an error, as every answer has it. */
export function errorBody(error: AppError, requestId: string): components['schemas']['Error'] {
  const { message, code, param, errors } = error;
  return { error: message, code, requestId, param, errors: [...errors], docs: `${ERRORS_PAGE}#${code}` };
}
