/**
 * Puts the examples of `api-examples/` into the contract: of each operation its request and its answers, and
 * of each error code its envelope, for each answer whose description names the code. They are files of their
 * own so that openapi.yaml stays readable.
 */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { textOf } from './generated-files.ts';

const FOLDER = 'api-examples';

/** What a file `api-examples/OPERATION.json` holds. */
interface OperationExample {
  request?: { type?: string; body?: unknown };
  /** By status and media type. */
  answers?: Record<string, Record<string, unknown>>;
}

interface Media {
  schema?: { $ref?: string };
  examples?: Record<string, { value: unknown }>;
}

interface Part {
  $ref?: string;
  description?: string;
  content?: Record<string, Media>;
}

interface Operation {
  operationId: string;
  requestBody?: Part;
  responses: Record<string, Part>;
}

interface Document {
  paths: Record<string, Record<string, unknown>>;
  components: Record<string, Record<string, unknown>>;
  'x-error-statuses': Record<string, number>;
}

/** A copy of the document with its examples. @throws Error for a file that belongs to no operation */
export async function withExamples(source: object): Promise<object> {
  const document = structuredClone(source) as Document;
  const examples = await readExamples();
  const errors = JSON.parse(await textOf(`${FOLDER}/errors.json`)) as Record<string, object>;
  for (const operation of operationsOf(document)) {
    const example = examples.get(operation.operationId);
    examples.delete(operation.operationId);
    addErrors(operation.responses, errors);
    if (example) addExample(document, operation, example);
  }
  addErrors(document.components.responses as Record<string, Part>, errors);
  for (const name of examples.keys())
    throw new Error(`${FOLDER}/${name}.json belongs to no operation of openapi.yaml.`);
  return document;
}

async function readExamples(): Promise<Map<string, OperationExample>> {
  const found = new Map<string, OperationExample>();
  const files = await readdir(path.join(import.meta.dirname, '..', '..', FOLDER));
  for (const file of files.toSorted()) {
    if (!file.endsWith('.json') || file === 'errors.json') continue;
    found.set(path.basename(file, '.json'), JSON.parse(await textOf(`${FOLDER}/${file}`)) as OperationExample);
  }
  return found;
}

function operationsOf(document: Document): Operation[] {
  return Object.values(document.paths).flatMap((item) =>
    Object.values(item).filter((value): value is Operation => (value as Partial<Operation>).operationId !== undefined),
  );
}

function addExample(document: Document, operation: Operation, { request, answers = {} }: OperationExample): void {
  if (operation.requestBody && request?.body !== undefined) {
    const body = copyOf(document, operation.requestBody);
    const type = request.type ?? Object.keys(body.content ?? {})[0] ?? '';
    put(body, type, request.body, operation.operationId);
    operation.requestBody = body;
  }
  for (const [status, byType] of Object.entries(answers)) {
    const named = operation.responses[status];
    if (!named) throw new Error(`${operation.operationId} has an example of the undocumented answer ${status}.`);
    if (Object.keys(byType).length === 0) continue;
    const response = copyOf(document, named);
    for (const [type, value] of Object.entries(byType)) put(response, type, value, operation.operationId);
    operation.responses[status] = response;
  }
}

function put(part: Part, type: string, value: unknown, operationId: string): void {
  const media = part.content?.[type];
  if (!media) throw new Error(`${operationId} has an example as ${type}, which is not documented.`);
  media.examples = { example: { value } };
}

/** A copy of a referenced part, to be changed for one operation. */
function copyOf(document: Document, part: Part): Part {
  if (part.$ref === undefined) return part;
  const [section = '', name = ''] = part.$ref.split('/').slice(-2);
  return structuredClone(document.components[section]?.[name]) as Part;
}

/** The codes of an answer are those that its description names first among backticks. */
function addErrors(responses: Record<string, Part>, errors: Record<string, object>): void {
  for (const { description = '', content } of Object.values(responses)) {
    const media = content?.['application/json'];
    if (!media?.schema?.$ref || !/\/(Error|IngestError)$/.test(media.schema.$ref)) continue;
    const codes = [...description.matchAll(/`(\w+)`/g)].map(([, code = '']) => code).filter((code) => errors[code]);
    if (codes.length > 0) media.examples = Object.fromEntries(codes.map((code) => [code, { value: errors[code] }]));
  }
}
