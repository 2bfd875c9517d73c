import { z } from 'zod';
import { replaceString } from '@docent/docs-check/read/json-edits';
import { retarget } from '@docent/docs-check/read/link-format';
import type { Heading, PageFacts, PageLink } from '@docent/docs-check/read/page-facts';
import { pageFormatOf } from '@docent/docs-check/read/page-format';
import { readPageFacts } from '@docent/docs-check/read/read-page-facts';
import { dialectOf, isMeta } from '@docent/docs-check/read/site';
import { applyTextEdits, type TextEdit } from '@docent/docs-check/read/text-edits';
import { lineBreakOf, withLineBreaks } from '@docent/docs-check/read/text-lines';
import { visibleName, withoutInvisible } from '@docent/docs-check/read/visible-text';
import { plural } from '@docent/base/plural';
import { listed } from './bounded-output.ts';
import { withField } from './front-matter-field.ts';
import { headingsNamed, passagesOf, removal, renamedHeading, sectionOf, withoutLines } from './page-parts.ts';
import { resolveFile } from './page-reference.ts';
import { defineTool, ToolRefusal, type ToolOutcome } from './tool.ts';
import type { ToolSession } from './tool-session.ts';

const schema = z.strictObject({
  path: z.string().max(2_000).optional().describe('The page. Without it: the only one that has the part.'),
  part: z.enum(['description', 'heading', 'section', 'text', 'opening']),
  find: z.string().min(1).max(10_000).optional().describe('The heading, or the text to remove.'),
  text: z.string().max(10_000).optional().describe('The new description or heading, or the text of an opening.'),
  all: z.boolean().optional().describe('Remove the text wherever it is: on the page, or without one, on all pages.'),
});

type Input = z.infer<typeof schema>;

/** Changes a part of a page with all that depends on it. Not for models, which have `edit`. */
export const amendTool = defineTool<Input>({
  name: 'amend',
  description:
    'Sets the description of a page, renames one of its headings (links to it follow), removes a section ' +
    'or a text, or adds a text at the top.',
  schema,
  example: { path: 'guides/start.mdx', part: 'heading', find: 'Install', text: 'Set up' },
  run(input, session) {
    switch (input.part) {
      case 'description':
        return describe(input, session);
      case 'heading':
        return renameHeading(input, session);
      case 'section':
        return removeSection(input, session);
      case 'text':
        return input.all ? removeEverywhere(input, session) : removeText(input, session);
      case 'opening':
        return addOpening(input, session);
    }
  },
});

interface Page {
  path: string;
  text: string;
  facts: PageFacts;
}

function pageAt(session: ToolSession, path: string): Page {
  const text = session.workspace.readText(path);
  const facts = session.docs.facts(path);
  if (text !== null && facts && pageFormatOf(path)) return { path, text, facts };
  if (text === null)
    throw new ToolRefusal(`${visibleName(path)} cannot be edited: it ${session.workspace.whyNoText(path)}.`);
  throw new ToolRefusal(`${visibleName(path)} is not a Markdown page of the site.`);
}

/** The named page, or the only one in the writable folder that matches. */
function pageWith(session: ToolSession, { path }: Input, what: string, has: (page: Page) => boolean): Page {
  if (path !== undefined) return pageAt(session, resolveFile(session, path));
  const found: string[] = [];
  for (const { path: own, facts } of session.docs.pages()) {
    if (isMeta(session.docs.site, own)) continue;
    const text = pageFormatOf(own) && session.workspace.inDocsDir(own) ? session.workspace.readText(own) : null;
    if (text !== null && has({ path: own, text, facts })) found.push(own);
  }
  if (found.length === 1) return pageAt(session, found[0]!);
  if (found.length === 0) throw new ToolRefusal(`No page has ${what}.`);
  throw new ToolRefusal(
    `${plural(found.length, 'page')} have ${what}: ${listed(found.map(visibleName))}. Name the page.`,
  );
}

function describe({ path, text = '' }: Input, session: ToolSession): ToolOutcome {
  const page = pageAt(session, resolveFile(session, path ?? ''));
  const changed = withField(page.text, 'description', text);
  if (changed === null) {
    throw new ToolRefusal(`The front matter of ${visibleName(page.path)} is not such that its description can be set.`);
  }
  return finished(session, page.path, new Map([[page.path, changed]]), []);
}

