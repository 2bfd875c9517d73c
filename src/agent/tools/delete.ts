import { join } from 'node:path/posix';
import { z } from 'zod';
import { addressChange, ConfigEditor } from '../content/config-editor.ts';
import type { DocsSite } from '../content/docs-site.ts';
import { pageFormatOf } from '../content/page-format.ts';
import { applyTextEdits, type TextEdit } from '../content/text-edits.ts';
import { visibleName } from '../visible-text.ts';
import { listed, plural } from './bounded-output.ts';
import { findFile, resolveFile } from './page-reference.ts';
import { relinked } from './relink.ts';
import { defineTool, ToolRefusal } from './tool.ts';
import { changedLine, type ToolSession } from './tool-session.ts';

const schema = z.strictObject({
  path: z.string().min(1).max(2_000).describe('The page or other file to delete.'),
  redirectTo: z.string().max(2_000).optional().describe('A page that takes its place: links and a redirect go there.'),
  unlink: z.boolean().optional().describe('Turn Markdown links to it into plain text.'),
});

export const deleteTool = defineTool({
  name: 'delete',
  description: 'Deletes a file and its navigation entries. Says which pages still link to it.',
  schema,
  run({ path: reference, redirectTo, unlink = false }, session) {
    const { workspace } = session;
    const path = findFile(session, reference) ?? gone(session, reference) ?? resolveFile(session, reference);
    if (path === session.docs.site.configPath) {
      throw new ToolRefusal(`${visibleName(path)} is the site's configuration and must stay.`);
    }
    const successor = redirectTo === undefined ? null : resolveFile(session, redirectTo);
    if (successor === path) throw new ToolRefusal('A page cannot take its own place. Name another one in redirectTo.');
    const exists = workspace.exists(path);
    const docs = session.docs.assuming([path]);
    const links = successor === null ? unlinked(docs, path, unlink, session) : followed(docs, path, successor, session);
    const config = changeConfig(docs, path, successor, session);
    const write = new Map([...links.texts, ...config.texts]);
    write.delete(path);
    session.change({ write, remove: exists ? [path] : [] });
    const notes = [...links.notes, ...config.notes].join(', ');
    const still = session.docs
      .assuming([path])
      .linksTo(path)
      .filter(({ page }) => page !== path);
    const places = still.map(({ page, link }) => `${visibleName(page)}:${link.line}`);
    return [
      `${exists ? 'Deleted' : 'Already deleted:'} ${visibleName(path)}${notes ? `: ${notes}` : ''}.`,
      ...(still.length > 0 ? [`Still linked from ${listed(places, 50)}.`] : []),
      changedLine([...(exists ? [path] : []), ...write.keys()]),
    ].join('\n');
  },
});

/** A file of the base tree that is deleted already. */
function gone(session: ToolSession, reference: string): string | null {
  const wanted = reference.trim().replace(/^[./]+/, '');
  const candidates = ['', '.mdx', '.md'].flatMap((end) => [wanted + end, join(session.docs.site.root, wanted + end)]);
  return candidates.find((path) => session.base.file(path) && !session.workspace.exists(path)) ?? null;
}

interface Change {
  texts: Map<string, string>;
  notes: string[];
}

function followed(docs: DocsSite, path: string, successor: string, session: ToolSession): Change {
  const { texts, links } = relinked(docs, new Map([[path, successor]]), (page) => session.workspace.readText(page));
  texts.delete(path);
  return { texts, notes: links > 0 ? [`${plural(links, 'link')} now lead to ${visibleName(successor)}`] : [] };
}

function unlinked(docs: DocsSite, path: string, unlink: boolean, session: ToolSession): Change {
  const edits = new Map<string, TextEdit[]>();
  const texts = new Map<string, string>();
  if (!unlink) return { texts, notes: [] };
  for (const { page, link } of docs.linksTo(path)) {
    const text = session.workspace.readText(page);
    if (page === path || !link.whole || !link.text || text === null) continue;
    const [start, end] = link.whole;
    const plain = text.slice(...link.text);
    edits.set(page, [...(edits.get(page) ?? []), { start, end, text: plain }]);
  }
  for (const [page, own] of edits) texts.set(page, applyTextEdits(session.workspace.readText(page)!, own));
  const count = [...edits.values()].flat().length;
  return { texts, notes: count > 0 ? [`${plural(count, 'link')} turned into plain text`] : [] };
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
