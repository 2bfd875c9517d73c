import { AppError } from '../../platform/errors.ts';
import { resolve, spec, type JsonSchema, type SpecParameter } from './spec.ts';

/** Generated clients of the hosted service send `50.0`: its API types numbers as floats. */
const INTEGER = /^-?(?:0|[1-9]\d{0,14})(?:\.0+)?$/;

/** One schema for an object that holds all of these parameters. */
export function parameterSchema(parameters: readonly SpecParameter[]): JsonSchema {
  return {
    type: 'object',
    properties: Object.fromEntries(parameters.map((parameter) => [parameter.name, parameter.schema])),
    required: parameters.filter((parameter) => parameter.required).map((parameter) => parameter.name),
  };
}

/**
 * Reads the declared query parameters as their declared types. Values that cannot be converted stay for the
 * validator to report. Undeclared parameters are ignored, unless they look like a misspelled declared one
 * (case or punctuation). A list may be repeated or comma-separated, an object is `name[key]`.
 * @throws AppError `bad_request` for such a misspelling, a repeated parameter, or a character that cannot be
 *   stored
 */
export function coerce(parameters: readonly SpecParameter[], querystring: string): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  if (querystring === '') return values;
  const given = new URLSearchParams(querystring);
  refuseMisspelled(parameters, given);
  for (const { name, schema } of parameters) {
    const type = typeOf(schema);
    const value = type === 'object' ? fieldsOf(given, name) : type === 'array' ? listOf(given, name) : one(given, name);
    if (value !== undefined) values[name] = typeof value === 'string' ? converted(value, type) : value;
  }
  return values;
}

/** `datefrom` for `dateFrom`: ignored, it would answer another question than the one that was asked. */
function refuseMisspelled(parameters: readonly SpecParameter[], given: URLSearchParams): void {
  const declared = new Map(parameters.map(({ name }) => [plain(name), name]));
  for (const key of given.keys()) {
    const written = key.replace(/\[.*$/s, '');
    const meant = declared.get(plain(written.slice(0, 100)));
    if (meant === undefined || meant === written) continue;
    throw new AppError('bad_request', `Unknown parameter \`${written.slice(0, 100)}\`. Did you mean \`${meant}\`?`, {
      param: meant,
    });
  }
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z\d]/g, '');
}

function one(given: URLSearchParams, name: string): string | undefined {
  const [value, ...more] = given.getAll(name);
  if (more.length > 0) throw new AppError('bad_request', `\`${name}\` is given more than once.`, { param: name });
  return value === undefined ? undefined : storable(name, value);
}

/** Given several times, or with commas between. */
function listOf(given: URLSearchParams, name: string): string[] | undefined {
  const values = given.getAll(name);
  return values.length === 0 ? undefined : values.flatMap((value) => storable(name, value).split(','));
}

/** `name[key]=value`, repeated. Without a prototype, as keys are untrusted. */
function fieldsOf(given: URLSearchParams, name: string): Record<string, string> | undefined {
  const fields: Record<string, string> = Object.create(null);
  for (const parameter of new Set(given.keys())) {
    if (!parameter.startsWith(`${name}[`) || !parameter.endsWith(']')) continue;
    const key = storable(name, parameter.slice(name.length + 1, -1));
    const value = one(given, parameter);
    if (value !== undefined) fields[key] = value;
  }
  return Object.keys(fields).length === 0 ? undefined : fields;
}

function storable(name: string, value: string): string {
  if (!value.includes('\0')) return value;
  throw new AppError('bad_request', `\`${name}\` contains the character U+0000. Remove it.`, { param: name });
}

function converted(value: string, type: unknown): unknown {
  if (type === 'integer' && INTEGER.test(value)) return Number(value);
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  return value;
}

function typeOf(schema: JsonSchema): unknown {
  const { type, anyOf } = resolve(spec.components.schemas, schema);
  // One or several: read as a list in either case.
  return Array.isArray(anyOf) ? 'array' : type;
}
