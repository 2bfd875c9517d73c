import { AppError } from '../../platform/errors.ts';
import { codeOf } from '@docent/base/thrown';
import { fieldName } from '../contract/field-errors.ts';

/** Deeper values overflow stacks; documented bodies nest three levels at most. */
const MAX_DEPTH = 64;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

/**
 * Parses a JSON body that may be hostile: strict UTF-8, bounded nesting, and no string that Postgres cannot
 * store (U+0000, unpaired surrogates). A key like `__proto__` becomes an ordinary property.
 * @throws AppError `invalid_json`, or `bad_request` that names the field
 */
export function parseJson(body: Buffer): unknown {
  const value = parseEventJson(body);
  assertStorable(value);
  return value;
}

/**
 * Nested as deep as a body may be, at most.
 * @throws AppError `bad_request` that names the field with a string that Postgres cannot store
 */
export function assertStorable(value: unknown): void {
  refuseUnstorable(value, []);
}

/**
 * Like {@link parseJson}, but strings may hold anything: events are checked one by one.
 * @throws AppError `invalid_json`, `bad_request`
 */
export function parseEventJson(body: Buffer): unknown {
  if (body.length === 0) throw new AppError('invalid_json', 'The body is empty. Send a JSON object.');
  if (isTooDeep(body)) {
    throw new AppError('bad_request', `The body has more than ${MAX_DEPTH} levels of nested lists and objects.`);
  }
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch (err) {
    const isEncoding = codeOf(err) === 'ERR_ENCODING_INVALID_ENCODED_DATA';
    throw new AppError('invalid_json', `The body is not ${isEncoding ? 'UTF-8' : 'valid JSON'}.`, { cause: err });
  }
}

/** Reads only bytes: too deep values are never parsed. */
function isTooDeep(body: Buffer): boolean {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < body.length; i++) {
    const byte = body[i] ?? 0;
    if (inString) {
      if (byte === BACKSLASH) i++;
      else if (byte === QUOTE) inString = false;
    } else if (byte === QUOTE) inString = true;
    else if (OPENING.has(byte)) {
      if (++depth > MAX_DEPTH) return true;
    } else if (CLOSING.has(byte)) depth--;
  }
  return false;
}

/** Recursion is fine here: the depth is bounded. `path` is shared by the whole walk. */
function refuseUnstorable(value: unknown, path: (string | number)[]): void {
  if (typeof value === 'string') {
    if (value.isWellFormed() && !value.includes('\0')) return;
    const what = value.includes('\0') ? 'the character U+0000' : 'an unpaired surrogate';
    const param = fieldName(path);
    throw new AppError('bad_request', `\`${param}\` contains ${what}, which cannot be stored. Remove it.`, { param });
  }
  if (value === null || typeof value !== 'object') return;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) descend(value[i], i, path);
  } else {
    for (const [name, field] of Object.entries(value)) descend(field, name, path);
  }
}

function descend(value: unknown, part: string | number, path: (string | number)[]): void {
  path.push(part);
  refuseUnstorable(value, path);
  path.pop();
}
