import { z } from 'zod';
import { visibleName } from '@docent/docs-check/read/visible-text';
import { excerpt, MAX_OUTPUT } from './bounded-output.ts';
import { lineEnd, numberedLine } from './line-bounds.ts';
import { resolveFile } from './page-reference.ts';
import { defineTool, ToolRefusal } from './tool.ts';
import { versionOf } from './tool-session.ts';
import type { DataOf } from '@docent/models/conversation/tool-data';

const MAX_LINE = 2_000;

const schema = z.strictObject({
  path: z.string().max(2_000).describe('The file; a page may be named by its site path, e.g. /guides/install.'),
  offset: z.number().int().min(1).optional().describe('First line to read, from 1.'),
  limit: z.number().int().min(1).max(5_000).optional().describe('Lines to read; default 1000.'),
});

export const readTool = defineTool({
  name: 'read',
  description:
    'Reads a text file with line numbers. Comments appear as placeholders, which you can use in edits and which keep their text.',
  schema,
  example: { path: 'guides/start.mdx', offset: 1, limit: 200 },
  readOnly: true,
  run({ path: reference, offset = 1, limit = 1_000 }, session) {
    const path = resolveFile(session, reference);
    const visible = session.visible(path);
    if (visible === null) {
      throw new ToolRefusal(`${visibleName(path)} cannot be read: it ${session.workspace.whyNoText(path)}.`);
    }
    const all = linesOf(visible.text, (at) => visible.lineAt(at));
    const last = all.at(-1)?.line ?? 0;
    if (offset > Math.max(1, last))
      throw new ToolRefusal(`${visibleName(path)} has ${last} lines; offset ${offset} is past its end.`);
    const shown: { line: number; text: string }[] = [];
    let length = 0;
    let end = last === 0 ? 'The file is empty.' : `End of the file (${last} lines).`;
    for (const { line, text: whole } of all) {
      if (line < offset) continue;
      const text = excerpt(whole, MAX_LINE);
      length += numberedLine(line, text).length + 1;
      if (shown.length >= limit || length > MAX_OUTPUT) {
        end = `Lines ${offset} to ${line - 1} of ${last}. Continue with offset ${line}.`;
        break;
      }
      shown.push({ line, text });
    }
    const lines = {
      version: versionOf(session, path),
      first: shown[0]?.line ?? 0,
      last: shown.at(-1)?.line ?? 0,
      of: last,
    };
    const titles = offset === 1 ? titleLines(shown.map(({ text }) => text)) : [];
    return {
      text: [visibleName(path), ...shown.map(({ line, text }) => numberedLine(line, text)), end].join('\n'),
      data: { tool: 'read', path, lines, titles },
    };
  },
});

/** The visible text's lines with their numbers in the file. A hidden comment of many lines is one. */
function linesOf(text: string, lineAt: (offset: number) => number): { line: number; text: string }[] {
  const lines: { line: number; text: string }[] = [];
  for (let start = 0; start < text.length;) {
    const stop = lineEnd(text, start);
    lines.push({ line: lineAt(start), text: text.slice(start, stop) });
    start = stop + 1;
  }
  return lines;
}

type TitleLines = DataOf<'read'>['titles'][number];

/** The lines with a page's title: in its front matter, and a first heading that repeats or replaces it. */
function titleLines(lines: readonly string[]): TitleLines[] {
  const end = lines[0] === '---' ? lines.indexOf('---', 1) : -1;
  const inFront = end === -1 ? -1 : lines.findIndex((line, i) => i > 0 && i < end && line.startsWith('title:'));
  const title = inFront === -1 ? null : lines[inFront]!.replace(/^title:\s*["']?|["']?\s*$/g, '');
  const heading = headingBehind(lines, end);
  return [
    ...(inFront === -1 ? [] : [at('front matter', lines, inFront, 1)]),
    ...(heading && (title === null || heading.text === title)
      ? [at('heading', lines, heading.at, heading.length)]
      : []),
  ];
}

function at(place: TitleLines['place'], lines: readonly string[], start: number, length: number): TitleLines {
  const end = start + length;
  return {
    place,
    lines: lines.slice(start, end),
    before: lines.slice(Math.max(0, start - 1), start),
    after: lines.slice(end, end + 1),
  };
}

/** The first heading of the first level, in either form, and outside code. */
function headingBehind(lines: readonly string[], from: number): { at: number; length: number; text: string } | null {
  let fence: string | null = null;
  for (let at = from + 1; at < lines.length; at++) {
    const line = lines[at]!;
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? null;
    if (fence !== null) fence = mark?.startsWith(fence) ? null : fence;
    else if (mark !== null) fence = mark;
    else if (line.startsWith('# ')) return { at, length: 1, text: line.replace(/^# +| *#* *$/g, '') };
    else if (line.trim() !== '' && /^=+\s*$/.test(lines[at + 1] ?? '')) return { at, length: 2, text: line.trim() };
  }
  return null;
}
