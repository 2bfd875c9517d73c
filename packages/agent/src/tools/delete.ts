import { z } from 'zod';
import { addressChange, ConfigEditor } from '@docent/docs-check/read/config-editor';
import type { DocsSite } from '@docent/docs-check/read/docs-site';
import type { LinkReference, PageLink, Range } from '@docent/docs-check/read/page-facts';
import { pageFormatOf } from '@docent/docs-check/read/page-format';
import { applyTextEdits, type TextEdit } from '@docent/docs-check/read/text-edits';
import { visibleName } from '@docent/docs-check/read/visible-text';
import { plural } from '@docent/base/plural';
import { some, someText } from './bounded-output.ts';
import { hidden } from './call-form.ts';
import { manualStepLines, generatorRemoval, toDoOf } from './generator-changes.ts';
import { lineEnd, lineStart } from './line-bounds.ts';
import { findSubject, goneFile, resolveFile } from './page-reference.ts';
import { relinked } from './relink.ts';
import { defineTool, ToolRefusal } from './tool.ts';
import type { ToolSession } from './tool-session.ts';

const schema = z.strictObject({
  path: z.string().min(1).max(2_000).describe('The page or other file to delete.'),
  redirectTo: z.string().max(2_000).optional().describe('A page that takes its place: links and a redirect go there.'),
  /** The path is that of a page, not of a folder. */
  page: z.boolean().optional().meta(hidden),
  unlink: z.boolean().optional().describe('Turn Markdown links to it into plain text.'),
});

export const deleteTool = defineTool({
  name: 'delete',
  description: 'Deletes a file and its navigation entries. Lists the pages that still link to it.',
  schema,
  example: { path: 'guides/old.mdx', redirectTo: 'guides/new.mdx' },
  run({ path: reference, redirectTo, unlink = false, page = false }, session) {
    const { workspace } = session;
    const path = subject(session, reference, page);
    if (path === session.docs.site.configPath) {
      throw new ToolRefusal(`${visibleName(path)} is the site's configuration and must stay.`);
    }
    const successor = redirectTo === undefined ? null : resolveFile(session, redirectTo);
    if (successor === path) throw new ToolRefusal('A page cannot take its own place. Name another one in redirectTo.');
    const exists = workspace.exists(path);
    const docs = session.docs.assuming([path]);
    const links = successor === null ? unlinked(docs, path, unlink, session) : followed(docs, path, successor, session);
    const config = changeConfig(docs, path, successor, session);
    const generated = generatorRemoval(docs, path, successor, session);
    const write = new Map([...links.texts, ...config.texts, ...generated.texts]);
    write.delete(path);
    session.change({ write, remove: exists ? [path] : [] });
    const notes = [...links.notes, ...config.notes, ...generated.notes];
    const still = session.docs
      .assuming([path])
      .linksTo(path)
      .filter(({ page }) => page !== path);
    const places = still.map(({ page, link }) => `${visibleName(page)}:${link.line}`);
    const stillLinked = some(places, 50);
    return {
      text: [
        `${exists ? 'Deleted' : 'Already deleted:'} ${visibleName(path)}${notes.length > 0 ? `: ${notes.join(', ')}` : ''}.`,
        ...manualStepLines(generated),
        ...(still.length > 0 ? [`Still linked from ${someText(stillLinked)}.`] : []),
      ].join('\n'),
      changed: [...(exists ? [path] : []), ...write.keys()],
      data: { tool: 'delete', path, notes, toDo: toDoOf(generated), stillLinked },
    };
  },
});

function subject(session: ToolSession, reference: string, isPage: boolean): string {
  const found = findSubject(session, reference, isPage);
  if (found?.kind === 'folder') {
    const name = visibleName(`${found.path}/`);
    throw new ToolRefusal(`${name} is a folder, and one file is deleted at a time. Name each; list shows them.`);
  }
  return found?.path ?? goneFile(session, reference) ?? resolveFile(session, reference);
}