function renameHeading(input: Input, session: ToolSession): ToolOutcome {
  const { find = '', text = '' } = input;
  const named = (facts: PageFacts) => headingsNamed(facts, find);
  const page = pageWith(session, input, `the heading ${shown(find)}`, ({ facts }) => named(facts).length > 0);
  const [heading] = headingOf(page, find, text);
  if (heading === null) return finished(session, page.path, relinkedHeadings(page, page, [], session), []);
  const edit = renamedHeading(page.text, heading, text.replace(/\s+/g, ' ').trim());
  if (!edit) {
    throw new ToolRefusal(
      `The heading in ${place(page, heading)} is written in a form that can only be changed manually.`,
    );
  }
  const dialect = dialectOf(session.docs.site, page.path)!;
  const after = { ...page, text: applyTextEdits(page.text, [edit]) };
  after.facts = readPageFacts(after.text, dialect);
  mustParse(page, after);
  const texts = relinkedHeadings(page, after, [edit], session);
  return finished(session, page.path, texts, notesOf(texts, page.path, page, after));
}

/** @returns null for a heading that has its new text already */
function headingOf(page: Page, find: string, text: string): [Heading | null] {
  const [first, ...others] = headingsNamed(page.facts, find);
  if (others.length > 0) {
    const lines = [first!, ...others].map(({ line }) => String(line));
    throw new ToolRefusal(
      `${visibleName(page.path)} has the heading ${shown(find)} ${lines.length} times, in lines ${lines.join(', ')}.`,
    );
  }
  if (first) return [first];
  if (text !== '' && headingsNamed(page.facts, text).length > 0) return [null];
  throw new ToolRefusal(`${visibleName(page.path)} has no heading ${shown(find)}. ${headingsIn(page)}`);
}

function headingsIn({ facts }: Page): string {
  const names = facts.headings.map(({ text }) => shown(text));
  return names.length > 0 ? `It has ${listed(names, 10)}.` : 'It has no headings.';
}

/** The page with its edits, and all pages with links to a heading whose id changes. */
function relinkedHeadings(
  page: Page,
  after: Page,
  edits: readonly TextEdit[],
  session: ToolSession,
): Map<string, string> {
  const [old, now] = [page.facts.headings, after.facts.headings];
  const ids = new Map<string, string>();
  for (const [i, { slug }] of old.entries())
    if (slug !== '' && now[i]?.slug && now[i].slug !== slug) ids.set(slug, now[i].slug);
  return relinkedTo(page, edits, session, (hash) => ids.get(hash));
}

/** @param follow the new id of an old one; null if it is gone, undefined if it stays */
function relinkedTo(
  page: Page,
  edits: readonly TextEdit[],
  session: ToolSession,
  follow: (hash: string) => string | null | undefined,
): Map<string, string> {
  const { docs, workspace } = session;
  const { site } = docs;
  const texts = new Map<string, string>();
  const addressOf = (path: string) => docs.resolver.addressOf(path);
  const addresses = { before: addressOf, after: addressOf };
  for (const { path, facts } of docs.pages()) {
    const own: TextEdit[] = path === page.path ? [...edits] : [];
    const text = path === page.path ? page.text : null;
    const isGone = ({ start, end }: PageLink) => own.some((edit) => start < edit.end && end > edit.start);
    for (const link of facts.links) {
      if (!link.target.includes('#') || link.kind === 'autolink' || isGone(link)) continue;
      const was = docs.resolver.resolve(path, link.target, link);
      if (was.kind !== 'file' || was.path !== page.path || was.hash === null) continue;
      const hash = follow(was.hash);
      if (hash === undefined) continue;
      own.push(
        newTarget(link, hash, path === page.path ? page.text : null, (to) =>
          retarget({ site, page: path, written: link.target, was, to: page.path, hash: to, addresses }),
        ),
      );
    }
    const before = own.length === 0 ? null : (text ?? workspace.readText(path));
    if (before !== null) texts.set(path, applyTextEdits(before, own));
  }
  relinkConfig(page, session, follow, texts);
  return texts;
}

/** A link within the page to a removed heading leads nowhere: only its text stays. */
function newTarget(
  { start, end, whole, text: inside }: PageLink,
  hash: string | null,
  page: string | null,
  written: (hash: string | null) => string,
): TextEdit {
  if (hash === null && page !== null && whole && inside) {
    return { start: whole[0], end: whole[1], text: page.slice(...inside) };
  }
  return { start, end, text: written(hash) || '#' };
}

