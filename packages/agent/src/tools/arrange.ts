import { basename } from 'node:path/posix';
import { z } from 'zod';
import { ConfigEditor } from '@docent/docs-check/read/config-editor';
import { GeneratorEditor } from '@docent/docs-check/read/generator-editor';
import { navigationLists, type NavigationItem, type NavigationList } from '@docent/docs-check/read/navigation-items';
import { movedToEnd, renamedGroup, reordered } from '@docent/docs-check/read/navigation-order';
import { visibleName, withoutInvisible } from '@docent/docs-check/read/visible-text';
import { canonical } from '@docent/base/canonical';
import { excerpt, listed } from './bounded-output.ts';
import { findFile, resolveFile } from './page-reference.ts';
import { defineTool, ToolRefusal, type ToolOutcome } from './tool.ts';
import type { ToolSession } from './tool-session.ts';

const what = z.enum(['page', 'group']).optional();

const schema = z.strictObject({
  item: z.string().min(1).max(2_000).describe('A page, or the name of a group of the navigation.'),
  kind: what,
  rename: z.string().min(1).max(500).optional().describe('The new name of the group.'),
  remove: z.boolean().optional().describe('Take the page out of the navigation. The page itself stays.'),
  place: z.enum(['before', 'after', 'first', 'last']).optional(),
  beside: z.string().max(2_000).optional().describe('With before and after: the page or group next to which it goes.'),
  besideKind: what,
  group: z.string().max(500).optional().describe('With first and last: the group.'),
});

type Input = z.infer<typeof schema>;

/** Renames groups and reorders the navigation. Not advertised to models: they edit its file. */
export const arrangeTool = defineTool<Input>({
  name: 'arrange',
  description: 'Renames a group of the navigation, or moves a page or group within it.',
  schema,
  example: { item: 'guides/start', place: 'before', beside: 'guides/install' },
  run(input, session) {
    const lists = navigationLists(session.docs);
    if (lists.length === 0) throw new ToolRefusal(whyNot(session));
    if (input.remove) return unlist(input, session);
    return input.rename === undefined ? place(input, lists, session) : rename(input, input.rename, lists, session);
  },
});

function whyNot({ docs: { site } }: ToolSession): string {
  const path = site.config ? site.configPath : (site.generator?.navigation?.edit?.path ?? null);
  if (site.config) return `${visibleName(path ?? '')} is not valid, so the navigation cannot be changed.`;
  if (path !== null) {
    const how = /\.[cm]?[jt]sx?$/.test(path)
      ? 'as code, which is not for this editor to change'
      : 'in a form that cannot be edited by line';
    return `The navigation is in ${visibleName(path)}, ${how}: change it there yourself.`;
  }
  return site.kind === 'plain'
    ? 'These files are not a site with a navigation.'
    : 'The site has no navigation file: the site generator creates the navigation from the files.';
}

function rename(
  { item, kind }: Input,
  to: string,
  lists: readonly NavigationList[],
  session: ToolSession,
): ToolOutcome {
  if (kind === 'page') throw new ToolRefusal('A page is renamed in its own file.');
  const name = to.replace(/\s+/g, ' ').trim();
  const groups = groupsNamed(lists, item);
  const [group] = groups;
  if (!group) {
    if (groupsNamed(lists, name).length === 1) return done(session, new Map(), `The group is called “${name}” already`);
    throw new ToolRefusal(noGroup(item, lists));
  }
  assertOneItem(groups, item);
  const { path } = group.list;
  const text = renamedGroup(textOf(session, path), group, name);
  return done(session, new Map([[path, text]]), `Renamed ${nameOf(group)} to “${name}”`);
}

function unlist({ item }: Input, session: ToolSession): ToolOutcome {
  const path = resolveFile(session, item);
  const { site } = session.docs;
  const editor = site.config ? new ConfigEditor(site) : GeneratorEditor.of(session.docs, new Map());
  if (!editor || editor.removeEntries(path) === 0) {
    throw new ToolRefusal(`${visibleName(path)} is not in a navigation that can be edited.`);
  }
  return done(session, editor.changed(), `Took ${visibleName(path)} out of the navigation`);
}