interface Change {
  texts: Map<string, string>;
  notes: string[];
}

function followed(docs: DocsSite, path: string, successor: string, session: ToolSession): Change {
  const read = (page: string) => session.workspace.readText(page);
  // A heading of the old page is rarely one of the new page too.
  const keepsHash = (to: string, hash: string) => to !== successor || docs.anchors(to).has(hash);
  const { texts, links } = relinked(docs, new Map([[path, successor]]), read, keepsHash);
  texts.delete(path);
  const now = `${plural(links, 'link')} now ${links === 1 ? 'leads' : 'lead'} to ${visibleName(successor)}`;
  return { texts, notes: links > 0 ? [now] : [] };
}

function unlinked(docs: DocsSite, path: string, unlink: boolean, session: ToolSession): Change {
  const texts = new Map<string, string>();
  let count = 0;
  const pages = unlink ? new Set(docs.linksTo(path).map(({ page }) => page)) : [];
  for (const page of pages) {
    const text = session.workspace.readText(page);
    const facts = docs.facts(page);
    if (page === path || text === null || !facts) continue;
    const leading = facts.links.filter((link) => {
      const resolved = docs.resolver.resolve(page, link.target, link);
      return resolved.kind === 'file' && resolved.path === path;
    });
    const edits = unlinkEdits(text, leading, facts.references);
    if (edits.edits.length > 0) texts.set(page, applyTextEdits(text, edits.edits));
    count += edits.count;
  }
  return { texts, notes: count > 0 ? [`${plural(count, 'link')} turned into plain text`] : [] };
}

/** Links become their text; a definition is removed with all links that refer to it. */
function unlinkEdits(
  text: string,
  links: readonly PageLink[],
  references: readonly LinkReference[],
): { edits: TextEdit[]; count: number } {
  const defined = new Set(links.map(({ definition }) => definition).filter((name) => name !== undefined));
  const plain = [...links, ...references.filter(({ definition }) => defined.has(definition))];
  const edits = plain.flatMap(({ whole, text: inside }): TextEdit[] => {
    return whole && inside ? [{ start: whole[0], end: whole[1], text: text.slice(...inside) }] : [];
  });
  const count = edits.length;
  for (const { definition, whole } of links) if (definition !== undefined && whole) edits.push(removeLine(text, whole));
  // If a link is in the text of another one, the outer one is kept whole.
  const outer = edits.filter(
    (edit) => !edits.some((other) => other !== edit && other.start <= edit.start && other.end >= edit.end),
  );
  return { edits: outer, count };
}

/** The definition's line, and the blank line before it if another follows. */
function removeLine(text: string, [start, end]: Range): TextEdit {
  const from = lineStart(text, start);
  const to = Math.min(text.length, lineEnd(text, end) + 1);
  const blankBefore = /\n[ \t]*\r?\n$/.exec(text.slice(0, from));
  const blankAfter = to === text.length || /^[ \t]*\r?\n/.test(text.slice(to));
  return { start: blankBefore && blankAfter ? from - blankBefore[0].length + 1 : from, end: to, text: '' };
}

function changeConfig(docs: DocsSite, path: string, successor: string | null, session: ToolSession): Change {
  const { site } = docs;
  if (!site.config || !pageFormatOf(path)) return { texts: new Map(), notes: [] };
  if (site.config.problems.length > 0) {
    return { texts: new Map(), notes: [`${site.configPath} is not valid and was left alone`] };
  }
  const editor = new ConfigEditor(site);
  const entries = editor.removeEntries(path);
  const notes = entries > 0 ? [`${plural(entries, 'navigation entry', 'navigation entries')} removed`] : [];
  if (successor !== null) {
    editor.relink(new Map([[path, successor]]));
    const change = addressChange(site, path, successor);
    const known = new Set(session.base.file(path) ? [change.from] : []);
    if (editor.redirect([change], known).length > 0) notes.push(`redirect to ${change.to} added`);
  }
  return { texts: editor.changed(), notes };
}