function relinkConfig(
  page: Page,
  { docs: { site, resolver } }: ToolSession,
  follow: (hash: string) => string | null | undefined,
  texts: Map<string, string>,
): void {
  for (const source of site.config?.sources ?? []) {
    const edits = site.config!.links.flatMap((link): TextEdit[] => {
      const was = link.source === source ? resolver.resolve(site.configPath!, link.value) : null;
      const hash = was?.kind === 'file' && was.path === page.path && was.hash !== null ? follow(was.hash) : undefined;
      if (was?.kind !== 'file' || hash === undefined) return [];
      const change = { site, page: site.configPath!, written: link.value, was, to: page.path, hash };
      return [replaceString(link.node, retarget(change))];
    });
    if (edits.length > 0) texts.set(source.path, applyTextEdits(source.text, edits));
  }
}

function removeSection(input: Input, session: ToolSession): ToolOutcome {
  const { find = '' } = input;
  const named = ({ facts }: Page) => headingsNamed(facts, find).length > 0;
  const page = pageWith(session, input, `a section ${shown(find)}`, named);
  const heading = headingOf(page, find, '')[0]!;
  const [start, end] = sectionOf(page.text, page.facts, heading);
  const left = page.text.slice(page.facts.frontMatter?.end ?? 0, start) + page.text.slice(end);
  if (left.replace(/^---[ \t]*$/m, '').trim() === '') {
    throw new ToolRefusal(
      `The section ${shown(find)} is all that ${visibleName(page.path)} has. Delete the page instead.`,
    );
  }
  const isInside = (at: number) => at >= start && at < end;
  const defined = new Set(
    page.facts.links.filter((link) => link.definition && isInside(link.start)).map((link) => link.definition!),
  );
  const needed = page.facts.references.find((one) => defined.has(one.definition) && !isInside(one.whole[0]));
  if (needed) {
    throw new ToolRefusal(
      `The section ${shown(find)} has the address of the link [${needed.definition}], which the rest of ` +
        `${visibleName(page.path)} uses. Move that line first.`,
    );
  }
  const gone = new Set(page.facts.headings.filter((one) => isInside(one.start)).map(({ slug }) => slug));
  for (const { slug, start: at } of page.facts.headings) if (!isInside(at)) gone.delete(slug);
  const removed = { start, end, text: '' };
  const texts = relinkedTo(page, [removed], session, (hash) => (gone.has(hash) ? null : undefined));
  const tidy = withoutLines(page.text, [], [start, end]);
  const after = { ...page, text: texts.get(page.path) ?? tidy };
  after.text =
    end < page.text.length ? after.text : `${after.text.trimEnd()}${/\r\n\s*$/.test(page.text) ? '\r\n' : '\n'}`;
  after.facts = readPageFacts(after.text, dialectOf(session.docs.site, page.path)!);
  mustParse(page, after);
  texts.set(page.path, after.text);
  return finished(session, page.path, texts, notesOf(texts, page.path, page, after));
}

function removeText(input: Input, session: ToolSession): ToolOutcome {
  const { find = '' } = input;
  const places = ({ text, facts }: Page) => passagesOf(text, facts, find);
  const page = pageWith(session, input, `the text ${shown(find)}`, (one) => places(one).length > 0);
  const [first, ...others] = places(page);
  if (!first)
    throw new ToolRefusal(`The text ${shown(find)} is not in the prose of ${visibleName(page.path)}; case matters.`);
  if (others.length > 0) {
    throw new ToolRefusal(
      `The text ${shown(find)} is ${others.length + 1} times in ${visibleName(page.path)}. Include more of the surrounding text.`,
    );
  }
  const after = { ...page, text: applyTextEdits(page.text, [removal(page.text, first)]) };
  after.facts = readPageFacts(after.text, dialectOf(session.docs.site, page.path)!);
  mustParse(page, after);
  return finished(session, page.path, new Map([[page.path, after.text]]), []);
}

