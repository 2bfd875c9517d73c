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
  schema?: { default?: unknown };
}

interface Spec {
  paths: Record<string, Record<string, unknown> & { parameters?: Parameter[] }>;
  components: { parameters: Record<string, Parameter> };
}

const source = await textOf('openapi.yaml');
const spec = parse(source) as Spec;

await writeGenerated({
  // The server sees bodies after defaults were filled in; a client may leave those fields out.
  'src/api/generated/openapi.ts': await types({ defaultNonNullable: true }),
  'src/api/generated/defaulted.ts': defaultedParameters(spec),
  'src/api/generated/openapi.json': `${JSON.stringify(await withExamples(spec), null, 2)}\n`,
  'packages/client/src/generated/openapi.ts': await types({ defaultNonNullable: false }),
});

async function types(options: { defaultNonNullable: boolean }): Promise<string> {
  return NOTICE + astToString(await openapiTypes(source, { ...options, alphabetize: false }));
}

/**
 * Which query parameters have a default: openapi-typescript leaves them optional, but a handler always gets
 * them.
 */
function defaultedParameters(document: Spec): string {
  const lines: string[] = [];
  for (const item of Object.values(document.paths)) {
    for (const [method, operation] of Object.entries(item)) {
      if (method === 'parameters') continue;
      const { operationId, parameters } = operation as { operationId: string; parameters?: Parameter[] };
      const names = [...(item.parameters ?? []), ...(parameters ?? [])]
        .map((parameter) => resolveParameter(document, parameter))
        .filter((parameter) => parameter.in === 'query' && parameter.schema?.default !== undefined)
        .map((parameter) => `'${parameter.name}'`);
      if (names.length > 0) lines.push(`  ${operationId}: ${names.join(' | ')};`);
    }
  }
  return `${NOTICE}/** By operation: the query parameters that have a default. */\nexport interface Defaulted {\n${lines.join('\n')}\n}\n`;
}

function resolveParameter(document: Spec, parameter: Parameter): Parameter {
  if (parameter.$ref === undefined) return parameter;
  const name = parameter.$ref.split('/').at(-1) ?? '';
  const found = document.components.parameters[name];
  if (!found) throw new Error(`openapi.yaml refers to an unknown parameter: ${parameter.$ref}`);
  return found;
}
