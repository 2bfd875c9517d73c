import { basename, extname, join } from 'node:path/posix';
import { z } from 'zod';
import { addressChange, ConfigEditor, type AddressChange } from '@docent/docs-check/read/config-editor';
import { pageExtensionOf, pageFormatOf } from '@docent/docs-check/read/page-format';
import { isBelow, isPartial } from '@docent/docs-check/read/site';
import { visibleName } from '@docent/docs-check/read/visible-text';
import { plural } from '@docent/base/plural';
import { hidden } from './call-form.ts';
import { manualStepLines, generatorMoves, toDoOf } from './generator-changes.ts';
import { resolveNewFolder, resolveNewPath } from './new-path.ts';
import { findFolder, findSubject, goneFile, resolveFile } from './page-reference.ts';
import { relinked } from './relink.ts';
import { defineTool, ToolRefusal, type ToolOutcome } from './tool.ts';
import type { DataOf } from '@docent/models/conversation/tool-data';
import type { ToolSession } from './tool-session.ts';

const schema = z.strictObject({
  from: z
    .string()
    .min(1)
    .max(2_000)
    .describe('The page, image, other file or folder to move. A folder ends in a slash.'),
  to: z
    .string()
    .min(1)
    .max(2_000)
    .describe(
      'Its new path. Without an extension it keeps the one it has. With a trailing slash: the folder to move it into.',
    ),
  /** A page moves, not a folder. */
  page: z.boolean().optional().meta(hidden),
  overwrite: z.boolean().optional().describe('Replace a file that is at the new path.'),
});

export const moveTool = defineTool({
  name: 'move',
  description:
    'Moves or renames a page, another file or a folder. Links to and from it, images and navigation ' +
    'entries follow, and the old address gets a redirect where the site has a configuration for it.',
  schema,
  example: { from: 'guides/old.mdx', to: 'guides/new.mdx' },
  run({ from, to, overwrite = false, page = false }, session) {
    const moves = movesOf(session, from, to, page);
    const pending = new Map([...moves].filter(([old]) => session.workspace.exists(old)));
    // A file that moves is gone from one path and new at another: the limit counts both.
    if (pending.size * 2 > session.policy.maxFiles) {
      throw new ToolRefusal(
        `${visibleName(from)} has ${pending.size} files, each of which changes at its old and at its new ` +
          `path; at most ${session.policy.maxFiles} files may be changed at a time. Move parts of it.`,
      );
    }
    const clear = makeRoom(session, pending, overwrite);
    return carryOut(session, moves, pending, clear);
  },
});

/** Old paths to new ones, including of an earlier move, so that what it left behind can be fixed. */
function movesOf(session: ToolSession, from: string, to: string, isPage: boolean): Map<string, string> {
  const subject = findSubject(session, from, isPage);
  if (subject?.kind === 'folder') return folderMoves(session, subject.path, to);
  if (subject === null && !isPage) {
    const before = goneFolder(session, from, to);
    if (before) return before;
  }
  const source = subject?.path ?? moved(session, from, to) ?? resolveFile(session, from);
  const wanted = /[/]$/.test(to)
    ? join(resolveNewPath(session, `${to}x.md`), '..', basename(source))
    : resolveNewPath(session, requireFilePath(session, to, source), source);
  if (wanted === source) throw new ToolRefusal(`${visibleName(source)} is there already.`);
  if (pageFormatOf(source) && !pageFormatOf(wanted)) {
    throw new ToolRefusal(`${visibleName(wanted)} would no longer be a page. Keep .md or .mdx.`);
  }
  const { site } = session.docs;
  if (source === site.configPath)
    throw new ToolRefusal(`${visibleName(source)} is the site's configuration and must stay.`);
  mustStayInSite(session, source, wanted);
  return new Map([[source, wanted]]);
}

/** A page that leaves the site is lost to its readers. */
function mustStayInSite(session: ToolSession, from: string, to: string): void {
  const { site } = session.docs;
  if (!pageFormatOf(from)) return;
  const isLost = site.generator
    ? site.generator.isPage(from) && !site.generator.isPage(to)
    : site.config && isBelow(from, site.root) && !isBelow(to, site.root);
  if (isLost) throw new ToolRefusal(`${visibleName(to)} is outside the site, which is in ${visibleName(site.root)}/.`);
}

/** "To guides" may mean a page beside the folder guides/, or its place in there. */
function requireFilePath(session: ToolSession, to: string, source: string): string {
  const folder = pageExtensionOf(to) === '' ? findFolder(session, to) : null;
  if (folder === null || folder === '') return to;
  const inside = visibleName(join(folder, basename(source)));
  const beside = visibleName(folder + extname(source));
  throw new ToolRefusal(
    `${visibleName(folder)}/ is a folder. Write ${visibleName(`${folder}/`)} to move it in there, to ${inside}, or ${beside} for a file beside that folder.`,
  );
}

