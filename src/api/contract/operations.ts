import type { operations as OperationTypes } from '@docent/client';
import { KEY_SCOPES, type KeyScope } from '../../store/schema.ts';
import {
  METHODS,
  resolve,
  spec,
  type JsonSchema,
  type Method,
  type SpecOperation,
  type SpecParameter,
  type SpecResponse,
} from './spec.ts';

export type OperationId = keyof OperationTypes;

/** The callers of an operation: anyone; the operator; or also a key with one of the scopes. */
export type Access = { kind: 'public' } | { kind: 'operator' } | { kind: 'key'; scopes: readonly KeyScope[] };

export interface Operation<Op extends OperationId = OperationId> {
  id: Op;
  method: Method;
  /** With `{name}` placeholders. */
  path: string;
  access: Access;
  parameters: SpecParameter[];
  body: { required: boolean; mediaType: string; schema: JsonSchema } | null;
  responses: Record<string, SpecResponse>;
  /** Since when the operation is deprecated, and until when it works. */
  deprecation: { since: Date; until: Date } | null;
  /** For people: its errors are pages, too, if the client asks for HTML. */
  isPage: boolean;
}

/** Every operation of the contract. */
export const operations: readonly Operation[] = Object.entries(spec.paths).flatMap(([path, item]) =>
  METHODS.flatMap((method) => {
    const operation = item[method];
    if (!operation) return [];
    const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])];
    const responses = Object.fromEntries(
      Object.entries(operation.responses).map(([status, response]) => [
        status,
        resolve(spec.components.responses, response),
      ]),
    );
    return {
      id: operation.operationId as OperationId,
      method,
      path,
      access: accessOf(operation),
      parameters: parameters.map((parameter) => resolve(spec.components.parameters, parameter)),
      body: bodyOf(operation),
      responses,
      deprecation: deprecationOf(operation),
      isPage: responses['200']?.content?.['text/html'] !== undefined || responses['303'] !== undefined,
    };
  }),
);

function accessOf(operation: SpecOperation): Access {
  const { security } = operation;
  if (security.length === 0 || security.some((way) => Object.keys(way).length === 0)) return { kind: 'public' };
  const scopes = security.flatMap((way) => way.apiKey ?? []);
  if (scopes.length === 0) return { kind: 'operator' };
  if (!scopes.every(isKeyScope))
    throw new Error(`${operation.operationId} asks for a scope that no key has: ${scopes}.`);
  return { kind: 'key', scopes };
}

function deprecationOf(operation: SpecOperation): Operation['deprecation'] {
  if (!operation.deprecated) return null;
  const { 'x-deprecated-on': since, 'x-sunset-on': until } = operation;
  if (!since || !until)
    throw new Error(`${operation.operationId} is deprecated, and does not say since and until when.`);
  return { since: new Date(since), until: new Date(until) };
}

function isKeyScope(scope: string): scope is KeyScope {
  return KEY_SCOPES.some((known) => known === scope);
}

function bodyOf(operation: SpecOperation): Operation['body'] {
  // Only the handler reads a streamed body.
  if (!operation.requestBody || operation['x-streamed']) return null;
  const { required = false, content } = resolve(spec.components.requestBodies, operation.requestBody);
  const [entry] = Object.entries(content);
  if (!entry) throw new Error(`${operation.operationId} has a body of no type.`);
  return { required, mediaType: entry[0], schema: entry[1].schema };
}
