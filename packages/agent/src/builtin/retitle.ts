import { visibleName } from '@docent/docs-check/read/visible-text';
import type { DataOf } from '@docent/models/conversation/tool-data';
import type { Instruction } from '@docent/recipes/instruction';
import { quoted } from './outcome.ts';
import { retitledLine } from './page-text.ts';
import { call, dataOf, done, refusal, type Progress, type Results } from './progress.ts';

export function retitle(
  { page, title }: Extract<Instruction, { kind: 'retitle' }>,
  id: string,
  results: Results,
): Progress {
  const read = results.get(`${id}.1`);
  if (!read) return { calls: [call(`${id}.1`, 'read', { path: page, limit: 200 })], last: false };
  const summary = `Changed the title of ${page} to ${quoted(title, 30)}`;
  if (!read.ok) return refusal(`Could not change the title of ${page}`, read);
  const { path, titles } = dataOf(read, 'read');
  const edits = titleEdits(titles, title);
  if (edits === null) {
    return {
      outcome: {
        kind: 'refused',
        summary: `Could not change the title of ${page}`,
        details: [`${visibleName(path)} has no title line in its front matter and no heading.`],
        changed: [],
      },
    };
  }
  if (edits.length === 0)
    return { outcome: { kind: 'nothing', summary: `${page} already has this title`, details: [], changed: [] } };
  const calls = edits.map(([oldText, newText], i) => call(`${id}.2.${i + 1}`, 'edit', { path, oldText, newText }));
  const answers = calls.flatMap(({ id: callId }) => results.get(callId) ?? []);
  if (answers.length < calls.length) return { calls, last: true };
  const failed = answers.find((answer) => !answer.ok);
  if (failed) return refusal(`Could not change the title of ${page}`, failed);
  return done(summary, [], answers);
}

/**
 * Edits of the lines with the title. Null if there are none, or the title is written in a form that cannot be
 * changed.
 */
function titleEdits(titles: DataOf<'read'>['titles'], title: string): [oldText: string, newText: string][] | null {
  const edits: [string, string][] = [];
  for (const { place, lines, before, after } of titles) {
    const written = place === 'heading' ? retitledHeading(lines, title) : retitledFrontMatter(lines, title);
    if (written === null) return null;
    // With its context, a short title is still unique.
    const around = (own: readonly string[]) => [...before, ...own, ...after].join('\n');
    if (written[0] !== lines[0]) edits.push([around(lines), around(written)]);
  }
  return titles.length === 0 ? null : edits;
}

function retitledFrontMatter([old = '']: readonly string[], title: string): string[] | null {
  const line = retitledLine(old, title);
  return line === null ? null : [line];
}

function retitledHeading([, underline]: readonly string[], title: string): string[] {
  return underline === undefined
    ? [`# ${title}`]
    : [title, underline.replace(/=+/, '='.repeat(Math.max(3, title.length)))];
}
