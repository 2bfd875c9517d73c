import type { operations as OperationTypes } from '../generated/openapi.ts';
import { KEY_SCOPES, type KeyScope } from '../../store/schema.ts';
import {
  METHODS,
  resolve,
  spec,
  type JsonSchema,
  type Method,
  type SpecOperation,
  type SpecParameter,
  type SpecRequestBody,
  type SpecResponse,
} from './spec.ts';

export type OperationId = keyof OperationTypes;

/** Who may call an operation: anybody; the operator; or also a key with one of the scopes. */
export type Access = { kind: 'public' } | { kind: 'operator' } | { kind: 'key'; scopes: readonly KeyScope[] };

export interface Operation {
  id: OperationId;
  method: Method;
  /** With `{name}` placeholders. */
  path: string;
  access: Access;
  parameters: SpecParameter[];
  body: { required: boolean; mediaType: string; schema: JsonSchema } | null;
  responses: Record<string, SpecResponse>;
  /** Answers people: its errors are pages too, for those who ask for HTML. */
  isPage: boolean;
}

/** Every operation of the contract. */
export const operations: readonly Operation[] = Object.entries(spec.paths).flatMap(([path, item]) =>
  METHODS.flatMap((method) => {
    const operation = item[method];
    if (!operation) return [];
    const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])];
    const responses = Object.fromEntries(
      Object.entries(operation.responses).map(([status, response]) => [status, resolve<SpecResponse>(response)]),
    );
    return {
      id: operation.operationId as OperationId,
      method,
      path,
      access: accessOf(operation),
      parameters: parameters.map((parameter) => resolve<SpecParameter>(parameter)),
      body: bodyOf(operation),
      responses,
      isPage: responses['200']?.content?.['text/html'] !== undefined,
    };
  }),
);

function accessOf(operation: SpecOperation): Access {
  const { security } = operation;
  if (security.length === 0 || security.some((way) => Object.keys(way).length === 0)) return { kind: 'public' };
  const scopes = security.flatMap((way) => way.apiKey ?? []);
  if (scopes.length === 0) return { kind: 'operator' };
  const unknown = scopes.find((scope) => !KEY_SCOPES.includes(scope as KeyScope));
  if (unknown !== undefined) throw new Error(`${operation.operationId} asks for the scope ${unknown}.`);
  return { kind: 'key', scopes: scopes as KeyScope[] };
}

function bodyOf(operation: SpecOperation): Operation['body'] {
  // Nothing may take it in before the handler does.
  if (!operation.requestBody || operation['x-streamed']) return null;
  const { required = false, content } = resolve<SpecRequestBody>(operation.requestBody);
  const [entry] = Object.entries(content);
  if (!entry) throw new Error(`${operation.operationId} has a body of no type.`);
  return { required, mediaType: entry[0], schema: entry[1].schema };
}
