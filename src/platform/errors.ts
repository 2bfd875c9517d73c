import { Failure } from '@docent/base/failure';
import type { ErrorCode } from '@docent/client';

/** Every stable error code of API answers, as the contract lists them. A code never changes its meaning. */
export type { ErrorCode };

/** One mistake in a request. */
export interface FieldError {
  /** The field, parameter or header; null if it is the body as a whole. */
  param: string | null;
  /** A sentence. */
  message: string;
  /** The rule that it breaks, as JSON Schema names it: `required`, `type`, `maxLength`… */
  code: string;
}

/** A limit, and how much of it is left. */
export interface Quota {
  name: string;
  limit: number;
  windowSeconds: number;
  remaining: number;
  /** Until there is more. */
  resetSeconds: number;
}

/** `branch` of "`branch` is a base branch." */
const NAMED_FIRST = /^`([A-Za-z][\w.-]*)`/;

/**
 * An expected failure of a request. The API turns it into `{ error, code, requestId }` with the code's status
 * in openapi.yaml. `message` is a sentence for the caller: what happened and what to do. It never holds a
 * secret.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly retryAfterSeconds: number | undefined;
  /** The wrong field, parameter or header, if any: by default the first word of the message. */
  readonly param: string | null;
  /** All problems of a request that violates the contract; the first is the message. */
  readonly errors: readonly FieldError[];
  /** The limit that was reached. */
  readonly quota: Quota | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: {
      cause?: unknown;
      retryAfterSeconds?: number;
      quota?: Quota;
      param?: string | null;
      errors?: readonly FieldError[];
    } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.quota = options.quota;
    this.param = options.param ?? NAMED_FIRST.exec(message)?.[1] ?? null;
    this.errors = options.errors ?? [];
  }
}

/** A failure of a job that no retry will help. The job becomes `failed` with this code and sentence. */
export function jobFailure(code: JobFailureCode, message: string, options: { cause?: unknown } = {}): Failure {
  return new Failure(message, { code, attempts: 1 }, options);
}

/** What a caller inside Docent handles when it is thrown. */
export type ExpectedCode =
  /** Another process had the same event. */
  | 'already_taken'
  /** A file is not a complete backup. The message explains what is wrong with it. */
  | 'backup_damaged'
  /** A push is under way, or a worker died at one a few seconds ago. */
  | 'being_published'
  /** Another visitor was erased since the file was begun. */
  | 'erased_meanwhile'
  /** An event cannot be accepted. The message is for its sender, without any of the sent values. */
  | 'event_refused'
  /** Another process holds the folder now, and seals its segments. */
  | 'folder_lost'
  /** An index differs from the written one. It is useless. */
  | 'index_damaged'
  /** Files of events are missing, and may still show: a second look is due. */
  | 'may_still_show'
  /** Someone else changed the project in the meantime: begin again. */
  | 'manifest_conflict'
  /** Another transaction assigns slots or queues a job: retry soon, without holding a connection. */
  | 'slots_busy'
  /** A secret cannot be stored or read with this process's keys. The message says what to do. */
  | 'secret_key'
  /** The requested version is not readable: it never existed, or its files are deleted. */
  | 'version_gone';

/** A condition that some caller handles, by its code: see {@link isExpected}. */
export class Expected extends Error {
  readonly code: ExpectedCode;

  constructor(code: ExpectedCode, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = 'Expected';
    this.code = code;
  }
}

export function isExpected(err: unknown, ...codes: readonly ExpectedCode[]): err is Expected {
  return err instanceof Expected && codes.includes(err.code);
}

/** Why a job failed. Stable, like {@link ErrorCode}. */
export type JobFailureCode =
  | 'repository_missing'
  | 'repository_replaced'
  | 'repository_unreadable'
  | 'repository_empty'
  | 'branch_missing'
  | 'branch_taken'
  | 'branch_prefix_taken'
  | 'address_refused'
  | 'push_refused'
  | 'host_unauthorized'
  | 'host_forbidden'
  | 'host_rate_limited'
  | 'host_unavailable'
  | 'host_refused'
  | 'credential_unreadable'
  | 'change_refused'
  | 'secret_found'
  | 'model_unknown'
  | 'model_unavailable'
  | 'model_key'
  | 'model_quota'
  | 'model_rate_limited'
  | 'model_refused'
  | 'model_rejected'
  | 'model_context'
  | 'model_empty'
  | 'model_call_as_text'
  | 'model_output_limit'
  | 'budget_job'
  | 'budget_project'
  | 'limit_steps'
  | 'limit_time'
  | 'limit_repeated_calls'
  | 'limit_no_progress'
  | 'limit_work'
  | 'conflict_unresolved'
  | 'workflow_lost'
  | 'internal';
