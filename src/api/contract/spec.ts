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
  security: { operatorToken?: string[] | undefined; apiKey?: string[] | undefined }[];
  parameters?: (SpecParameter | Ref)[];
  requestBody?: SpecRequestBody | Ref;
  responses: Record<string, SpecResponse | Ref>;
  deprecated?: boolean;
  /** The days since when it is deprecated, and until when it works. */
  'x-deprecated-on'?: string;
  'x-sunset-on'?: string;
  /** The handler reads the body itself, as it comes in. */
  'x-streamed'?: boolean;
}

export interface SpecParameter {
  name: string;
  /** `path`, `query` or `header`. */
  in: string;
  required?: boolean;
  schema: JsonSchema;
}

export interface SpecRequestBody {
  required?: boolean;
  content: Record<string, { schema: JsonSchema }>;
}

export interface SpecResponse {
  description?: string;
  headers?: Record<string, SpecHeader | Ref>;
  content?: Record<string, { schema: JsonSchema; examples?: Record<string, { value: unknown }> }>;
}

export interface SpecHeader {
  description?: string;
  required?: boolean;
}

/** The contract, as it is served at `/openapi.json`. */
export const spec: SpecDocument = document;

/** Resolves a reference to a section of `#/components`. The validator resolves those inside schemas. */
export function resolve<T extends object>(section: Record<string, T>, value: T | Ref): T {
  if (!isRef(value)) return value;
  const found = section[value.$ref.slice(value.$ref.lastIndexOf('/') + 1)];
  if (!found) throw new Error(`The contract refers to ${value.$ref}, which is not there.`);
  return found;
}

function isRef(value: object): value is Ref {
  return '$ref' in value;
}
