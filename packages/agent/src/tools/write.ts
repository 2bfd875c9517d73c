import { z } from 'zod';
import { ConfigEditor } from '@docent/docs-check/read/config-editor';
import { entriesOf } from '@docent/docs-check/read/navigation';
import { pageExtensionOf, pageFormatOf } from '@docent/docs-check/read/page-format';
import { readPageFacts } from '@docent/docs-check/read/read-page-facts';
import { dialectOf, folderOf } from '@docent/docs-check/read/site';
import { lineBreakOf, withLineBreaks } from '@docent/docs-check/read/text-lines';
import { VisibleText, visibleName } from '@docent/docs-check/read/visible-text';
import { plural } from '@docent/base/plural';
import { listed } from './bounded-output.ts';
import { manualStepLines, generatorEntry } from './generator-changes.ts';
import { resolveNewPath } from './new-path.ts';
import { findByPath, resolveFile } from './page-reference.ts';
import { defineTool, ToolRefusal } from './tool.ts';
import type { ToolSession } from './tool-session.ts';

const schema = z.strictObject({
  path: z
    .string()
    .min(1)
    .max(2_000)
    .describe('The file. A page may be named by its site path without an extension; it gets the one the site uses.'),
  content: z.string().max(1_100_000).describe('The whole text of the file; with mode append, the text to add.'),
  mode: z
    .enum(['create', 'replace', 'append'])
    .optional()
    .describe('create (default): a new file. replace: overwrites an existing file. append: add at the end.'),
  navigation: z
    .boolean()
    .optional()
    .describe('Add the page to the navigation, after its neighbors from the same folder.'),
  group: z.string().max(500).optional().describe('With navigation: the name of the group to add it to.'),
});

/** Models never see it; the file keeps it. */
const BOM = '\uFEFF';

type Input = z.infer<typeof schema>;

export const writeTool = defineTool({
  name: 'write',
  description: 'Creates or overwrites a text file, or appends to it. To change part of an existing file, use edit.',
  schema,
  example: { path: 'guides/new-page.mdx', content: '---\ntitle: New page\n---\n\nText.\n', mode: 'create' },
  run(input, session) {
    const { mode } = input;
    const path = mode === 'append' ? resolveFile(session, input.path) : target(input, session);
    const exists = session.workspace.exists(path);
    const name = visibleName(path);
    const text = mode === 'append' ? appended(path, input.content, session) : whole(path, input.content, session);
    const before = exists ? session.workspace.readText(path) : null;
    if (exists && before !== text && !mayReplace(path, mode, session)) {
      throw new ToolRefusal(
        `${name} already exists${before === null ? '' : `, with ${plural(linesOf(before), 'line')}`}. Change a part of it with edit, choose another path, or overwrite it with mode: "replace".`,
      );
    }
    const write = new Map([[path, text]]);
    const entered = input.navigation || input.group !== undefined ? enter(path, input.group, session) : null;
    for (const [file, config] of entered?.texts ?? []) write.set(file, config);
    session.change({ write });
    const done = mode === 'append' ? `Added to the end of ${name}.` : written(name, before, text);
    const report = done + (entered?.sentence ?? '') + syntaxWarning(path, text, session);
    return { text: report, changed: [...write.keys()], data: { tool: 'write', path, report } };
  },
});

/** Pages that readers have are never overwritten by accident; the agent's own new files may be. */
function mayReplace(path: string, mode: Input['mode'], session: ToolSession): boolean {
  return mode === undefined ? session.base.file(path) === undefined : mode !== 'create';
}

/** With the line counts before and after: a model that left out most of a page must notice it. */
function written(name: string, before: string | null, text: string): string {
  return before === null
    ? `Created ${name}.`
    : `Replaced ${name}: ${plural(linesOf(before), 'line')} before, ${linesOf(text)} now.`;
}

function linesOf(text: string): number {
  return text === '' ? 0 : text.replace(/\n$/, '').split('\n').length;
}

/** An existing file is only identified by its path: a name or a title must not overwrite a page. */
function target({ path, mode }: Input, session: ToolSession): string {
  const bare = path
    .trim()
    .replaceAll('\\', '/')
    .replace(/^(\.\/)+/, '');
  const exact = session.workspace.spelled(bare);
  if (session.workspace.exists(exact)) return exact;
  // A page that already has the address, as `guides/index.mdx` has that of `guides`, blocks no other file.
  const isAddress = mode !== 'create' || pageExtensionOf(exact) === '';
  return (isAddress ? findByPath(session, path) : null) ?? resolveNewPath(session, path);
}

