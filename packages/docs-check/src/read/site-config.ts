import { PROSE_PROPERTIES } from './prose-properties.ts';
import { dirname, join, normalize } from 'node:path/posix';
import { itemsOf, parseJsonSource, propertyOf, stringOf, type JsonSource, type Node } from './json-source.ts';

export type ConfigKind = 'docs.json' | 'mint.json';

/** A page in the navigation: a string in a `pages` list, or the `root` of a group. */
export interface NavigationEntry {
  source: JsonSource;
  node: Node;
  value: string;
  /** Names of its ancestors, outermost first: tabs, dropdowns, groups. */
  trail: readonly string[];
  /** The `pages` list that it is in; null for a group's root. */
  list: PageList | null;
  /** Language or version, if the navigation is split into these; empty otherwise. */
  edition: string;
}

/** A `pages` list. */
export interface PageList {
  source: JsonSource;
  node: Node;
  trail: readonly string[];
  edition: string;
  /** The group's own object; null for a list at the top. */
  group: Node | null;
}

export interface Redirect {
  source: JsonSource;
  node: Node;
  from: { value: string; node: Node };
  to: { value: string; node: Node };
}

/**
 * A string elsewhere in the configuration that points into the site: a link of the navbar, a logo, a favicon.
 */
export interface ConfigLink {
  source: JsonSource;
  node: Node;
  value: string;
}

export interface SiteConfig {
  kind: ConfigKind;
  /** The main file first, then what it refers to with `$ref`. */
  sources: JsonSource[];
  entries: NavigationEntry[];
  lists: PageList[];
  redirects: Redirect[];
  /** The list of redirects, if there is one. */
  redirectList: { source: JsonSource; node: Node } | null;
  links: ConfigLink[];
  /** Folders whose pages come from an API description instead of files. */
  generated: string[];
  problems: { path: string; offset: number; text: string; message: string }[];
  /** Files of a `$ref` that are there, but too large or no text. */
  unread: string[];
}

/** Properties that name a part of the navigation, in search order. */
const NAMES = ['tab', 'anchor', 'dropdown', 'product', 'item', 'group', 'version', 'language', 'name'];
/** Pages made from an API description (`GET /users`, `openapi.json POST /users`), and links. */
const OPERATION = /^(?:\S+\s+)?(?:get|post|put|patch|delete|head|options|trace|webhook|wss?)\s|^https?:/i;
const MAX_FILES = 50;

/**
 * Reads `docs.json` or `mint.json`, following `{"$ref": "./other.json"}`. Never throws: mistakes are in
 * `problems`.
 * @param read returns a file's text by its path in the repository, or null
 * @param exists whether there is a file for which `read` returns nothing
 */
export function readSiteConfig(
  path: string,
  kind: ConfigKind,
  read: (path: string) => string | null,
  exists: (path: string) => boolean = () => false,
): SiteConfig {
  const config: SiteConfig = {
    kind,
    sources: [],
    entries: [],
    lists: [],
    redirects: [],
    redirectList: null,
    links: [],
    generated: [],
    problems: [],
    unread: [],
  };
  new ConfigReader(config, read, exists).readMain(path);
  return config;
}

interface Place {
  source: JsonSource;
  trail: readonly string[];
  edition: string;
  group: Node | null;
}

class ConfigReader {
  readonly #config: SiteConfig;
  readonly #read: (path: string) => string | null;
  readonly #exists: (path: string) => boolean;
  readonly #loaded = new Map<string, JsonSource | null>();

  constructor(config: SiteConfig, read: (path: string) => string | null, exists: (path: string) => boolean) {
    this.#exists = exists;
    this.#config = config;
    this.#read = read;
  }

  readMain(path: string): void {
    const source = this.#load(path);
    if (!source) return;
    const { root } = source;
    if (root?.type !== 'object') {
      if (!source.problem) this.#problem(source, 0, 'it must be an object');
      return;
    }
    for (const property of root.children ?? []) {
      const [key, value] = property.children ?? [];
      if (!value) continue;
      if (key?.value === 'navigation') this.#navigation(value, { source, trail: [], edition: '', group: null });
      else if (key?.value === 'redirects') this.#redirects(value, source);
      else if (key?.value !== '$schema') this.#otherLinks(value, source);
    }
    for (const { root } of this.#config.sources) if (root) this.#findGenerated(root);
    if (!propertyOf(root, 'navigation')) this.#problem(source, 0, '`navigation` is missing');
  }

  #load(path: string): JsonSource | null {
    const known = this.#loaded.get(path);
    if (known !== undefined || this.#loaded.size >= MAX_FILES) return known ?? null;
    const text = this.#read(path);
    const source = text === null ? null : parseJsonSource(path, text);
    this.#loaded.set(path, source);
    if (source) this.#config.sources.push(source);
    if (source?.problem) this.#problem(source, source.problem.offset, source.problem.message);
    return source;
  }

  #problem(source: JsonSource, offset: number, message: string): void {
    this.#config.problems.push({ path: source.path, offset, text: source.text, message });
  }

