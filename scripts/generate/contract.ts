/**
 * Writes the files derived from openapi.yaml. With `--check` it writes nothing: see {@link writeGenerated}.
 */
import openapiTypes, { astToString } from 'openapi-typescript';
import { parse } from 'yaml';
import { withExamples } from './contract-examples.ts';
import { textOf, writeGenerated } from './generated-files.ts';

const NOTICE = '// Generated from openapi.yaml by `npm run generate`. Do not edit.\n\n';

interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  schema?: Schema;
}

/** A part of the contract that has an operation's inputs, or is one of them. */
interface Schema {
  $ref?: string;
  default?: unknown;
  properties?: Record<string, Schema>;
}

interface Body {
  $ref?: string;
  content?: Record<string, { schema: Schema }>;
}

interface Operation {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: Body;
}

interface Spec {
  paths: Record<string, Record<string, unknown> & { parameters?: Parameter[] }>;
  components: {
    parameters: Record<string, Parameter>;
    requestBodies: Record<string, Body>;
    schemas: Record<string, Schema>;
  };
}

const source = await textOf('openapi.yaml');
const spec = parse(source) as Spec;

await writeGenerated({
  'src/api/generated/defaulted.ts': defaultedInputs(spec),
  'src/api/generated/openapi.json': `${JSON.stringify(await withExamples(spec), null, 2)}\n`,
  'packages/client/src/generated/openapi.ts':
    NOTICE + astToString(await openapiTypes(source, { defaultNonNullable: false, alphabetize: false })),
});

/**
 * Which inputs of an operation have a default: a client may leave them out, but a handler always gets them.
 */
function defaultedInputs(document: Spec): string {
  const query: string[] = [];
  const body: string[] = [];
  for (const item of Object.values(document.paths)) {
    for (const [method, described] of Object.entries(item)) {
      if (method === 'parameters') continue;
      const { operationId, parameters = [], requestBody = {} } = described as Operation;
      const asked = [...(item.parameters ?? []), ...parameters]
        .map((parameter) => resolved(document.components.parameters, parameter))
        .filter((parameter) => parameter.in === 'query' && parameter.schema?.default !== undefined);
      addNames(
        query,
        operationId,
        asked.map(({ name }) => name),
      );
      const { content } = resolved(document.components.requestBodies, requestBody);
      const schema = resolved(document.components.schemas, content?.['application/json']?.schema ?? {});
      const fields = Object.entries(schema.properties ?? {}).filter(([, field]) => field.default !== undefined);
      addNames(
        body,
        operationId,
        fields.map(([name]) => name),
      );
    }
  }
  return `${NOTICE}/** By operation: the query parameters that have a default. */
export interface DefaultedQuery {\n${query.join('\n')}\n}\n
/** By operation: the fields of its body that have a default. */
export interface DefaultedBody {\n${body.join('\n')}\n}\n`;
}

function addNames(lines: string[], operationId: string, names: string[]): void {
  if (names.length > 0) lines.push(`  ${operationId}: ${names.map((name) => `'${name}'`).join(' | ')};`);
}

function resolved<T extends { $ref?: string }>(components: Record<string, T>, part: T): T {
  if (part.$ref === undefined) return part;
  const found = components[part.$ref.split('/').at(-1) ?? ''];
  if (!found) throw new Error(`openapi.yaml refers to an unknown part: ${part.$ref}`);
  return found;
}
