import { addProperty, insertItem, removeItem, replaceString } from './json-edits.ts';
import { propertyOf, type JsonSource, type Node } from './json-source.ts';
import { retarget } from './link-format.ts';
import { LinkResolver } from './link-resolver.ts';
import { fileOfEntry, placeFor, type Placement } from './navigation.ts';
import { pageExtensionOf, withoutPageExtension } from './page-format.ts';
import { addressKey } from './redirect-table.ts';
import { readSiteConfig, type NavigationEntry, type SiteConfig } from './site-config.ts';
import { addressOf, routeOf, type Site } from './site.ts';
import { applyTextEdits, type TextEdit } from './text-edits.ts';

export interface AddressChange {
  /** Addresses from `/`. */
  from: string;
  to: string;
}

/**
 * Edits a site's configuration as text: every edit only touches its target, and the configuration is parsed
 * again after each, so edits never conflict. Nothing is written: see {@link ConfigEditor.changed}.
 */
export class ConfigEditor {
  readonly #site: Site;
  readonly #texts = new Map<string, string>();
  readonly #before = new Map<string, string>();
  #config: SiteConfig;

  /** @param site as it is before the change; it must have a configuration without problems */
  constructor(site: Site) {
    if (!site.config) throw new TypeError('The site has no configuration.');
    this.#site = site;
    this.#config = site.config;
    for (const { path, text } of site.config.sources) {
      this.#texts.set(path, text);
      this.#before.set(path, text);
    }
  }

  /** Paths and new texts of the files that differ from before. */
  changed(): Map<string, string> {
    return new Map([...this.#texts].filter(([path, text]) => this.#before.get(path) !== text));
  }

  /** Lets entries of moved pages follow, each in its own spelling. `moves` maps old paths to new ones. */
  renameEntries(moves: ReadonlyMap<string, string>): number {
    const edits: [JsonSource, TextEdit][] = [];
    for (const { value, source, node } of this.#config.entries) {
      const file = fileOfEntry(this.#site, value);
      const target = file === null ? undefined : moves.get(file);
      if (target !== undefined) edits.push([source, replaceString(node, this.#spelledLike(value, target))]);
    }
    this.#apply(edits);
    return edits.length;
  }

  /** Removes a page from the navigation. An empty group is removed too, unless it is the only one. */
  removeEntries(path: string): number {
    let count = 0;
    for (;;) {
      const entry = this.#config.entries.find(({ value }) => fileOfEntry(this.#site, value) === path);
      if (!entry) return count;
      this.#apply([[entry.source, removeItem(removable(entry))]]);
      count++;
    }
  }

  /** Enters a page in the navigation: see {@link placeFor}. */
  addEntry(path: string, group: string | undefined): Placement {
    const placement = placeFor(this.#config, routeOf(this.#site, path), group);
    if (!placement.ok) return placement;
    const { list, after } = placement;
    const value = after ? this.#spelledLike(after.value, path) : routeOf(this.#site, path);
    this.#apply([[list.source, insertItem(list.source, list.node, value, after?.node)]]);
    return placement;
  }

  /** Lets links of the configuration itself (navbar, logos, anchors) follow moved files. */
  relink(moves: ReadonlyMap<string, string>): number {
    const resolver = new LinkResolver(this.#site);
    const edits: [JsonSource, TextEdit][] = [];
    for (const { source, node, value } of this.#config.links) {
      const page = this.#site.configPath!;
      const was = resolver.resolve(page, value);
      const to = was.kind === 'file' ? moves.get(was.path) : undefined;
      if (was.kind !== 'file' || to === undefined) continue;
      edits.push([source, replaceString(node, retarget({ site: this.#site, page, written: value, was, to }))]);
    }
    this.#apply(edits);
    return edits.length;
  }

  /**
   * Adds redirects, updates existing ones that end at an old address, and removes those that would redirect
   * readers away from a page that now has the address.
   * @param moved every address that changed
   * @param known the old addresses that readers may know: those get a redirect
   * @returns the redirects that were added
   */
  redirect(moved: readonly AddressChange[], known: ReadonlySet<string>): AddressChange[] {
    for (const { to } of moved) this.#removeRedirectsFrom(to);
    this.#followRedirects(new Map(moved.map(({ from, to }) => [addressKey(from), to])));
    const added: AddressChange[] = [];
    for (const change of moved) {
      const exists = this.#config.redirects.some(({ from }) => addressKey(from.value) === addressKey(change.from));
      if (exists || !known.has(change.from) || addressKey(change.from) === addressKey(change.to)) continue;
      this.#addRedirect(change);
      added.push(change);
    }
    return added;
  }

  /** A redirect between two addresses; the second may be on another site. */
  addRedirect(change: AddressChange): void {
    this.#addRedirect(change);
  }

  #removeRedirectsFrom(address: string): void {
    for (;;) {
      const stale = this.#config.redirects.find(({ from }) => addressKey(from.value) === addressKey(address));
      if (!stale) return;
      this.#apply([[stale.source, removeItem(stale.node)]]);
    }
  }

  #followRedirects(ends: ReadonlyMap<string, string>): void {
    const edits: [JsonSource, TextEdit][] = [];
    for (const { source, to } of this.#config.redirects) {
      const end = /^\/(?!\/)/.test(to.value) ? ends.get(addressKey(to.value)) : undefined;
      if (end !== undefined) edits.push([source, replaceString(to.node, end + (/[?#].*$/s.exec(to.value)?.[0] ?? ''))]);
    }
    this.#apply(edits);
  }

  #addRedirect({ from, to }: AddressChange): void {
    const value = { source: from, destination: to };
    const list = this.#config.redirectList;
    const main = this.#config.sources[0]!;
    if (list) this.#apply([[list.source, insertItem(list.source, list.node, value)]]);
    else if (main.root) this.#apply([[main, addProperty(main, main.root, 'redirects', [value])]]);
  }

  #spelledLike(value: string, path: string): string {
    const route = routeOf(this.#site, path) + (pageExtensionOf(value) === '' ? '' : pageExtensionOf(path));
    const byFolder =
      fileOfEntry(this.#site, value)?.match(/\/index\.\w+$/) && !withoutPageExtension(value).endsWith('index');
    return (value.startsWith('/') ? '/' : '') + (byFolder ? route.replace(/\/index$/, '') : route);
  }

  #apply(edits: readonly [JsonSource, TextEdit][]): void {
    if (edits.length === 0) return;
    for (const source of new Set(edits.map(([changed]) => changed))) {
      const own = edits.filter(([changed]) => changed === source).map(([, change]) => change);
      this.#texts.set(source.path, applyTextEdits(source.text, own));
    }
    const { path, kind } = { path: this.#config.sources[0]!.path, kind: this.#config.kind };
    this.#config = readSiteConfig(path, kind, (file) => this.#texts.get(file) ?? null);
  }
}

/**
 * The entry itself; its group if the entry is all that the group has; the `root` property if it is one.
 */
function removable({ node, list }: NavigationEntry): Node {
  if (node.parent?.type === 'property') return node.parent;
  const group = list?.group;
  if (!group || list.node.children?.length !== 1 || propertyOf(group, 'root')) return node;
  const siblings = group.parent;
  return siblings?.type === 'array' && (siblings.children?.length ?? 0) > 1 ? group : node;
}

export function addressChange(site: Site, from: string, to: string): AddressChange {
  return { from: addressOf(site, from), to: addressOf(site, to) };
}
