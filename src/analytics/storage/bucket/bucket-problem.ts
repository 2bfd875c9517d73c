import { AppError } from '../../../platform/errors.ts';

export type BucketProblemKind =
  /** The object does not exist. */
  | 'missing'
  /** An object of that name already exists. */
  | 'taken'
  /** Keys, permissions, the bucket's name or its region are wrong. A retry does not help. */
  | 'refused'
  /** No answer, or a request to retry. */
  | 'away'
  /** The bytes differ from the stored ones. */
  | 'other-bytes';

/** A failed request. For the log and operators: names the object and the store's answer. */
export class BucketProblem extends Error {
  readonly kind: BucketProblemKind;

  constructor(kind: BucketProblemKind, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = 'BucketProblem';
    this.kind = kind;
  }
}

export const isProblem = (err: unknown, kind: BucketProblemKind): boolean =>
  err instanceof BucketProblem && err.kind === kind;

/** The error for callers: answers go to anyone, and name no buckets. */
export function bucketUnavailable(cause: unknown): AppError {
  return new AppError(
    'unavailable',
    'The bucket for page views is unavailable; the server log has the reason. No data was lost. Try again in a moment.',
    { cause, retryAfterSeconds: 15 },
  );
}

interface StoreError {
  name?: string;
  Code?: string;
  message?: string;
  code?: string;
  $metadata?: { httpStatusCode?: number };
}

/** Whether a store does not support the request. */
export function isNotImplemented(err: unknown): boolean {
  const { name, $metadata } = err as { name?: string; $metadata?: { httpStatusCode?: number } };
  return name === 'NotImplemented' || $metadata?.httpStatusCode === 501;
}

const REFUSED = new Set([400, 401, 403, 405]);

/** Reads an error of the store's client. @param what the request, for people: `put files/…` */
export function problemOf(err: unknown, what: string): BucketProblem {
  if (err instanceof BucketProblem) return err;
  const { name, Code, code, message, $metadata } = err as StoreError;
  const status = $metadata?.httpStatusCode;
  const said = [status, Code ?? name ?? code, message].filter(Boolean).join(' ').slice(0, 300);
  const sentence = `${what}: ${said}`;
  return new BucketProblem(kindOf(status, name ?? ''), sentence, { cause: err });
}

function kindOf(status: number | undefined, name: string): BucketProblemKind {
  if (status === 404) return name === 'NoSuchBucket' ? 'refused' : 'missing';
  // Two that write one name at the same time: one of them gets 409.
  if (status === 412) return 'taken';
  if (name === 'CredentialsProviderError' || status === 301 || status === 307) return 'refused';
  // A connection that breaks off, and the clock's difference, show as such; the next try signs again.
  if (status !== undefined && REFUSED.has(status) && name !== 'RequestTimeout' && name !== 'RequestTimeTooSkewed')
    return 'refused';
  return 'away';
}
