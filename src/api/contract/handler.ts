import type { Readable } from 'node:stream';
import type { OperationId } from './operations.ts';
import type { DefaultedBody, DefaultedQuery } from '../generated/defaulted.ts';
import type { operations } from '@docent/client';
import type { ApiServices } from '../services.ts';
import type { RequestContext } from '../request-context.ts';

/** The input of a handler: authorized, converted and validated, with defaults filled in. */
interface HandlerInput<Op extends OperationId> {
  path: PathOf<Op>;
  query: QueryOf<Op>;
  body: BodyOf<Op>;
  request: RequestContext;
}

/** Carries out one operation. Throws AppError for errors of the contract; anything else is a 500. */
export type Handler<Op extends OperationId> = (input: HandlerInput<Op>, services: ApiServices) => Promise<AnswerOf<Op>>;

/** One handler for every operation of the contract: one that is missing does not compile. */
export type Handlers = { [Op in OperationId]: Handler<Op> };

export type PathOf<Op extends OperationId> = operations[Op]['parameters'] extends { path: infer Path }
  ? Path
  : NoFields;

export type QueryOf<Op extends OperationId> = operations[Op]['parameters'] extends { query?: infer Query }
  ? [NonNullable<Query>] extends [never]
    ? NoFields
    : Filled<NonNullable<Query>, FieldsIn<DefaultedQuery, Op>>
  : NoFields;

export type BodyOf<Op extends OperationId> = operations[Op] extends { requestBody: { content: infer Content } }
  ? Filled<Content[keyof Content], FieldsIn<DefaultedBody, Op>>
  : operations[Op] extends { requestBody?: infer Optional }
    ? [NonNullable<Optional>] extends [{ content: infer Content }]
      ? Filled<Content[keyof Content], FieldsIn<DefaultedBody, Op>> | undefined
      : undefined
    : undefined;

/** Fields that a caller may omit, but that have a default. */
type Filled<Input, Fields> = [Fields] extends [never]
  ? Input
  : Omit<Input, Fields & keyof Input> & Required<Pick<Input, Fields & keyof Input>>;

type FieldsIn<Defaulted, Op> = Op extends keyof Defaulted ? Defaulted[Op] : never;

/** The documented answers of an operation, and no others. */
type AnswerOf<Op extends OperationId> = {
  [Status in keyof operations[Op]['responses'] & number]: AnswerFor<Status, operations[Op]['responses'][Status]>;
}[keyof operations[Op]['responses'] & number];

type AnswerFor<Status extends number, Response> = Response extends { content: infer Content }
  ? {
      [Type in keyof Content & string]: Type extends 'application/json'
        ? { status: Status; body: Content[Type]; headers?: Record<string, string> }
        : Type extends 'application/octet-stream' | 'text/event-stream'
          ? { status: Status; type: Type; stream: Readable | null; headers?: Record<string, string> }
          : Type extends 'text/csv'
            ? { status: Status; type: Type; headers?: Record<string, string> } & (
                | { text: string }
                | { stream: Readable | null }
              )
            : { status: Status; type: Type; text: string; headers?: Record<string, string> };
    }[keyof Content & string]
  : { status: Status; headers?: Record<string, string> };

type NoFields = Record<never, never>;

/** An answer as the server writes it, whichever operation it came from. */
export interface AnyAnswer {
  status: number;
  body?: unknown;
  type?: string;
  text?: string;
  /** Sent as it arrives; null sends only the headers. */
  stream?: Readable | null;
  headers?: Record<string, string>;
}
