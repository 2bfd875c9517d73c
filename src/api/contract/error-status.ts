import type { AppError, ErrorCode } from '../../platform/errors.ts';
import document from '../generated/openapi.json' with { type: 'json' };

const STATUSES: Readonly<Record<ErrorCode, number>> = document['x-error-statuses'];

/** The HTTP status that openapi.yaml gives an error's code. */
export const statusOf = ({ code }: AppError): number => STATUSES[code];
