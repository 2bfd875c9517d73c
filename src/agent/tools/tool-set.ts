import { z } from 'zod';
import { WorkspaceRefusal, type Workspace } from '../../git/workspace.ts';
import type { ToolDefinition } from '../model.ts';
import type { ToolCall, ToolResult } from '../transcript.ts';
import { excerpt, MAX_OUTPUT } from './bounded-output.ts';
import { checkTool } from './check.ts';
import { deleteTool } from './delete.ts';
import { editTool } from './edit.ts';
import { listTool } from './list.ts';
import { moveTool } from './move.ts';
import { readTool } from './read.ts';
import { searchTool } from './search.ts';
import { ToolRefusal, type Tool } from './tool.ts';
import { ToolSession, type ToolContext } from './tool-session.ts';
import { writeTool } from './write.ts';

export type { ToolContext } from './tool-session.ts';

const TOOLS = [listTool, searchTool, readTool, editTool, writeTool, moveTool, deleteTool, checkTool] as Tool[];
const BY_NAME = new Map(TOOLS.map((tool) => [tool.name, tool]));

/** What a model is told of the tools. */
export const TOOL_DEFINITIONS: ToolDefinition[] = TOOLS.map(({ name, description, schema }) => {
  const { $schema: _, ...inputSchema } = z.toJSONSchema(schema);
  return { name, description, inputSchema };
});

/** Calls in one answer of a model; more are refused, one by one. */
export const MAX_CALLS = 100;

/**
 * Runs the tool calls of one answer, in order, on the workspace. Never throws on what a model wrote: a call that cannot be
 * carried out gives a result that says why and what to do. Throws only where the base tree cannot be read.
 */
export function runToolCalls(workspace: Workspace, calls: readonly ToolCall[], context: ToolContext): ToolResult[] {
  const session = new ToolSession(workspace, context);
  return calls.map((call, i) => {
    const outcome = i < MAX_CALLS ? run(call, session) : tooMany();
    const name = typeof call.name === 'string' ? call.name.slice(0, 200) : '';
    return { callId: call.id, name, ...outcome, output: outcome.output.slice(0, MAX_OUTPUT + 10_000).toWellFormed() };
  });
}

type Outcome = Pick<ToolResult, 'output' | 'isError'>;

function run(call: ToolCall, session: ToolSession): Outcome {
  const tool = BY_NAME.get(call.name);
  if (!tool)
    return refused(
      `There is no tool ${JSON.stringify(excerpt(String(call.name), 100))}. There are ${[...BY_NAME.keys()].join(', ')}.`,
    );
  const input = tool.schema.safeParse(lenient(call.input, tool));
  if (!input.success) return refused(`The input of ${tool.name} is not valid. ${describeIssues(input.error)}`);
  try {
    return { output: tool.run(input.data, session), isError: false };
  } catch (thrown) {
    if (thrown instanceof ToolRefusal || thrown instanceof WorkspaceRefusal) return refused(thrown.message);
    // The parsers recurse; input that is nested beyond their stack is refused like any other that cannot be read.
    if (thrown instanceof RangeError && /call stack/i.test(thrown.message)) {
      return refused('The text is nested too deeply to work with.');
    }
    throw thrown;
  }
}

function refused(output: string): Outcome {
  return { output: `${output} Nothing was changed.`, isError: true };
}

function tooMany(): Outcome {
  return refused(`At most ${MAX_CALLS} calls are carried out at a time. Make this one again in your next answer.`);
}

function describeIssues(error: z.ZodError): string {
  const sentences = error.issues.slice(0, 5).map(({ path, message }) => {
    return path.length > 0 ? `${path.join('.')}: ${message}.` : `${message}.`;
  });
  return excerpt(sentences.join(' '), 1_000);
}

/** What weak models get wrong in form alone: input as a JSON text, numbers and booleans as text, null for nothing. */
function lenient(input: unknown, tool: Tool): unknown {
  const value = typeof input === 'string' ? parsed(input) : (input ?? {});
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const definition = TOOL_DEFINITIONS.find(({ name }) => name === tool.name);
  const types = (definition?.inputSchema['properties'] ?? {}) as Record<string, { type?: string }>;
  const entries = Object.entries(value).filter(([, item]) => item !== null && item !== undefined);
  return Object.fromEntries(
    entries.map(([name, item]) => [
      name,
      typeof item === 'string' ? typed(item, Object.hasOwn(types, name) ? types[name]?.type : undefined) : item,
    ]),
  );
}

function typed(text: string, type: string | undefined): unknown {
  if (type === 'boolean' && /^(true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  if ((type === 'integer' || type === 'number') && /^\d{1,9}$/.test(text)) return Number(text);
  return text;
}

function parsed(text: string): unknown {
  try {
    return text.trim() === '' ? {} : JSON.parse(text);
  } catch {
    return text;
  }
}