function place(input: Input, lists: readonly NavigationList[], session: ToolSession): ToolOutcome {
  const beside = input.beside === undefined ? null : oneOf(input.beside, input.besideKind, lists, session, null);
  const owner = input.group === undefined ? null : groupOf(input, input.group, lists, session);
  const target = beside?.list ?? (owner && listOf(owner, lists));
  const item = oneOf(input.item, input.kind, lists, session, target);
  const list = target ?? item.list;
  const before = input.place === 'before' || input.place === 'first';
  if (beside === item) throw new ToolRefusal('It cannot be placed next to itself.');
  const where = beside
    ? `${before ? 'before' : 'after'} ${nameOf(beside)}`
    : `to the ${before ? 'top' : 'end'}${owner ? ` of ${nameOf(owner)}` : ''}`;
  const report = `Moved ${nameOf(item)} ${where} in the navigation`;
  if (list === item.list) {
    const others = list.items.filter((one) => one !== item);
    const at = beside ? others.indexOf(beside) + (before ? 0 : 1) : before ? 0 : others.length;
    const order = [...others.slice(0, at), item, ...others.slice(at)];
    return done(session, new Map([[list.path, reordered(textOf(session, list.path), list, order)]]), report);
  }
  if (item.name)
    throw new ToolRefusal(
      `${nameOf(item)} is in another part of the navigation than its new place. Groups change their order where they are.`,
    );
  const gone = item.list.items.length > 1 ? item : item.list.owner;
  if (!gone || gone.list.items.length === 1 || isWithin(list, gone)) {
    throw new ToolRefusal(`${nameOf(item)} is the only entry of its group.`);
  }
  const moved = movedToEnd(item, gone, list, (path) => textOf(session, path));
  return movedInto({ moved, list, item, beside, before }, session, report);
}

/** The second half of a move into another list: places the entry, which is last there. */
function movedInto(
  {
    moved,
    list,
    item,
    beside,
    before,
  }: {
    moved: Map<string, string>;
    list: NavigationList;
    item: NavigationItem;
    beside: NavigationItem | null;
    before: boolean;
  },
  session: ToolSession,
  report: string,
): ToolOutcome {
  const outcome = done(session, moved, report);
  const isLast = beside ? !before && list.items.at(-1) === beside : !before;
  if (isLast) return outcome;
  const now = navigationLists(session.docs);
  const own = now.flatMap(({ items }) => items).filter(({ file }) => file === item.file);
  const next = beside ? now.flatMap(({ items }) => items).filter((one) => same(one, beside)) : [];
  const placed = own.find((one) =>
    beside ? next.some((other) => other.list === one.list) : one === one.list.items.at(-1),
  );
  const other = placed && next.find((one) => one.list === placed.list);
  if (!placed) return outcome;
  const others = placed.list.items.filter((one) => one !== placed);
  const at = other ? others.indexOf(other) + (before ? 0 : 1) : 0;
  const order = [...others.slice(0, at), placed, ...others.slice(at)];
  const { path } = placed.list;
  const again = done(session, new Map([[path, reordered(textOf(session, path), placed.list, order)]]), report);
  return {
    ...again,
    changed: [...new Set([...(outcome.changed ?? []), ...(again.changed ?? [])])],
    data: outcome.data!,
  };
}

function same(a: NavigationItem, b: NavigationItem): boolean {
  return a.file === b.file && a.name?.text === b.name?.text;
}

function isWithin(list: NavigationList, group: NavigationItem): boolean {
  for (let owner = list.owner; owner; owner = owner.list.owner) if (owner === group) return true;
  return false;
}

/** @param near is searched first, because a page may be listed several times */
function oneOf(
  reference: string,
  kind: Input['kind'],
  lists: readonly NavigationList[],
  session: ToolSession,
  near: NavigationList | null,
): NavigationItem {
  const groups = kind === 'page' ? [] : groupsNamed(lists, reference);
  const file = kind === 'group' ? null : pageOf(session, reference, groups.length > 0);
  const titled =
    kind === 'group' || file !== null
      ? []
      : itemsOf(lists).filter(({ title }) => title !== null && plain(title) === plain(reference));
  const pages = file === null ? titled : itemsOf(lists).filter((item) => item.file === file);
  if (groups.length > 0 && pages.length > 0) {
    throw new ToolRefusal(
      `${shown(reference)} could mean the group ${shown(groups[0]!.name!.text)} or the page ` +
        `${visibleName(file ?? reference)}. Say which: “the group …” or “the page …”.`,
    );
  }
  const found = groups.length > 0 ? groups : pages;
  const inList = near ? found.filter((item) => item.list === near) : [];
  const chosen = inList.length > 0 ? inList : found;
  const [first] = chosen;
  if (!first) {
    if (file !== null) throw new ToolRefusal(`${visibleName(file)} is not in the navigation.`);
    if (kind !== 'group') resolveFile(session, reference);
    throw new ToolRefusal(noGroup(reference, lists));
  }
  assertOneItem(chosen, reference);
  return first;
}

