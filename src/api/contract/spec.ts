import document from '../generated/openapi.json' with { type: 'json' };

/** The parts of an OpenAPI document that the server reads. */
export interface SpecDocument {
  paths: Record<string, PathItem>;
  components: {
    schemas: Record<string, JsonSchema>;
    parameters: Record<string, SpecParameter>;
    requestBodies: Record<string, SpecRequestBody>;
    responses: Record<string, SpecResponse>;
    headers: Record<string, SpecHeader>;
  };
}

export type JsonSchema = { [keyword: string]: unknown };
export type Ref = { $ref: string };
export type Method = 'get' | 'post' | 'patch' | 'delete';
export const METHODS: readonly Method[] = ['get', 'post', 'patch', 'delete'];

type PathItem = { parameters?: (SpecParameter | Ref)[] } & { [M in Method]?: SpecOperation };

export interface SpecOperation {
  operationId: string;
  security: Record<string, string[]>[];
  parameters?: (SpecParameter | Ref)[];
  requestBody?: SpecRequestBody | Ref;
  responses: Record<string, SpecResponse | Ref>;
  /** The handler reads the body itself, as it comes in. */
  'x-streamed'?: boolean;
}

export interface SpecParameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  schema: JsonSchema;
}

export interface SpecRequestBody {
  required?: boolean;
  content: Record<string, { schema: JsonSchema }>;
}

export interface SpecResponse {
  headers?: Record<string, SpecHeader | Ref>;
  content?: Record<string, { schema: JsonSchema }>;
}

export interface SpecHeader {
  required?: boolean;
}

/** The contract, as it is served at `/openapi.json`. */
export const spec = document as unknown as SpecDocument;

/** Follows a reference into `#/components`. References inside schemas are left to the validator. */
export function resolve<T extends object>(value: T | Ref): T {
  if (!('$ref' in value)) return value;
  const [section, name] = value.$ref.replace('#/components/', '').split('/') as [
    keyof SpecDocument['components'],
    string,
  ];
  const found = (spec.components[section] as Record<string, unknown> | undefined)?.[name];
  if (!found) throw new Error(`The contract refers to ${value.$ref}, which is not there.`);
  return found as T;
}
