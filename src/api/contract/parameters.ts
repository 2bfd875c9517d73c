import { AppError } from '../../platform/errors.ts';
import { resolve, spec, type JsonSchema, type SpecParameter } from './spec.ts';

const INTEGER = /^-?(?:0|[1-9]\d{0,14})$/;

/** One schema for an object that holds all of these parameters. */
export function parameterSchema(parameters: readonly SpecParameter[]): JsonSchema {
  return {
    type: 'object',
    properties: Object.fromEntries(parameters.map((parameter) => [parameter.name, parameter.schema])),
    required: parameters.filter((parameter) => parameter.required).map((parameter) => parameter.name),
  };
}

/**
 * Reads the declared parameters of a query and gives them their declared types. What cannot be converted is left as it is, for
 * the validator to name; undeclared parameters are ignored.
 * @throws AppError `bad_request` for a parameter that is given twice, or holds a character that cannot be stored
 */
export function coerce(parameters: readonly SpecParameter[], querystring: string): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  if (querystring === '') return values;
  const given = new URLSearchParams(querystring);
  for (const { name, schema } of parameters) {
    const [value, ...more] = given.getAll(name);
    if (value === undefined) continue;
    if (more.length > 0) throw new AppError('bad_request', `\`${name}\` is given more than once.`, { param: name });
    if (value.includes('\0')) {
      throw new AppError('bad_request', `\`${name}\` holds the character U+0000. Remove it.`, { param: name });
    }
    values[name] = converted(value, typeOf(schema));
  }
  return values;
}

function converted(value: string, type: unknown): unknown {
  if (type === 'integer' && INTEGER.test(value)) return Number(value);
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  return value;
}

function typeOf(schema: JsonSchema): unknown {
  return resolve(spec.components.schemas, schema).type;
}
