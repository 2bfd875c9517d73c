import type { ToolResult } from '../../transcript.ts';
import type { Instruction } from './instruction.ts';
import { quoted } from './outcome.ts';
import { retitledLine } from './page-text.ts';
import { call, done, refusal, type Progress, type Results } from './progress.ts';
import { readLines } from './tool-answers.ts';

export function retitle(
  { page, title }: Extract<Instruction, { kind: 'retitle' }>,
  id: string,
  results: Results,
): Progress {
  const read = results.get(`${id}.1`);
  if (!read) return { calls: [call(`${id}.1`, 'read', { path: page, limit: 200 })], last: false };
  const summary = `Changed the title of ${page} to ${quoted(title, 30)}`;
  if (read.isError) return refusal(`Could not change the title of ${page}`, read);
  const [file = page] = read.output.split('\n');
  const edits = titleEdits(readLines(read.output), title);
  if (edits === null) {
    return {
      outcome: {
        kind: 'refused',
        summary: `Could not change the title of ${page}`,
        details: [`${file} has no title line in its front matter and no heading.`],
        changed: [],
      },
    };
  }
  if (edits.length === 0)
    return { outcome: { kind: 'nothing', summary: `${page} has this title already`, details: [], changed: [] } };
  const calls = edits.map(([oldText, newText], i) =>
    call(`${id}.2.${i + 1}`, 'edit', { path: file, oldText, newText }),
  );
  const answers = calls.map(({ id: callId }) => results.get(callId));
  if (answers.some((answer) => !answer)) return { calls, last: true };
  const failed = answers.find((answer) => answer!.isError);
  if (failed) return refusal(`Could not change the title of ${page}`, failed);
  return done(summary, [], answers as ToolResult[]);
}

/** Edits of the front matter's title and of a first heading that repeats it. Null where the page has neither. */
function titleEdits(lines: readonly string[], title: string): [oldText: string, newText: string][] | null {
  const end = lines[0] === '---' ? lines.indexOf('---', 1) : -1;
  const inFront = end === -1 ? -1 : lines.findIndex((line, i) => i > 0 && i < end && line.startsWith('title:'));
  const oldTitle = inFront === -1 ? null : lines[inFront]!.replace(/^title:\s*["']?|["']?\s*$/g, '');
  const heading = headingAfter(lines, end);
  const found: [at: number, old: string[], written: string[] | null][] = [];
  if (inFront !== -1) {
    const line = retitledLine(lines[inFront]!, title);
    found.push([inFront, [lines[inFront]!], line === null ? null : [line]]);
  }
  if (heading && (inFront === -1 || heading.text === oldTitle)) {
    const underline = heading.lines[1]?.replace(/=+/, '='.repeat(Math.max(3, title.length)));
    found.push([heading.at, heading.lines, underline === undefined ? [`# ${title}`] : [title, underline]]);
  }
  if (found.length === 0 || found.some(([, , written]) => written === null)) return null;
  return found
    .filter(([, old, written]) => old[0] !== written![0])
    .map(([at, old, written]) => {
      // With the lines around it, a short title is still found in one place only.
      const [before, after] = [lines.slice(Math.max(0, at - 1), at), lines.slice(at + old.length, at + old.length + 1)];
      return [[...before, ...old, ...after].join('\n'), [...before, ...written!, ...after].join('\n')];
    });
}

/** The first heading of the first level, in either form, and outside code. */
function headingAfter(lines: readonly string[], from: number): { at: number; lines: string[]; text: string } | null {
  let fence: string | null = null;
  for (let at = from + 1; at < lines.length; at++) {
    const line = lines[at]!;
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? null;
    if (fence !== null) fence = mark?.startsWith(fence) ? null : fence;
    else if (mark !== null) fence = mark;
    else if (line.startsWith('# ')) return { at, lines: [line], text: line.replace(/^# +| *#* *$/g, '') };
    else if (line.trim() !== '' && /^=+\s*$/.test(lines[at + 1] ?? '')) {
      return { at, lines: [line, lines[at + 1]!], text: line.trim() };
    }
  }
  return null;
}
