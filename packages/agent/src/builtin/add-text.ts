import { slugger } from '@docent/docs-check/read/heading-slug';
import { visibleName } from '@docent/docs-check/read/visible-text';
import type { Instruction } from '@docent/recipes/instruction';
import { quoted } from './outcome.ts';
import { newPageText, parsableAsMdx, titleFromPath } from './page-text.ts';
import { call, dataOf, done, refusal, type Progress, type Results } from './progress.ts';

export function addPage(
  { title, path, folder, group, text }: Extract<Instruction, { kind: 'add-page' }>,
  id: string,
  results: Results,
): Progress {
  const place = path ?? (folder === null ? '' : `${folder.replace(/\/+$/, '')}/`) + slugger()(title!);
  const name = title ?? titleFromPath(place);
  const listed = results.get(`${id}.1`);
  if (!listed) return { calls: [call(`${id}.1`, 'list', { glob: `${globName(place)}*` })], last: false };
  if (!listed.ok) return refusal(`Could not add the page ${quoted(name)}`, listed);
  const { site } = dataOf(listed, 'list');
  const extension = /\.\w+$/.exec(place)?.[0] ?? site.extension;
  const write = call(`${id}.2`, 'write', {
    path: place,
    content: newPageText(name, text, { extension, titles: site.titles }),
    mode: 'create',
    ...(site.configured ? { navigation: true } : {}),
    ...(group === null ? {} : { group }),
  });
  const written = results.get(write.id);
  if (!written) return { calls: [write], last: true };
  if (!written.ok) return refusal(`Could not add the page ${quoted(name)}`, written);
  return done(`Added the page ${quoted(name, 40)}`, [dataOf(written, 'write').report], [written]);
}

/** The last part of a path as a glob that means it literally. */
function globName(path: string): string {
  const name = path
    .replace(/\/+$/, '')
    .split('/')
    .at(-1)!
    .replace(/\.\w+$/, '');
  return name.replace(/[^\p{L}\p{N}._-]/gu, '?').slice(0, 100);
}

export function sectionText({ heading, text }: { heading: string; text: string | null }): string {
  return text === null ? `## ${heading}` : `## ${heading}\n\n${text.trim()}`;
}

export function append({ page }: { page: string }, text: string, what: string, id: string, results: Results): Progress {
  const asMdx = parsableAsMdx(text);
  let content = text;
  if (asMdx !== text && !/\.(md|markdown)$/i.test(page)) {
    // Only MDX needs the escapes, and the page's name may not show its kind.
    const listed = results.get(`${id}.0`);
    if (!listed && !/\.mdx$/i.test(page))
      return { calls: [call(`${id}.0`, 'list', { glob: `${globName(page)}.mdx` })], last: false };
    if (!listed || (listed.ok && dataOf(listed, 'list').matches !== 0)) content = asMdx;
  }
  const write = call(`${id}.1`, 'write', { path: page, content, mode: 'append' });
  const written = results.get(write.id);
  if (!written) return { calls: [write], last: true };
  if (!written.ok) return refusal(`Could not add ${what} to ${page}`, written);
  return done(`Added ${what} to ${visibleName(dataOf(written, 'write').path)}`, [], [written]);
}

/** Adds a text above the first paragraph of a page. */
export function open(
  { page, text }: Extract<Instruction, { kind: 'append-text' }>,
  id: string,
  results: Results,
): Progress {
  const content = /\.(md|markdown)$/i.test(page) ? text : parsableAsMdx(text);
  const made = call(`${id}.1`, 'amend', { path: page, part: 'opening', text: content });
  const added = results.get(made.id);
  if (!added) return { calls: [made], last: true };
  if (!added.ok) return refusal(`Could not add text to ${page}`, added);
  return done(`Added text to the top of ${visibleName(dataOf(added, 'amend').path)}`, [], [added]);
}
