import { z } from 'zod';
import { clearlyNearest } from '@docent/docs-check/read/similar-text';
import type { ToolDefinition } from '@docent/models/model';
import { excerpt, MAX_OUTPUT } from './bounded-output.ts';
import type { InputFields } from './lenient-input.ts';
import type { Tool } from './tool.ts';

/** The names of our tools in other agents. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  bash: '',
  cat: 'read',
  codebasesearch: 'search',
  createfile: 'write',
  deletefile: 'delete',
  editfile: 'edit',
  find: 'list',
  glob: 'list',
  grep: 'search',
  insert: 'edit',
  listdir: 'list',
  listdirectory: 'list',
  listfiles: 'list',
  ls: 'list',
  lint: 'check',
  movefile: 'move',
  multiedit: 'edit',
  open: 'read',
  readfile: 'read',
  remove: 'delete',
  rename: 'move',
  replace: 'edit',
  ripgrep: 'search',
  rm: 'delete',
  searchdocs: 'search',
  searchfiles: 'search',
  semanticsearch: 'search',
  strreplace: 'edit',
  tree: 'list',
  update: 'edit',
  validate: 'check',
  view: 'read',
  writefile: 'write',
};

/** A name without what models put around it: `functions.Read`, `default_api:read`, `mcp__docs__read`. */
export function bareToolName(name: string): string {
  return name
    .trim()
    .replace(/^.*(?:[.:/]|__)(?=\w+$)/, '')
    .toLowerCase();
}

/** Reports an unknown tool, and suggests a similar one. */
export function unknownTool(name: string, known: readonly string[]): string {
  const bare = bareToolName(name);
  const other = OTHER_NAMES[bare.replace(/[_-]/g, '')];
  const nearest = other ?? clearlyNearest(bare, known, 0.6);
  const hint = nearest ? ` Did you mean ${nearest}?` : '';
  return `There is no tool ${JSON.stringify(excerpt(name, 100))}. There are ${known.join(', ')}.${hint}`;
}

/** A tool as advertised to models: its schema without Docent's own fields. */
export function definitionOf({ name, description, schema }: Tool): ToolDefinition {
  const { $schema: _, ...inputSchema } = z.toJSONSchema(schema);
  const properties = Object.entries(inputSchema.properties ?? {}).filter(([, field]) => !isHidden(field));
  return { name, description, inputSchema: { ...inputSchema, properties: Object.fromEntries(properties) } };
}

export function fieldsOf({ schema }: Tool): InputFields {
  const { properties = {}, required = [] } = z.toJSONSchema(schema);
  const types = Object.entries(properties).map(
    ([name, field]) =>
      [name, typeof field === 'object' && typeof field.type === 'string' ? field.type : undefined] as const,
  );
  return { types: new Map(types), required: new Set(required) };
}

/** Marks a field that works, but is not advertised to models: fewer choices are fewer mistakes. */
export const hidden = { hidden: true } as const;

function isHidden(field: unknown): boolean {
  return typeof field === 'object' && field !== null && 'hidden' in field;
}

/** Explains the mistake in an input, and shows a right one. */
export function describeInvalid(tool: Tool, input: unknown, error: z.ZodError): string {
  const isObject = typeof input === 'object' && input !== null && !Array.isArray(input);
  const fields = Object.keys(definitionOf(tool).inputSchema['properties'] as object);
  const faults = isObject
    ? error.issues.slice(0, 5).map((issue) => faultOf(issue, fields))
    : [typeof input === 'string' ? 'It is not valid JSON.' : 'It has to be a JSON object.'];
  const form = `Its fields are ${fields.join(', ')}. For example: ${JSON.stringify(tool.example)}.`;
  return excerpt(`The input of ${tool.name} is not valid. ${faults.join(' ')}`, 1_000) + ` ${form}`;
}

function faultOf(issue: z.core.$ZodIssue, fields: readonly string[]): string {
  const field = issue.path.join('.');
  if (issue.code === 'invalid_type' && issue.message.endsWith('received undefined')) return `${field} is missing.`;
  if (issue.code === 'unrecognized_keys') {
    const [key = ''] = issue.keys;
    const nearest = clearlyNearest(key, fields, 0.6);
    return `${issue.message}.${nearest ? ` Did you mean ${nearest}?` : ''}`;
  }
  return field ? `${field}: ${issue.message}.` : `${issue.message}.`;
}

/** The results of one answer together, in characters. */
export const MAX_STEP_OUTPUT = 200_000;
/** Room that is always left for the report of a call that changes something. */
const LEAST_ROOM = 4_000;

/** Truncates an output at the limit. Its last line, the report of the change, stays if possible. */
export function bounded(output: string, room: number): string {
  const limit = Math.max(LEAST_ROOM, Math.min(MAX_OUTPUT, room));
  if (output.length <= limit) return output;
  const last = output.slice(output.lastIndexOf('\n') + 1);
  const end = last.length <= limit / 2 ? `\n${last}` : '';
  const cut = '\n… cut here.';
  return output.slice(0, limit - cut.length - end.length) + cut + end;
}