function itemsOf(lists: readonly NavigationList[]): NavigationItem[] {
  return lists.flatMap(({ items }) => items);
}

function pageOf(session: ToolSession, reference: string, isGroup: boolean): string | null {
  try {
    return findFile(session, reference);
  } catch (thrown) {
    if (isGroup && thrown instanceof ToolRefusal) return null;
    throw thrown;
  }
}

/** Of several groups with one name, the one that already has the page. */
function groupOf(input: Input, name: string, lists: readonly NavigationList[], session: ToolSession): NavigationItem {
  const groups = groupsNamed(lists, name);
  const file = groups.length > 1 && input.kind !== 'group' ? pageOf(session, input.item, true) : null;
  const own = groups.filter((group) =>
    lists.some(({ owner, items }) => owner === group && items.some((item) => item.file === file)),
  );
  const chosen = file !== null && own.length > 0 ? own : groups;
  if (!chosen[0]) throw new ToolRefusal(noGroup(name, lists));
  assertOneItem(chosen, name);
  return chosen[0];
}

function listOf(group: NavigationItem, lists: readonly NavigationList[]): NavigationList {
  const own = lists.filter(({ owner }) => owner === group);
  const list = own.find(({ items }) => items.some(({ file }) => file !== null)) ?? own[0];
  if (!list) throw new ToolRefusal(`The group ${shown(group.name!.text)} has no list of pages.`);
  return list;
}

function groupsNamed(lists: readonly NavigationList[], name: string): NavigationItem[] {
  const wanted = plain(name);
  const groups = lists.flatMap(({ items }) => items.filter((item) => item.name !== null));
  const byTrail = groups.filter((item) => plain(trailOf(item).join(' > ')) === wanted);
  return byTrail.length > 0 && name.includes('>')
    ? byTrail
    : groups.filter((item) => plain(item.name!.text) === wanted);
}

function plain(name: string): string {
  return canonical(name).toLowerCase().replace(/\s+/g, ' ').trim();
}

function trailOf(item: NavigationItem): string[] {
  const trail: string[] = [];
  for (let at: NavigationItem | null = item; at; at = at.list.owner) if (at.name) trail.unshift(at.name.text);
  return trail;
}

function assertOneItem(found: readonly NavigationItem[], reference: string): void {
  if (found.length < 2) return;
  const places = found.map((item) => (item.name ? trailOf(item) : trailOf(item.list.owner ?? item)).join(' > '));
  throw new ToolRefusal(
    `${shown(reference)} is ${found.length} times in the navigation: ${listed(
      places.map((one) => shown(one)),
      10,
    )}. Use the full path of the group.`,
  );
}

function noGroup(name: string, lists: readonly NavigationList[]): string {
  const names = [...new Set(lists.flatMap(({ items }) => items.flatMap((item) => item.name?.text ?? [])))];
  return `The navigation has no group ${shown(name)}. It has ${listed(
    names.map((one) => shown(one)),
    20,
  )}.`;
}

function nameOf({ name, file }: NavigationItem): string {
  return name
    ? `the group “${excerpt(withoutInvisible(name.text), 120)}”`
    : visibleName(basename(file ?? '').replace(/\.mdx?$/, ''));
}

function shown(text: string): string {
  return JSON.stringify(excerpt(withoutInvisible(text), 120));
}

function textOf(session: ToolSession, path: string): string {
  const text = session.workspace.readText(path);
  if (text === null) throw new ToolRefusal(`${visibleName(path)} cannot be read.`);
  return text;
}

function done(session: ToolSession, texts: ReadonlyMap<string, string>, report: string): ToolOutcome {
  const write = new Map([...texts].filter(([path, text]) => session.workspace.readText(path) !== text));
  session.change({ write });
  const changed = [...write.keys()];
  return {
    text: `${report}.`,
    changed,
    data: {
      tool: 'arrange',
      report: changed.length > 0 ? report : 'The navigation is already as requested',
      notes: [],
    },
  };
}