/** The whole text: placeholders become comments again, line breaks as in the file or its neighbors. */
function whole(path: string, content: string, session: ToolSession): string {
  const before = session.workspace.exists(path) ? session.visible(path) : null;
  const restored = (before ?? new VisibleText('', [])).restore(content);
  if (!restored.ok) {
    throw new ToolRefusal(`${restored.placeholder} replaces a comment that ${visibleName(path)} does not have.`);
  }
  const lineBreak = before ? lineBreakOf(before.raw) : neighborsLineBreak(path, session);
  const ended = restored.text === '' || restored.text.endsWith('\n') ? restored.text : `${restored.text}\n`;
  const text = withLineBreaks(before && !before.raw.endsWith('\n') ? restored.text : ended, lineBreak);
  return before?.raw.startsWith(BOM) && !text.startsWith(BOM) ? BOM + text : text;
}

function neighborsLineBreak(path: string, session: ToolSession): '\n' | '\r\n' {
  const folder = folderOf(path);
  const pages = session.docs.site.pages;
  const near = [...pages.filter((page) => folderOf(page) === folder), ...pages].slice(0, 5);
  const windows = near.filter((page) => lineBreakOf(session.workspace.readText(page) ?? '') === '\r\n').length;
  return windows * 2 > near.length ? '\r\n' : '\n';
}

/** One blank line between the existing and the added text. */
function appended(path: string, content: string, session: ToolSession): string {
  const before = session.workspace.readText(path);
  if (before === null) throw new ToolRefusal(`${visibleName(path)} is not a text file: nothing can be added to it.`);
  const lineBreak = lineBreakOf(before);
  const added = withLineBreaks(content.replace(/^(?:[ \t]*\r?\n)+/, '').trimEnd(), lineBreak);
  if (added === '') throw new ToolRefusal('There is no text to add.');
  const kept = before.trimEnd();
  // The rest after the last line stays as it is, except for the blank line between.
  return kept === '' ? added + lineBreak : kept + lineBreak + lineBreak + added + lineBreak;
}

function enter(
  path: string,
  group: string | undefined,
  session: ToolSession,
): { texts: Map<string, string>; sentence: string } {
  const { site } = session.docs;
  const none = new Map<string, string>();
  if (site.generator?.navigation && pageFormatOf(path)) {
    const generated = generatorEntry(session.docs.assuming([path]), path, session);
    const entered = generated.notes.length > 0 ? ' Entered in the navigation.' : '';
    const lines = manualStepLines(generated);
    return { texts: generated.texts, sentence: entered + (lines.length > 0 ? ` ${lines.join(' ')}` : '') };
  }
  if (!site.config || !pageFormatOf(path)) {
    return { texts: none, sentence: ' This site has no navigation file, so there was nothing to enter it in.' };
  }
  if (site.config.problems.length > 0) {
    throw new ToolRefusal(
      `${site.configPath} is not valid, so the page cannot be entered in it: ${site.config.problems[0]!.message}.`,
    );
  }
  if (entriesOf(site, path).length > 0) return { texts: none, sentence: ' It is already in the navigation.' };
  const editor = new ConfigEditor(site);
  const placement = editor.addEntry(path, group);
  if (!placement.ok) {
    const groups = placement.groups.map((name) => JSON.stringify(visibleName(name)));
    throw new ToolRefusal(
      group === undefined
        ? `${site.configPath} has no list of pages to enter it in.`
        : `The navigation has no group ${JSON.stringify(group)}. It has ${listed(groups, 30) || 'none'}.`,
    );
  }
  const where = placement.list.trail.map(visibleName).join(' > ');
  return { texts: editor.changed(), sentence: ` Entered in the navigation${where ? ` under ${where}` : ''}.` };
}

function syntaxWarning(path: string, text: string, session: ToolSession): string {
  const dialect = dialectOf(session.docs.site, path);
  const { problems = [], notRead } = dialect ? readPageFacts(text, dialect) : {};
  if (notRead) return ` But it cannot be checked: it ${notRead.why}`;
  const [problem] = problems;
  return problem ? ` But it has a problem in line ${problem.line}: ${problem.message}` : '';
}
