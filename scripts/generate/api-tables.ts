/**
 * Writes the routes and the fields of bodies from openapi.yaml into the docs. The comment before a table
 * selects its content (see PLACES). With `--check` it writes nothing: see {@link writeGenerated}.
 */
import { parse } from 'yaml';
import { textOf, withSection, writeGenerated } from './generated-files.ts';

interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  enum?: unknown[];
  oneOf?: Schema[];
  anyOf?: Schema[];
  allOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  default?: unknown;
}

interface Operation {
  operationId: string;
  summary: string;
  tags: string[];
  security?: Record<string, string[]>[];
}

interface Spec {
  tags: { name: string; description: string }[];
  security: Record<string, string[]>[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const END = /^\{\/\* End of the generated table\. \*\/\}$/m;
const ROUTES_PAGE = 'docs/reference/api.mdx';
/** Where the fields of which bodies are listed. */
const FIELD_TABLES: Record<string, readonly string[]> = {
  'docs/analytics/send-events.mdx': ['Event', 'Ingested'],
  'docs/guides/api-keys.mdx': ['NewKey'],
  'docs/guides/browser.mdx': ['NewToken'],
  'docs/guides/code-hosts.mdx': ['NewHost'],
};

const spec = parse(await textOf('openapi.yaml')) as Spec;
const pages: Record<string, string> = {};
for (const [page, names] of Object.entries(FIELD_TABLES)) {
  let text = await textOf(page);
  for (const name of names) text = withSection(text, notice(`the fields of ${name}`), END, `\n${fieldsOf(name)}\n`);
  pages[page] = text;
}
pages[ROUTES_PAGE] = withSection(await textOf(ROUTES_PAGE), notice('the routes'), END, `\n${routes()}\n`);
await writeGenerated(pages);

function notice(what: string): string {
  return `{/* Generated from openapi.yaml by \`npm run generate\`: ${what}. Do not edit. */}\n`;
}

/**
 * A table for each tag, in the order of the tags; a route without a known tag is an error, so that none is
 * missing.
 */
function routes(): string {
  const operations = Object.entries(spec.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => ({ path, method, operation: item[method] as Operation })),
  );
  const tags = spec.tags.map(({ name }) => name);
  for (const { path, operation } of operations) {
    if (!tags.includes(operation.tags[0] ?? '')) throw new Error(`${path} has no tag that openapi.yaml describes.`);
  }
  return spec.tags
    .map(({ name, description }) => {
      const rows = operations
        .filter(({ operation }) => operation.tags[0] === name)
        .map(
          ({ path, method, operation }) =>
            `| \`${method.toUpperCase()} ${path}\` | ${cell(operation.summary)} | ${callers(operation)} |\n`,
        );
      return `### ${name}\n\n${description}\n\n| Route | What it does | Access |\n|---|---|---|\n${rows.join('')}`;
    })
    .join('\n');
}

/** Which key opens a route. The operator token opens all of them, as the text above the tables says. */
function callers({ security = spec.security }: Operation): string {
  if (security.length === 0) return 'public';
  const scopes = security.flatMap((way) => way.apiKey ?? []);
  return scopes.length === 0 ? 'operator' : scopes.map((scope) => `\`${scope}\``).join(', ');
}

function fieldsOf(name: string): string {
  const { properties = {}, required = [] } = schemaNamed(name);
  const rows = Object.entries(properties).map(([field, schema]) => {
    const must = required.includes(field) ? ' (required)' : '';
    return `| \`${field}\`${must} | ${typeOf(schema)} | ${meaningOf(schema)} |\n`;
  });
  return `| Field | Type | Meaning |\n|---|---|---|\n${rows.join('')}`;
}

function schemaNamed(name: string): Schema {
  const found = spec.components.schemas[name];
  if (!found) throw new Error(`openapi.yaml has no schema ${name}.`);
  return found;
}

/** A referenced schema, with the description of the reference. */
function resolved(schema: Schema): Schema {
  const { $ref, ...here } = schema;
  return $ref === undefined ? schema : { ...resolved(schemaNamed($ref.split('/').at(-1) ?? '')), ...here };
}

/** The schema beside `null`. */
function meant(schema: Schema): Schema {
  const { oneOf, anyOf, ...here } = resolved(schema);
  const other = (oneOf ?? anyOf)?.find(({ type }) => type !== 'null');
  return other ? { ...meant(other), ...here } : here;
}

function typeOf(schema: Schema): string {
  const found = meant(schema);
  const values = found.enum?.filter((value) => value !== null);
  if (values) return values.map((value) => `\`${String(value)}\``).join(', ');
  const types = [found.type ?? 'object'].flat().filter((type) => type !== 'null');
  const limits = [
    bounds(found.minLength === 1 ? undefined : found.minLength, found.maxLength, ' characters'),
    bounds(found.minimum, found.maximum, ''),
    bounds(found.minItems, found.maxItems, ' items'),
  ].filter((words) => words !== '');
  const words = types.map((type) => (type === 'array' ? `list of ${typeOf(found.items ?? {})}` : type));
  return [words.join(' or '), ...limits].join(', ');
}

function bounds(least: number | undefined, most: number | undefined, unit: string): string {
  const [from, to] = [least?.toLocaleString('en'), most?.toLocaleString('en')];
  if (from !== undefined && to !== undefined) return `${from} to ${to}${unit}`;
  if (to !== undefined) return `at most ${to}${unit}`;
  return from === undefined ? '' : `at least ${from}${unit}`;
}

function meaningOf(schema: Schema): string {
  const { description = '', default: fallback } = meant(schema);
  const otherwise = fallback === undefined ? [] : [`Default: \`${JSON.stringify(fallback)}\`.`];
  return cell([description, ...otherwise].join(' '));
}

/** One line, without characters that have a meaning in MDX or tables. */
function cell(text: string): string {
  return text
    .trim()
    .replaceAll(/\s+/g, ' ')
    .replaceAll('|', '\\|')
    .replaceAll(/`[^`]*`|[<{]/g, (part) => (part.length > 1 ? part : `\\${part}`));
}
