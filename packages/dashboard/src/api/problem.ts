import type { ApiError, components } from '@docent/client';

type FieldProblem = Pick<components['schemas']['FieldError'], 'param' | 'message'>;

/** A failure, with the API's message. */
export class Problem extends Error {
  override readonly name = 'Problem';
  /**
   * The API's code; `unreachable` if the server does not answer, `unanswered` if it did not answer only this
   * request; `session_ended` if the session just ended.
   */
  readonly code: string;
  /** Null if there was no answer. */
  readonly status: number | null;
  readonly requestId: string | null;
  /** The field or parameter that the sentence is about. */
  readonly param: string | null;
  /** Each field that is wrong, if several are. */
  readonly fields: readonly FieldProblem[];

  constructor(
    message: string,
    about: {
      code: string;
      status?: number | null;
      requestId?: string | null;
      param?: string | null;
      fields?: readonly FieldProblem[];
    },
  ) {
    super(message);
    this.code = about.code;
    this.status = about.status ?? null;
    this.requestId = about.requestId ?? null;
    this.param = about.param ?? null;
    this.fields = about.fields ?? [];
  }
}

/** Any thrown value as a problem for readers. */
export function problemOf(thrown: unknown): Problem {
  if (thrown instanceof Problem) return thrown;
  return new Problem(thrown instanceof Error ? thrown.message : String(thrown), { code: 'unexpected' });
}

/** From an error's body, which may come from a proxy. */
export function problemOfAnswer(body: unknown, response: Response): Problem {
  const error = typeof body === 'object' && body !== null ? (body as Partial<ApiError>) : {};
  return new Problem(error.error ?? `The server answered ${response.status}, and no more.`, {
    code: error.code ?? 'unexpected',
    status: response.status,
    requestId: error.requestId ?? response.headers.get('X-Request-Id'),
    param: error.param ?? null,
    fields: error.errors ?? [],
  });
}

/**
 * Whether the server refused without doing anything: the next attempt gets a new `Idempotency-Key`. A lost
 * answer is not a refusal.
 */
export function isRefusal({ status, code }: Problem): boolean {
  return status !== null && status >= 400 && status < 500 && code !== 'idempotency_in_progress';
}
