import { isMap, LineCounter, parseDocument, type Document } from 'yaml';
import { messageOf } from '@docent/base/thrown';
import { AppError } from '../platform/errors.ts';
import type { BodyOf } from './contract/handler.ts';
import { operations, type Operation } from './contract/operations.ts';
import { spec, type JsonSchema } from './contract/spec.ts';
import { validatorOf } from './contract/validation.ts';
import type { components } from '@docent/client';

/** The folder of the docs repository whose files define automations. */
export const AUTOMATIONS_FOLDER = '.docent/automations';

type NewAutomation = BodyOf<'createAutomation'>;
export type FileProblem = components['schemas']['AutomationFileProblem'];

export interface AutomationFile {
  file: string;
  /** The file's name without its ending: the id of a new automation. */
  id: string;
  body: NewAutomation;
  /** Problems of a later check, with the line of the field that the error names. */
  problemOf(err: AppError): FileProblem;
}

const ID = /^\.docent\/automations\/([A-Za-z0-9][A-Za-z0-9_-]{0,63})\.ya?ml$/;

let validator: ((body: unknown) => NewAutomation) | undefined;

/**
 * Reads one file, which defines one automation with the fields of `createAutomation`. Reports unknown fields,
 * secrets and invalid values as problems.
 * @param text null for a file that is not text, or too large
 */
export function readAutomationFile(file: string, text: string | null): AutomationFile | FileProblem[] {
  const id = ID.exec(file)?.[1];
  if (id === undefined) {
    const message = 'Name the file for its automation: letters, digits, `_` and `-`, then `.yaml`, and no subfolder.';
    return [{ file, line: 1, message }];
  }
  if (text === null) return [{ file, line: 1, message: 'The file must be text of at most 64 KB.' }];
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const at = (offset: number) => Math.max(1, lines.linePos(offset).line);
  if (document.errors.length > 0) {
    return document.errors.map(({ pos, message }) => ({
      file,
      line: at(pos[0]),
      message: message.split('\n')[0] ?? '',
    }));
  }
  const problem = (param: string | null, message: string): FileProblem => ({
    file,
    line: at(offsetOf(document, param ?? '')),
    message,
  });
  const problemOf = ({ message, param }: AppError) => problem(param, message);
  let body: unknown;
  try {
    // A small file that repeats itself by aliases is not unfolded.
    body = document.toJS({ maxAliasCount: 0 });
  } catch (err) {
    return [problem(null, `The file cannot be read: ${messageOf(err)}`)];
  }
  const unknown = unknownFields(body);
  if (unknown.length > 0) return unknown.map(({ param, message }) => problem(param, message));
  try {
    validator ??= validatorOfBody();
    return { file, id, body: validator(body), problemOf };
  } catch (err) {
    if (!(err instanceof AppError)) throw err;
    const errors = err.errors.length > 0 ? err.errors : [err];
    // A trigger is one of several kinds: errors of the other kinds mean nothing.
    const fields = triggerFieldsOf(body);
    const isTelling = (param: string | null) => {
      if (!param?.startsWith('trigger.')) return true;
      if (param === 'trigger.type') return fields === null;
      return fields?.includes(param.split(/[.[]/)[1] ?? '') ?? false;
    };
    const telling = errors.filter(({ param }) => isTelling(param));
    return (telling.length > 0 ? telling : errors).map(({ param, message }) => problem(param, message));
  }
}

function isCreation(one: Operation): one is Operation<'createAutomation'> {
  return one.id === 'createAutomation';
}

function validatorOfBody(): (body: unknown) => NewAutomation {
  const operation = operations.find(isCreation);
  if (!operation) throw new Error('The contract has no operation createAutomation.');
  return validatorOf(operation).body;
}

function fieldsOf(schema: string): string[] {
  const { properties } = (spec.components.schemas[schema] ?? {}) as { properties?: Record<string, JsonSchema> };
  return Object.keys(properties ?? {});
}

/** The fields that a trigger of its type has; null for a type that does not exist. */
function triggerFieldsOf(body: unknown): string[] | null {
  const type = isRecord(body) && isRecord(body.trigger) ? body.trigger.type : undefined;
  const { oneOf } = spec.components.schemas.Trigger as {
    oneOf: { properties: Record<string, { enum?: unknown[] }> }[];
  };
  const kind = oneOf.find(({ properties }) => properties.type?.enum?.includes(type));
  return kind ? Object.keys(kind.properties) : null;
}

/** Unknown fields, some of which the API ignores. */
function unknownFields(body: unknown): { param: string; message: string }[] {
  if (!isRecord(body)) return [];
  const known = fieldsOf('NewAutomation').filter((field) => field !== 'id');
  const within: [string, unknown, readonly string[]][] = [
    ['', body, known],
    ['budget.', body.budget, fieldsOf('JobBudget')],
    ['webhook.', body.webhook, ['url', 'events', 'secretName']],
  ];
  const ofTrigger = triggerFieldsOf(body);
  if (ofTrigger) within.push(['trigger.', body.trigger, ofTrigger]);
  return within.flatMap(([prefix, value, fields]) =>
    Object.keys(isRecord(value) ? value : {})
      .filter((field) => !fields.includes(field))
      .map((field) => ({ param: prefix + field, message: unknownText(prefix + field, fields) })),
  );
}

function unknownText(field: string, known: readonly string[]): string {
  if (field === 'id') return '`id`: the name of the file is the id. Remove this field.';
  if (field === 'webhook.secret')
    return '`webhook.secret`: files contain no secrets. Set one with `docent secret set`, and name it here: `webhook.secretName`.';
  return `\`${field}\` is no field of an automation. Use one of: ${known.join(', ')}.`;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The offset of a field, or of its nearest parent. */
function offsetOf(document: Document.Parsed, param: string): number {
  let node: unknown = document.contents;
  let offset = 0;
  for (const key of param.split(/[.[\]]+/).filter((part) => part !== '')) {
    if (isMap(node)) {
      const pair = node.items.find((item) => String((item.key as { value?: unknown } | null)?.value) === key);
      if (!pair) break;
      offset = (pair.key as { range?: [number, number, number] } | null)?.range?.[0] ?? offset;
      node = pair.value;
    } else {
      break;
    }
  }
  return offset;
}
