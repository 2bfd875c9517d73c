import { visibleName } from '@docent/docs-check/read/visible-text';
import { WorkspaceRefusal, type Workspace } from '@docent/git/workspace';
import type { ToolDefinition } from '@docent/models/model';
import { excerpt } from './bounded-output.ts';
import {
  bareToolName,
  bounded,
  definitionOf,
  describeInvalid,
  fieldsOf,
  MAX_STEP_OUTPUT,
  unknownTool,
} from './call-form.ts';
import { amendTool } from './amend.ts';
import { arrangeTool } from './arrange.ts';
import { checkTool } from './check.ts';
import { deleteTool } from './delete.ts';
import { editTool } from './edit.ts';
import { lenientInput } from './lenient-input.ts';
import { listTool } from './list.ts';
import { moveTool } from './move.ts';
import { placeTool } from './place.ts';
import { readTool } from './read.ts';
import { redirectTool } from './redirect.ts';
import { searchTool } from './search.ts';
import { sourcesListTool, sourcesReadTool, sourcesSearchTool } from './sources.ts';
import { ToolRefusal, type Tool } from './tool.ts';
import type { ToolCall, ToolResult } from '@docent/models/conversation/tool-call';
import type { ToolData } from '@docent/models/conversation/tool-data';
import { ToolSession, type ToolContext } from './tool-session.ts';
import { undoTool } from './undo.ts';
import { webReadTool } from './web-read.ts';
import { writeTool } from './write.ts';

export type { ToolContext } from './tool-session.ts';

const TOOLS = [listTool, searchTool, readTool, editTool, writeTool, moveTool, deleteTool, checkTool] as Tool[];
/** Advertised if there is something to place. */
const OF_ATTACHMENTS = [placeTool] as Tool[];
/** Advertised if the project has sources. */
const OF_SOURCES = [sourcesListTool, sourcesSearchTool, sourcesReadTool] as Tool[];
/** Advertised if the project lists web pages. */
const OF_WEB = [webReadTool] as Tool[];
/** For the built-in editor: complete changes that language models compose themselves. */
const UNADVERTISED_TOOLS = [amendTool, arrangeTool, redirectTool, undoTool] as Tool[];
const BY_NAME = new Map(
  [...TOOLS, ...OF_ATTACHMENTS, ...OF_SOURCES, ...OF_WEB, ...UNADVERTISED_TOOLS].map((tool) => [
    tool.name,
    { tool, fields: fieldsOf(tool) },
  ]),
);
const NAMES = TOOLS.map(({ name }) => name);

/** Advertised in addition when a message has attachments. */
export const ATTACHMENT_TOOLS: ToolDefinition[] = OF_ATTACHMENTS.map(definitionOf);

/** Advertised in addition when the project has sources. */
export const SOURCE_TOOLS: ToolDefinition[] = OF_SOURCES.map(definitionOf);

/** Advertised in addition when the project lists web pages. */
export const WEB_TOOLS: ToolDefinition[] = OF_WEB.map(definitionOf);

/** The tools as advertised to models. */
export const TOOL_DEFINITIONS: ToolDefinition[] = TOOLS.map(definitionOf);

/** The same if nothing may be changed. */
export const READ_ONLY_TOOLS: ToolDefinition[] = TOOLS.filter(({ readOnly }) => readOnly).map(definitionOf);

/** Calls in one answer of a model; more are refused, one by one. */
export const MAX_CALLS = 100;

/**
 * Runs the tool calls of one answer on the workspace, in order. A refused call does not prevent the others.
 * Never throws for a model's input: the result explains why a call cannot be carried out, and what to do.
 * Throws only if the base tree cannot be read. Limits every output and their sum.
 */
export function runToolCalls(workspace: Workspace, calls: readonly ToolCall[], context: ToolContext): ToolResult[] {
  const session = new ToolSession(workspace, context);
  let room = MAX_STEP_OUTPUT;
  return calls.map((call, i) => {
    const outcome = i < MAX_CALLS ? run(call, session, room) : tooMany();
    const name = typeof call.name === 'string' ? call.name.slice(0, 200) : '';
    const text = bounded(outcome.text, room).toWellFormed();
    room -= text.length;
    return { callId: call.id, name, ...outcome, text };
  });
}

const READ_ONLY = 'This job answers questions: it changes no files.';

/** Characters of a reason: a refusal may quote what the model wrote. */
const MAX_REASON = 2_000;

type Outcome =
  | Omit<Extract<ToolResult, { ok: true }>, 'callId' | 'name'>
  | Omit<Extract<ToolResult, { ok: false }>, 'callId' | 'name'>;

function run(call: ToolCall, session: ToolSession, room: number): Outcome {
  const { name } = call;
  const known = BY_NAME.get(name) ?? BY_NAME.get(bareToolName(name));
  if (!known) return refused(unknownTool(name, NAMES));
  const { tool, fields } = known;
  if (session.readOnly && !tool.readOnly) return refused(READ_ONLY);
  const given = lenientInput(call.input, fields);
  const input = tool.schema.safeParse(given);
  if (!input.success) return refused(describeInvalid(tool, given, input.error));
  if (tool.readOnly && room <= 0) return refused(noRoom());
  try {
    const { text, changed, data } = tool.run(input.data, session);
    const said = changed ? `${text}\n${changedLine(changed)}` : text;
    return { ok: true, text: said, changed: changed ?? [], ...(data ? { data } : {}) };
  } catch (thrown) {
    if (thrown instanceof ToolRefusal) return refused(thrown.message, thrown);
    if (thrown instanceof WorkspaceRefusal) return refused(thrown.message);
    // Parsers recurse: too deeply nested input is refused like other unreadable input.
    if (thrown instanceof RangeError && /call stack/i.test(thrown.message)) {
      return refused('The text is nested too deeply to work with.');
    }
    throw thrown;
  }
}

function changedLine(paths: readonly string[]): string {
  return `Changed: ${paths.map((path) => JSON.stringify(visibleName(path))).join(', ')}`;
}

function refused(reason: string, { hint = '', data }: { hint?: string; data?: ToolData | undefined } = {}): Outcome {
  const said = reason + hint;
  // On its own line after passages of files, so that it does not look like a part of them.
  const text = `${said}${said.includes('\n') ? '\n' : ' '}Nothing was changed.`;
  return { ok: false, text, reason: excerpt(reason, MAX_REASON), ...(data ? { data } : {}) };
}

function tooMany(): Outcome {
  return refused(`At most ${MAX_CALLS} calls are carried out at a time. Make this one again in your next answer.`);
}

function noRoom(): string {
  return (
    `The results of this answer have ${MAX_STEP_OUTPUT.toLocaleString('en')} characters already. Make this ` +
    'call again in your next answer.'
  );
}
