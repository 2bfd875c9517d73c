import { readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';

/** JSON of a published OpenAPI 3.0 or Swagger 2.0 description. */
// oxlint-disable-next-line typescript/no-explicit-any -- a third party's document, traversed here
export type Json = any;

/** Of GitHub, in part: see the file beside it. */
export const GITHUB_DESCRIPTION = new URL('../../fixtures/openapi/github.json', import.meta.url);

const METHODS = new Set(['get', 'post', 'put', 'patch', 'delete']);

/**
 * A host's own description of its API: says how a request or an answer breaks it, and makes answers that do
 * not.
 */
export class ApiDescription {
  readonly #document: Json;
  readonly #ajv: Ajv;
  readonly #validators = new Map<string, ValidateFunction>();
  readonly #routes: { template: string; pattern: RegExp; names: string[] }[];

  constructor(document: Json) {
    this.#document = withTypedNulls(document);
    // Descriptions carry keywords of their own, and formats that no one else knows.
    this.#ajv = new Ajv({
      strict: false,
      allErrors: true,
      validateFormats: true,
      coerceTypes: false,
      logger: false,
      // A third of the time to compile: each schema once, as it is.
      inlineRefs: false,
      code: { optimize: false },
    });
    formats.default(this.#ajv);
    this.#ajv.addSchema(this.#document, 'api', false, false);
    this.#routes = Object.keys(document.paths).map((template) => {
      const names: string[] = [];
      const source = template.replace(/\{([^}]+)\}/g, (_all, name: string) => {
        names.push(name);
        return '([^/]+)';
      });
      return { template, pattern: new RegExp(`^${source}$`), names };
    });
  }

  static fromFile(file: string | URL): ApiDescription {
    return new ApiDescription(JSON.parse(readFileSync(file, 'utf8')));
  }

  /** Null if the description has no such operation. */
  find(method: string, path: string): Operation | null {
    const verb = method.toLowerCase();
    const fitting = this.#routes.filter(
      ({ pattern, template }) => pattern.test(path) && this.#document.paths[template][verb],
    );
    // `/a/b` takes precedence over `/a/{name}`.
    const [best] = fitting.toSorted((a, b) => a.names.length - b.names.length);
    if (!best || !METHODS.has(verb)) return null;
    return new Operation(this, `#/paths/${escape(best.template)}/${verb}`, path.match(best.pattern)?.slice(1) ?? []);
  }

  at(pointer: string): Json {
    let found: Json = this.#document;
    for (const part of pointer.slice(2).split('/')) {
      found = this.resolve(found)?.[decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')];
    }
    return this.resolve(found);
  }

  resolve(value: Json): Json {
    let at = value;
    while (typeof at?.$ref === 'string') at = this.at(at.$ref);
    return at;
  }

  /** What is wrong with a value by the schema at a place of the document; empty if nothing. */
  problems(pointer: string, value: unknown): string[] {
    const validate = this.#validators.get(pointer) ?? this.#ajv.compile({ $ref: `api${pointer}` });
    this.#validators.set(pointer, validate);
    if (validate(value)) return [];
    return (validate.errors ?? []).slice(0, 5).map((error) => `${error.instancePath || 'it'} ${error.message}`);
  }

  /** The least value that a schema allows: all that is required, and nothing else. */
  sample(schema: Json, depth = 0): Json {
    const found = this.resolve(schema);
    if (!found || depth > 12) return {};
    if (found.nullable && depth > 0) return null;
    if (found.enum) return found.enum[0];
    if (found.allOf) return Object.assign({}, ...found.allOf.map((part: Json) => this.sample(part, depth + 1)));
    const choice = (found.oneOf ?? found.anyOf)?.[0];
    if (choice) return this.sample(choice, depth + 1);
    if (found.type === 'array') return [];
    if (found.type === 'integer' || found.type === 'number') return 1;
    if (found.type === 'boolean') return false;
    if (found.type === 'string') return sampleText(found.format);
    const entries = (found.required ?? []).map((name: string) => [
      name,
      this.sample(found.properties?.[name], depth + 1),
    ]);
    return Object.fromEntries(entries);
  }
}

/** One operation of a description. */
export class Operation {
  readonly #api: ApiDescription;
  readonly #pointer: string;
  /** Values of the path's parameters, as the path has them. */
  readonly parameters: string[];

  constructor(api: ApiDescription, pointer: string, parameters: string[]) {
    this.#api = api;
    this.#pointer = pointer;
    this.parameters = parameters;
  }

