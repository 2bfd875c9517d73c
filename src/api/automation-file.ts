import { CST, isMap, Lexer, LineCounter, parseDocument, type Document, type YAMLError } from 'yaml';
import { withEllipsis } from '@docent/base/ellipsis';
import { AppError } from '../platform/errors.ts';
import type { BodyOf } from './contract/handler.ts';
import { operations, type Operation } from './contract/operations.ts';
import { spec, type JsonSchema } from './contract/spec.ts';
import { validatorOf } from './contract/validation.ts';
import { assertStorable } from './middleware/parse-json.ts';
import type { FoundFile } from '../workflows/contract.ts';
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

/**
 * Far more fields, lists and lines than an automation can have. YAML takes quadratic time, and recursion.
 */
const MAX_MARKS = 500;
const MAX_TOKENS = 10_000;
/** Of one file. */
const MAX_PROBLEMS = 10;
/** Characters of a name that a problem repeats. */
const MAX_SHOWN = 80;
const MARKS: ReadonlySet<unknown> = new Set<CST.TokenType>([
  'map-value-ind',
  'explicit-key-ind',
  'flow-map-start',
  'flow-seq-start',
  'seq-item-ind',
  'comma',
]);

/** Of errors whose own text is about the program that reads YAML. */
const SENTENCES: Partial<Record<YAMLError['code'], string>> = {
  DUPLICATE_KEY: 'This field is there twice. Remove one of them.',
  MULTIPLE_DOCS: 'The file has several documents. Write each automation in a file of its own.',
  TAB_AS_INDENT: 'Indent with spaces instead of tabs.',
  TAG_RESOLVE_FAILED: 'Tags such as `!name` are not supported. Write the value alone.',
};

let validator: ((body: unknown) => NewAutomation) | undefined;

/**
 * Reads one file, which defines one automation with the fields of `createAutomation`. Reports unknown fields,
 * secrets and invalid values as problems.
 */
export function readAutomationFile({ path: file, text, kind }: FoundFile): AutomationFile | FileProblem[] {
  const refused = (message: string): FileProblem[] => [{ file, line: 1, message }];
  if (kind === 'symlink') return refused('Docent follows no symbolic links. Commit the file or folder itself.');
  if (kind === 'submodule') return refused('Docent reads no submodules. Commit the files themselves.');
  const id = ID.exec(file)?.[1];
  if (id === undefined) {
    const isInside = file.startsWith(`${AUTOMATIONS_FOLDER}/`);
    return refused(
      isInside
        ? 'Name the file for its automation: letters, digits, `_` and `-`, then `.yaml`, and no subfolder.'
        : `This must be a folder. Files in ${AUTOMATIONS_FOLDER} define automations.`,
    );
  }
  if (text === null) return refused('The file must be text in UTF-8 of at most 64 KB.');
  const unreadable = unreadableText(text);
  if (unreadable) return [{ file, ...unreadable }];
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, resolveKnownTags: false });
  const at = (offset: number) => Math.max(1, lines.linePos(offset).line);
  const broken = [...document.errors, ...document.warnings];
  if (broken.length > 0) {
    return broken
      .slice(0, MAX_PROBLEMS)
      .map(({ pos, code, message }) => ({ file, line: at(pos[0]), message: SENTENCES[code] ?? `${message}.` }));
  }
  const problem = (param: string | null, message: string): FileProblem => ({
    file,
    line: at(offsetOf(document, param ?? '')),
    message,
  });
  const problemOf = ({ message, param }: AppError) => problem(param, message);
  const body: unknown = document.toJS();
  if (!isRecord(body)) return [problem(null, 'The file must have fields, at least `name` and `prompt`.')];
  const unknown = unknownFields(body);
  if (unknown.length > 0) return unknown.slice(0, MAX_PROBLEMS).map(({ param, message }) => problem(param, message));
  try {
    assertStorable(body);
    validator ??= validatorOfBody();
    return { file, id, body: validator(body), problemOf };
  } catch (err) {
    if (!(err instanceof AppError)) throw err;
    const errors = err.errors.length > 0 ? err.errors : [err];
    // A trigger is one of several kinds: errors of the other kinds mean nothing.
    const fields = triggerFieldsOf(body);
    const isTelling = ({ param, code }: { param: string | null; code: string }) => {
      if (!param?.startsWith('trigger.')) return true;
      if (param === 'trigger.type') return fields === null;
      return code !== 'additionalProperties' && (fields?.includes(param.split(/[.[]/)[1] ?? '') ?? false);
    };
    const telling = errors.filter(isTelling);
    return (telling.length > 0 ? telling : errors)
      .slice(0, MAX_PROBLEMS)
      .map(({ param, message }) => problem(param, message));
  }
}

/** Why a text is not parsed; null if it is. Takes linear time. */
function unreadableText(text: string): Omit<FileProblem, 'file'> | null {
  let [line, marks, tokens] = [1, 0, 0];
  for (const lexeme of new Lexer().lex(text)) {
    const type = CST.tokenType(lexeme);
    const shown = withEllipsis(lexeme, MAX_SHOWN);
    if (type === 'directive-line') return { line, message: `Remove the directive ${shown}.` };
    if (type === 'alias') {
      const message = `Put ${shown} in quotes. Without them, a text that begins with \`*\` is an alias, which is not supported.`;
      return { line, message };
    }
    if (MARKS.has(type)) marks += 1;
    tokens += 1;
    if (marks > MAX_MARKS || tokens > MAX_TOKENS) {
      return { line, message: 'The file has more fields, lists and comments than Docent reads. Make it shorter.' };
    }
    line += lexeme.split('\n').length - 1;
  }
  return null;
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
function triggerFieldsOf(body: Record<string, unknown>): string[] | null {
  const type = isRecord(body.trigger) ? body.trigger.type : undefined;
  const { oneOf } = spec.components.schemas.Trigger as {
    oneOf: { properties: Record<string, { enum?: unknown[] }> }[];
  };
  const kind = oneOf.find(({ properties }) => properties.type?.enum?.includes(type));
  return kind ? Object.keys(kind.properties) : null;
}

/** Unknown fields, some of which the API ignores. */
function unknownFields(body: Record<string, unknown>): { param: string; message: string }[] {
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
  return `\`${withEllipsis(field, MAX_SHOWN)}\` is no field of an automation. Use one of: ${known.join(', ')}.`;
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