function removeEverywhere({ find = '', path: only }: Input, session: ToolSession): ToolOutcome {
  const texts = new Map<string, string>();
  const paths =
    only === undefined ? Array.from(session.docs.pages(), (page) => page.path) : [resolveFile(session, only)];
  for (const path of paths) {
    if (!pageFormatOf(path) || !session.workspace.inDocsDir(path)) continue;
    if (only === undefined && isMeta(session.docs.site, path)) continue;
    const page = pageAt(session, path);
    const places = passagesOf(page.text, page.facts, find);
    if (places.length === 0) continue;
    const after = {
      ...page,
      text: applyTextEdits(
        page.text,
        places.map((place) => removal(page.text, place)),
      ),
    };
    after.facts = readPageFacts(after.text, dialectOf(session.docs.site, path)!);
    mustParse(page, after);
    texts.set(path, after.text);
  }
  const [first] = texts.keys();
  if (first === undefined) {
    const where = only === undefined ? 'in the prose of no page' : `not in the prose of ${visibleName(only)}`;
    throw new ToolRefusal(`The text ${shown(find)} is ${where}; case matters.`);
  }
  return finished(session, first, texts, []);
}

/** Below front matter, imports and the first heading of the page's title. */
function addOpening({ path, text = '' }: Input, session: ToolSession): ToolOutcome {
  const page = pageAt(session, resolveFile(session, path ?? ''));
  const start = page.facts.frontMatter?.end ?? 0;
  const [head] = /^(?:[ \t]*\r?\n|(?:import|export) [^\n]*\n)*(?:# [^\n]*\n(?:[ \t]*\r?\n)*)?/.exec(
    page.text.slice(start),
  ) ?? [''];
  const at = start + head.length;
  const lineBreak = lineBreakOf(page.text);
  const before = page.text.slice(0, at);
  const gap = before === '' || /\n[ \t]*\r?\n$/.test(before) ? '' : lineBreak.repeat(before.endsWith('\n') ? 1 : 2);
  const added = gap + withLineBreaks(text.trim(), lineBreak) + lineBreak.repeat(2);
  const after = { ...page, text: applyTextEdits(page.text, [{ start: at, end: at, text: added }]) };
  after.facts = readPageFacts(after.text, dialectOf(session.docs.site, page.path)!);
  mustParse(page, after);
  return finished(session, page.path, new Map([[page.path, after.text]]), []);
}

/** A part is delimited by headings only: if it is cut out of tags that enclose it, these would stay open. */
function mustParse(before: Page, after: Page): void {
  const { notRead } = after.facts;
  if (notRead && !before.facts.notRead) {
    throw new ToolRefusal(`${visibleName(before.path)} can no longer be read: it ${notRead.why}`);
  }
  if (after.facts.problems.length <= before.facts.problems.length) return;
  const [problem] = after.facts.problems;
  throw new ToolRefusal(`${visibleName(before.path)} would no longer be a complete page: ${problem!.message}`);
}

function notesOf(texts: ReadonlyMap<string, string>, own: string, before: Page, after: Page): string[] {
  const others = [...texts.keys()].filter((path) => path !== own && pageFormatOf(path)).length;
  const ids = after.facts.headings.length < before.facts.headings.length ? 'that led there' : 'with the old anchor';
  return others > 0 ? [`links ${ids} updated in ${plural(others, 'other page')}`] : [];
}

/** The page is named first. Unchanged files are not written. */
function finished(
  session: ToolSession,
  path: string,
  texts: ReadonlyMap<string, string>,
  notes: string[],
): ToolOutcome {
  const { workspace } = session;
  const write = new Map([...texts].filter(([file, text]) => workspace.readText(file) !== text));
  const outside = [...write.keys()].filter((file) => !workspace.mayWrite(file));
  if (outside.length > 0 && write.has(path) && workspace.mayWrite(path)) {
    for (const file of outside) write.delete(file);
  }
  session.change({ write });
  const name = visibleName(path);
  const left =
    outside.length > 0
      ? [`links in ${listed(outside.map(visibleName), 5)} were left alone: outside the folder that may be changed`]
      : [];
  const all = [...notes, ...left];
  return {
    text:
      write.size === 0
        ? `${name} is already as requested.`
        : `Changed ${name}${all.length > 0 ? `: ${all.join(', ')}` : ''}.`,
    changed: [...write.keys()],
    data: { tool: 'amend', path, notes: all },
  };
}

function place({ path }: Page, { line }: Heading): string {
  return `${visibleName(path)}:${line}`;
}

function shown(text: string): string {
  const line = withoutInvisible(text).replace(/\s+/g, ' ').trim();
  return JSON.stringify(line.length > 100 ? `${line.slice(0, 100)}…` : line);
}
