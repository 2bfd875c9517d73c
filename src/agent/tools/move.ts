import { basename, join } from 'node:path/posix';
import { z } from 'zod';
import { addressChange, ConfigEditor, type AddressChange } from '../content/config-editor.ts';
import { pageFormatOf } from '../content/page-format.ts';
import { isBelow, isPartial } from '../content/site.ts';
import { visibleName } from '../visible-text.ts';
import { plural } from './bounded-output.ts';
import { byHandLines, generatorMoves } from './generator-changes.ts';
import { findFile, findFolder, resolveFile, resolveNewPath } from './page-reference.ts';
import { relinked } from './relink.ts';
import { defineTool, ToolRefusal } from './tool.ts';
import { changedLine, type ToolSession } from './tool-session.ts';

const schema = z.strictObject({
  from: z.string().min(1).max(2_000).describe('The page, image, other file or folder to move.'),
  to: z.string().min(1).max(2_000).describe('Its new path. Without an extension it keeps the one it has.'),
  overwrite: z.boolean().optional().describe('Replace a file that is at the new path.'),
});

export const moveTool = defineTool({
  name: 'move',
  description:
    'Moves or renames a page, another file or a folder. Links to and from it, images and navigation entries follow, and the old address gets a redirect where the site has a configuration for it.',
  schema,
  example: { from: 'guides/old.mdx', to: 'guides/new.mdx' },
  run({ from, to, overwrite = false }, session) {
    const moves = movesOf(session, from, to);
    if (moves.size > session.policy.maxFiles) {
      throw new ToolRefusal(
        `${visibleName(from)} has ${moves.size} files; at most ${session.policy.maxFiles} may be changed at a time.`,
      );
    }
    const pending = new Map([...moves].filter(([old]) => session.workspace.exists(old)));
    const clear = makeRoom(session, pending, overwrite);
    return carryOut(session, moves, pending, clear);
  },
});

/** Old paths to new ones. A move that was made before is named again, so that what it left behind can be put right. */
function movesOf(session: ToolSession, from: string, to: string): Map<string, string> {
  const file = findFile(session, from);
  const folder = file === null ? findFolder(session, from) : null;
  if (folder !== null && folder !== '') return folderMoves(session, folder, to);
  const source = file ?? gone(session, from, to) ?? resolveFile(session, from);
  const wanted = /[/]$/.test(to)
    ? join(resolveNewPath(session, `${to}x.x`), '..', basename(source))
    : resolveNewPath(session, to, source);
  if (wanted === source) throw new ToolRefusal(`${visibleName(source)} is there already.`);
  if (pageFormatOf(source) && !pageFormatOf(wanted)) {
    throw new ToolRefusal(`${visibleName(wanted)} would be no page any more. Keep .md or .mdx.`);
  }
  const { site } = session.docs;
  if (source === site.configPath)
    throw new ToolRefusal(`${visibleName(source)} is the site's configuration and must stay.`);
  if (site.config && pageFormatOf(source) && isBelow(source, site.root) && !isBelow(wanted, site.root)) {
    throw new ToolRefusal(`${visibleName(wanted)} is outside the site, which is in ${site.root}/.`);
  }
  return new Map([[source, wanted]]);
}

function folderMoves(session: ToolSession, folder: string, to: string): Map<string, string> {
  const { site } = session.docs;
  const bare = to.trim().replace(/^[./]+|\/+$/g, '');
  const inRoot = site.root === '' || bare.startsWith(`${site.root}/`) || !folder.startsWith(`${site.root}/`);
  const target = inRoot ? bare : join(site.root, bare);
  if (target === '' || target === folder || `${target}/`.startsWith(`${folder}/`)) {
    throw new ToolRefusal(`The folder ${visibleName(folder)} cannot be moved to ${visibleName(to)}.`);
  }
  const inside = session.workspace.paths().filter((path) => path.startsWith(`${folder}/`));
  return new Map(inside.map((path) => [path, target + path.slice(folder.length)]));
}

/** A file of the base tree that is not at its place any more, while the new place has one. */
function gone(session: ToolSession, from: string, to: string): string | null {
  const wanted = from.trim().replace(/^[./]+/, '');
  const { root } = session.docs.site;
  const old = ['', '.mdx', '.md']
    .flatMap((ending) => [wanted + ending, join(root, wanted + ending)])
    .find((path) => session.base.file(path) !== undefined && !session.workspace.exists(path));
  return old !== undefined && session.workspace.exists(resolveNewPath(session, to, old)) ? old : null;
}

/** The files that have to go first. */
function makeRoom(session: ToolSession, moves: ReadonlyMap<string, string>, overwrite: boolean): string[] {
  const taken = [...moves.values()].filter((to) => session.workspace.exists(to) && !moves.has(to));
  for (const to of taken) {
    if (overwrite && session.workspace.kind(to) === 'text') continue;
    throw new ToolRefusal(`${visibleName(to)} exists already. Choose another path.`);
  }
  return taken;
}

function carryOut(
  session: ToolSession,
  moves: ReadonlyMap<string, string>,
  pending: ReadonlyMap<string, string>,
  clear: readonly string[],
): string {
  const { workspace } = session;
  const docs = session.docs.assuming([...moves.keys()]);
  const { site } = docs;
  const links = relinked(docs, moves, (path) => workspace.readText(path));
  const write = new Map([...links.texts].map(([path, text]) => [moves.get(path) ?? path, text]));
  const notes = [plural(links.links, 'link') + ' updated'];
  if (site.config && site.config.problems.length === 0) {
    const editor = new ConfigEditor(site);
    const entries = editor.renameEntries(moves) + editor.relink(moves);
    const added = editor.redirect(addresses(session, moves), knownAddresses(session, moves));
    for (const [path, text] of editor.changed()) write.set(moves.get(path) ?? path, text);
    notes.push(`${plural(entries, 'navigation entry', 'navigation entries')} updated`);
    if (added.length > 0) notes.push(`${plural(added.length, 'redirect')} added`);
  } else if (site.config) notes.push(`${site.configPath} is not valid and was left alone`);
  const generated = generatorMoves(docs, moves, session);
  for (const [path, text] of generated.texts) write.set(moves.get(path) ?? path, text);
  notes.push(...generated.notes);
  session.change({ clear, move: pending, write });
  const [[first, last]] = moves as unknown as [[string, string]];
  const what = moves.size === 1 ? visibleName(first) : plural(moves.size, 'file');
  const changed = new Set([...pending].flat().concat([...write.keys()]));
  const done = pending.size > 0 ? 'Moved' : 'Already moved:';
  return [
    `${done} ${what} to ${visibleName(moves.size === 1 ? last : folderOfMove(last))}: ${notes.join(', ')}.`,
    ...byHandLines(generated),
    changedLine([...changed]),
  ].join('\n');
}

function folderOfMove(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

function addresses(session: ToolSession, moves: ReadonlyMap<string, string>): AddressChange[] {
  const { site } = session.docs;
  return [...moves]
    .filter(([from]) => pageFormatOf(from) && !isPartial(site, from))
    .map(([from, to]) => addressChange(site, from, to));
}

/** Addresses that readers have now: those of pages that are in the base tree. */
function knownAddresses(session: ToolSession, moves: ReadonlyMap<string, string>): Set<string> {
  const { site } = session.docs;
  const known = [...moves].filter(([from]) => session.base.file(from) !== undefined);
  return new Set(known.map(([from, to]) => addressChange(site, from, to).from));
}