  requestProblems(query: URLSearchParams, body: unknown): string[] {
    const operation = this.#api.at(this.#pointer);
    const declared = (operation.parameters ?? []).map((parameter: Json) => this.#api.resolve(parameter));
    const known = new Map<string, Json>(
      declared
        .filter((parameter: Json) => parameter.in === 'query')
        .map((parameter: Json) => [parameter.name, parameter]),
    );
    const problems: string[] = [];
    for (const [name, value] of query) {
      const parameter = known.get(name);
      if (!parameter) problems.push(`there is no query parameter "${name}"`);
      else problems.push(...queryProblems(this.#api.resolve(parameter.schema) ?? parameter, name, value));
    }
    for (const [name, parameter] of known) {
      if (parameter.required && !query.has(name)) problems.push(`the query parameter "${name}" is missing`);
    }
    if (body !== undefined) problems.push(...this.#bodyProblems(operation, body));
    return problems;
  }

  #bodyProblems(operation: Json, body: unknown): string[] {
    const swagger = (operation.parameters ?? []).findIndex((parameter: Json) => parameter.in === 'body');
    const content = this.#api.resolve(operation.requestBody)?.content?.['application/json'];
    if (swagger === -1 && !content) return ['it takes no body'];
    const pointer =
      swagger === -1
        ? `${this.#pointer}/requestBody/content/application~1json/schema`
        : `${this.#pointer}/parameters/${swagger}/schema`;
    const schema = this.#api.at(pointer);
    const unknown = schema.properties ? Object.keys(body as object).filter((name) => !(name in schema.properties)) : [];
    return [
      ...unknown.map((name) => `the body has no field "${name}"`),
      ...this.#api.problems(pointer, body).map((problem) => `the body: ${problem}`),
    ];
  }

  answerProblems(status: number, body: unknown): string[] {
    const schema = this.#answerPointer(status);
    if (schema === null) return [`it never answers ${status}`];
    return schema === '' ? [] : this.#api.problems(schema, body).map((problem) => `the answer ${status}: ${problem}`);
  }

  /** The least answer of a status, to which a fake adds what it knows. */
  sampleAnswer(status: number): Json {
    const schema = this.#answerPointer(status);
    return schema === null || schema === '' ? {} : this.#api.sample(this.#api.at(schema));
  }

  /** The same of an item of a list. */
  itemOfAnswer(status: number, list?: string): Json {
    const schema = this.#answerPointer(status);
    if (!schema) return {};
    const answer = this.#api.at(schema);
    return this.#api.sample(list === undefined ? answer.items : this.#api.resolve(answer.properties[list]).items);
  }

  /** Empty for an answer without a body, null for one that is not described. */
  #answerPointer(status: number): string | null {
    const pointer = `${this.#pointer}/responses/${status}`;
    const answer = this.#api.at(pointer);
    if (!answer) return null;
    const direct = this.#api.at(this.#pointer).responses[status];
    const base = typeof direct.$ref === 'string' ? (direct.$ref as string) : pointer;
    if (answer.schema) return `${base}/schema`;
    return answer.content?.['application/json'] ? `${base}/content/application~1json/schema` : '';
  }
}

/** OpenAPI 3.0 allows `nullable` alone, ajv only beside a type. */
function withTypedNulls(value: Json): Json {
  if (Array.isArray(value)) return value.map(withTypedNulls);
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withTypedNulls(part)]));
  if (copy['nullable'] !== true || 'type' in copy) return copy;
  const { nullable: _nullable, ...rest } = copy;
  return { anyOf: [rest, { enum: [null] }] };
}

function queryProblems(schema: Json, name: string, value: string): string[] {
  if (schema.enum && !schema.enum.includes(value)) return [`"${name}" is none of ${schema.enum.join(', ')}`];
  if (schema.type === 'integer' && !/^\d+$/.test(value)) return [`"${name}" is no number`];
  return [];
}

function sampleText(format: string | undefined): string {
  const samples: Record<string, string> = {
    uri: 'https://example.com/it',
    'date-time': '2026-01-01T00:00:00Z',
    email: 'it@example.com',
  };
  return samples[format ?? ''] ?? 'it';
}

function escape(part: string): string {
  return encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))
    .replaceAll('%7E', '~')
    .replaceAll('%7B', '{')
    .replaceAll('%7D', '}');
}
