import type { ErrorObject } from 'ajv';
import type { FieldError } from '../../platform/errors.ts';
import { withEllipsis } from '@docent/base/ellipsis';

/** The most errors reported per request. */
const MAX_ERRORS = 20;

/**
 * One sentence per invalid field, at most 20. Never repeats values, which may be secret.
 * @param errors with their parent schemas (`verbose`)
 */
export function fieldErrors(errors: readonly ErrorObject[] | null | undefined): FieldError[] {
  const byField = new Map<string, ErrorObject[]>();
  for (const error of errors ?? []) {
    const field = fieldOf(error);
    const others = byField.get(field);
    if (others) others.push(error);
    else if (byField.size < MAX_ERRORS * 2) byField.set(field, [error]);
  }
  const fields = [...byField.keys()];
  // "No branch fits" adds nothing if a field in a branch is named.
  const telling = fields.filter((field) => {
    const found = byField.get(field) ?? [];
    const isOnlyChoice = found.some(isChoice) && found.every((error) => isChoice(error) || error.keyword === 'type');
    return !isOnlyChoice || !fields.some((other) => other !== field && other.startsWith(field));
  });
  return telling.slice(0, MAX_ERRORS).map((field) => {
    const found = mostTelling(byField.get(field) ?? []);
    return {
      param: field === '' ? null : field,
      message: describeErrors(found && [found]),
      code: found?.keyword ?? 'invalid',
    };
  });
}

/** The most telling of the errors, as a sentence. */
export function describeErrors(errors: readonly ErrorObject[] | null | undefined): string {
  const error = mostTelling(errors ?? []);
  if (!error) return 'The request is not valid.';
  const field = fieldOf(error);
  const schema: Record<string, unknown> = error.parentSchema ?? {};
  const params: Record<string, unknown> = error.params;
  switch (error.keyword) {
    case 'required':
      return `\`${field}\` is missing.`;
    case 'type':
      return field === '' ? 'The body must be a JSON object.' : `\`${field}\` must be ${typeNames(params.type)}.`;
    case 'minLength':
      return params.limit === 1
        ? `\`${field}\` must not be empty.`
        : `\`${field}\` must have at least ${format(params.limit)} characters.`;
    case 'maxLength':
      return `\`${field}\` must have at most ${format(params.limit)} characters.`;
    case 'pattern':
      if (params.pattern === '\\S') return `\`${field}\` must not be blank.`;
      if (error.propertyName !== undefined) return `A name in \`${field}\` is not well-formed.${expected(schema)}`;
      return `\`${field}\` is not well-formed.${expected(schema)}`;
    case 'minimum':
    case 'maximum':
      if (schema.minimum !== undefined && schema.maximum !== undefined)
        return `\`${field}\` must be between ${format(schema.minimum)} and ${format(schema.maximum)}.`;
      return `\`${field}\` must be ${error.keyword === 'minimum' ? 'at least' : 'at most'} ${format(params.limit)}.`;
    case 'enum':
      return `\`${field}\` must be one of ${[params.allowedValues].flat().join(', ')}.`;
    case 'minItems':
      return `\`${field}\` must have at least ${format(params.limit)} ${params.limit === 1 ? 'entry' : 'entries'}.`;
    case 'maxItems':
      return `\`${field}\` must have at most ${format(params.limit)} entries.`;
    case 'additionalProperties':
      return `\`${field}\` is not accepted here.${acceptedFields(schema)}`;
    case 'maxProperties':
      return `\`${field}\` must have at most ${format(params.limit)} entries.`;
    case 'exclusiveMinimum':
      return `\`${field}\` must be more than ${format(params.limit)}.`;
    case 'uniqueItems':
      return `\`${field}\` must not contain duplicates.`;
    default:
      return `\`${field}\` ${error.message ?? 'is not valid'}.`;
  }
}

const MAX_NAME = 100;

/** A field's name, such as `projectIds[2]`: at most 100 characters, as it is untrusted. */
export function fieldName(path: readonly (string | number)[]): string {
  const name = path.reduce<string>(
    (name, part) => (typeof part === 'number' ? `${name}[${part}]` : name === '' ? part : `${name}.${part}`),
    '',
  );
  return withEllipsis(name, MAX_NAME);
}

/**
 * The most likely branch of a choice; the sender probably did not mean `null`, or a branch without the field.
 */
function mostTelling(errors: readonly ErrorObject[]): ErrorObject | undefined {
  const likely = errors.filter((error) => !isChoice(error) && !isNull(error));
  return likely.find(({ keyword }) => keyword !== 'additionalProperties') ?? likely[0] ?? errors[0];
}

function isChoice(error: ErrorObject): boolean {
  return error.keyword === 'anyOf' || error.keyword === 'oneOf';
}

function isNull(error: ErrorObject): boolean {
  return error.keyword === 'type' && error.params['type'] === 'null';
}

function fieldOf(error: ErrorObject): string {
  const parts = error.instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part));
  if (error.keyword === 'required') parts.push(String(error.params['missingProperty']));
  if (error.keyword === 'additionalProperties') parts.push(String(error.params['additionalProperty']));
  return fieldName(parts);
}

const TYPE_NAMES: Record<string, string> = {
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
};

function typeNames(type: unknown): string {
  return [type]
    .flat()
    .map((name) => TYPE_NAMES[String(name)] ?? String(name))
    .join(' or ');
}

function format(count: unknown): string {
  return typeof count === 'number' ? count.toLocaleString('en-US') : String(count);
}

function expected({ description }: Record<string, unknown>): string {
  return typeof description === 'string' ? ` Expected: ${oneLine(description)}` : '';
}

function acceptedFields({ properties }: Record<string, unknown>): string {
  return typeof properties === 'object' && properties !== null
    ? ` Accepted: ${Object.keys(properties).join(', ')}.`
    : '';
}

function oneLine(description: string): string {
  return description.trim().replaceAll(/\s+/g, ' ');
}