  /** The value of `{"$ref": …}`; the node itself if it is not a reference. Undefined if it is missing. */
  #dereference(node: Node, source: JsonSource, depth = 0): { node: Node; source: JsonSource } | undefined {
    const reference = stringOf(propertyOf(node, '$ref'));
    if (reference === undefined) return { node, source };
    const target = normalize(join(dirname(source.path), reference.split('#')[0]!));
    const loaded = depth < 10 && !target.startsWith('..') ? this.#load(target) : null;
    if (!loaded && this.#exists(target)) {
      this.#config.unread.push(target);
      return undefined;
    }
    if (!loaded) {
      this.#problem(source, node.offset, `"${reference}" cannot be read`);
      return undefined;
    }
    return loaded.root && this.#dereference(loaded.root, loaded, depth + 1);
  }

  /** Walks everything below `navigation`: every string in a `pages` list is a page, at any depth. */
  #navigation(node: Node, place: Place, depth = 0): void {
    const target = this.#dereference(node, place.source);
    if (!target || depth > 100) return;
    const here = { ...place, source: target.source };
    if (target.node.type === 'array') {
      for (const item of itemsOf(target.node)) this.#navigation(item, here, depth + 1);
      return;
    }
    if (target.node.type !== 'object') return;
    const inside = this.#inside(target.node, here);
    for (const property of target.node.children ?? []) {
      const [key, value] = property.children ?? [];
      if (value) this.#navigationProperty(String(key?.value), value, inside, depth);
    }
  }

  #inside(node: Node, place: Place): Place {
    const name = NAMES.map((key) => stringOf(propertyOf(node, key))).find((value) => value !== undefined);
    const edition = stringOf(propertyOf(node, 'language')) ?? stringOf(propertyOf(node, 'version'));
    const isGroup = propertyOf(node, 'group') !== undefined;
    return {
      source: place.source,
      trail: name === undefined ? place.trail : [...place.trail, name],
      edition: edition === undefined ? place.edition : `${place.edition}/${edition}`,
      group: isGroup ? node : null,
    };
  }

  #navigationProperty(key: string, value: Node, place: Place, depth: number): void {
    if (key === 'pages') this.#pages(value, place, depth);
    else if (key === 'root' && value.type === 'string') this.#entry(value, place, null);
    else if (value.type === 'string') {
      if (!PROSE_PROPERTIES.has(key)) this.#link(value, place.source);
    } else if (value.type === 'object' || value.type === 'array') {
      if (key === 'openapi' || key === 'asyncapi') return;
      this.#navigation(value, { ...place, group: null }, depth + 1);
    }
  }

  #pages(node: Node, place: Place, depth: number): void {
    const target = this.#dereference(node, place.source);
    if (target?.node.type !== 'array') return;
    const here = { ...place, source: target.source };
    const list: PageList = { ...here, node: target.node };
    this.#config.lists.push(list);
    for (const item of itemsOf(target.node)) {
      if (item.type === 'string') this.#entry(item, here, list);
      else this.#navigation(item, here, depth + 1);
    }
  }

  #entry(node: Node, { source, trail, edition }: Place, list: PageList | null): void {
    const value = String(node.value);
    if (OPERATION.test(value)) return;
    this.#config.entries.push({ source, node, value, trail, edition, list });
  }

  #redirects(node: Node, source: JsonSource): void {
    const target = this.#dereference(node, source);
    if (target?.node.type !== 'array') return;
    this.#config.redirectList = target;
    for (const item of itemsOf(target.node)) {
      const [from, to] = [propertyOf(item, 'source'), propertyOf(item, 'destination')];
      if (from?.type !== 'string' || to?.type !== 'string') continue;
      this.#config.redirects.push({
        source: target.source,
        node: item,
        from: { value: String(from.value), node: from },
        to: { value: String(to.value), node: to },
      });
    }
  }

  #otherLinks(node: Node, source: JsonSource): void {
    if (node.type === 'string') this.#link(node, source);
    else
      for (const child of node.children ?? [])
        if (child.type !== 'property') this.#otherLinks(child, source);
        else if (child.children?.[1]) this.#otherLinks(child.children[1], source);
  }

  #link(node: Node, source: JsonSource): void {
    const value = String(node.value);
    if (/^\.?\/(?!\/)/.test(value)) this.#config.links.push({ source, node, value });
  }

  /** `openapi` and `asyncapi`, at any depth and in any file: as a path, or as `{ source, directory }`. */
  #findGenerated(root: Node): void {
    const waiting = [root];
    while (waiting.length > 0) {
      const node = waiting.pop()!;
      const [key, value] = node.type === 'property' ? (node.children ?? []) : [];
      if (value && (key?.value === 'openapi' || key?.value === 'asyncapi')) {
        const folder = stringOf(propertyOf(value, 'directory')) ?? 'api-reference';
        this.#config.generated.push(folder.replace(/^\/+|\/+$/g, ''));
      }
      for (const child of node.children ?? []) waiting.push(child);
    }
  }
}