function folderMoves(session: ToolSession, folder: string, to: string): Map<string, string> {
  const { site } = session.docs;
  const inside = session.workspace.paths().filter((path) => path.startsWith(`${folder}/`));
  const content = site.generator?.content ?? [site.root];
  if (content.some((own) => own === folder || isBelow(own, folder))) {
    throw new ToolRefusal(`${visibleName(folder)}/ is where the site is, and must stay. Name a folder in it.`);
  }
  const target = folderTarget(session, folder, to);
  const config = inside.find((path) => path === site.configPath || site.generator?.texts.has(path));
  if (config) {
    throw new ToolRefusal(
      `${visibleName(folder)}/ holds ${visibleName(config)}, which configures the site and must stay.`,
    );
  }
  const moves = inside.map((path): [string, string] => [path, target + path.slice(folder.length)]);
  for (const [from, wanted] of moves) mustStayInSite(session, from, wanted);
  return new Map(moves);
}

/** With a trailing slash, an existing folder is the one to move into. Any other is the folder's new path. */
function folderTarget(session: ToolSession, folder: string, to: string): string {
  const wanted = resolveNewFolder(session, to, folder);
  const isThere = wanted === '' || session.workspace.kind(wanted) === 'folder';
  const inside = join(wanted, basename(folder));
  if (isThere && !/\/\s*$/.test(to) && wanted !== folder && !isBelow(wanted, folder)) {
    throw new ToolRefusal(
      `${visibleName(wanted)}/ is already a folder. Write ${visibleName(inside)} to move ` +
        `${visibleName(folder)}/ in there, or a path that is not taken.`,
    );
  }
  const target = isThere && wanted !== folder ? inside : wanted;
  if (target === folder || target === '' || isBelow(target, folder)) {
    throw new ToolRefusal(
      `The folder ${visibleName(folder)}/ cannot be moved to ${visibleName(target)}/, which is the folder itself or inside it.`,
    );
  }
  return target;
}

/** A folder of the base tree whose files have all moved, so that links which the move missed can be fixed. */
function goneFolder(session: ToolSession, from: string, to: string): Map<string, string> | null {
  const { root } = session.docs.site;
  const bare = from.trim().replace(/^[./]+|\/+$/g, '');
  for (const folder of new Set([bare, join(root, bare)])) {
    const before = session.base.files().filter(({ path }) => path.startsWith(`${folder}/`));
    if (before.length === 0 || session.workspace.kind(folder) === 'folder') continue;
    const wanted = resolveNewFolder(session, to, folder);
    for (const target of [wanted, join(wanted, basename(folder))]) {
      const moves = before.map(({ path }): [string, string] => [path, target + path.slice(folder.length)]);
      if (moves.every(([, now]) => session.workspace.exists(now))) return new Map(moves);
    }
  }
  return null;
}

/** A file that was moved before, so that the new place has one. */
function moved(session: ToolSession, from: string, to: string): string | null {
  const old = goneFile(session, from);
  return old !== null && session.workspace.exists(resolveNewPath(session, to, old)) ? old : null;
}

/** The files that have to go first. */
function makeRoom(session: ToolSession, moves: ReadonlyMap<string, string>, overwrite: boolean): string[] {
  const taken = [...moves.values()].filter((to) => session.workspace.exists(to) && !moves.has(to));
  for (const to of taken) {
    if (overwrite && session.workspace.kind(to) === 'text') continue;
    throw new ToolRefusal(`${visibleName(to)} already exists. Choose another path.`);
  }
  return taken;
}

function carryOut(
  session: ToolSession,
  moves: ReadonlyMap<string, string>,
  pending: ReadonlyMap<string, string>,
  clear: readonly string[],
): ToolOutcome {
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
  const subject = subjectOf(moves);
  const done = pending.size > 0 ? 'Moved' : 'Already moved:';
  return {
    text: [`${done} ${subjectText(subject)}: ${notes.join(', ')}.`, ...manualStepLines(generated)].join('\n'),
    changed: [...new Set([...pending].flat().concat([...write.keys()]))],
    data: { tool: 'move', ...subject, notes, toDo: toDoOf(generated) },
  };
}

type Subject = Pick<DataOf<'move'>, 'from' | 'to' | 'files'>;

/** A file by its paths; a folder by its own, if all its files keep the rest of their paths. */
function subjectOf(moves: ReadonlyMap<string, string>): Subject {
  const [[first, last] = ['', '']] = moves;
  if (moves.size === 1) return { from: first, to: last, files: null };
  const [old, now] = [first.split('/'), last.split('/')];
  const isOf = (folder: readonly string[]) =>
    [...moves.keys()].every((path) => path.startsWith(`${folder.join('/')}/`));
  do {
    old.pop();
    now.pop();
  } while (!isOf(old));
  return { from: old.join('/'), to: now.join('/'), files: moves.size };
}

function subjectText({ from, to, files }: Subject): string {
  return files === null
    ? `${visibleName(from)} to ${visibleName(to)}`
    : `${visibleName(from)}/ with its ${plural(files, 'file')} to ${visibleName(to)}/`;
}

function addresses(session: ToolSession, moves: ReadonlyMap<string, string>): AddressChange[] {
  const { site } = session.docs;
  return [...moves]
    .filter(([from]) => pageFormatOf(from) && !isPartial(site, from))
    .map(([from, to]) => addressChange(site, from, to));
}

/** The current addresses of pages: those in the base tree. */
function knownAddresses(session: ToolSession, moves: ReadonlyMap<string, string>): Set<string> {
  const { site } = session.docs;
  const known = [...moves].filter(([from]) => session.base.file(from) !== undefined);
  return new Set(known.map(([from, to]) => addressChange(site, from, to).from));
}
