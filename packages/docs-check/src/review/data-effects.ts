import { parse as parseToml } from 'smol-toml';
import { parseTree, type Node } from 'jsonc-parser';
import type { StaticValue } from '../config/static-value.ts';
import { parseYamlSource } from '../config/yaml-value.ts';
import { parseJsonSource } from '../read/json-source.ts';
import type { EffectCollector, Use } from './effects.ts';
import { htmlEffects } from './html-effects.ts';

/** A value of a configuration, whatever it was written in. */
export type Data = string | number | boolean | null | Data[] | { entries: [key: string, value: Data][] };

const MAX_NODES = 200_000;
const MAX_DEPTH = 200;

/** Front matter keys with which a page adds its own head, scripts, styles or template. */
const RISKY_MATTER = /^(?:head|heads|headers?|scripts?|styles?|stylesheets?|css|js|(?:custom|extra)[_-]?(?:js|css|javascript|head)|layout|template|extends|component|components|eleventy\w*|sass|engine|cascade|outputs|build|_build|redirect_to|api_?key|wrapperclass|hook|hooks)$/i; // oxfmt-ignore
/** Values that these keys have in ordinary pages. */
const USUAL_VALUE =
  /^(?:doc|docs|page|post|home|default|none|false|true|wide|center|custom|frame|splash|landing|blog|guide|overview|single|list|null)$/i;

export function frontMatterEffects(text: string, format: 'yaml' | 'toml', path: string, into: EffectCollector): void {
  const data = format === 'yaml' ? readYaml(text, path, into) : readToml(text, into);
  if (data === undefined) return;
  dataEffects(data, into);
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return;
  for (const [key, value] of data.entries) {
    if (!RISKY_MATTER.test(key) || (typeof value !== 'object' && USUAL_VALUE.test(String(value)))) continue;
    into.code('code in its front matter', `${key} ${JSON.stringify(value)}`);
  }
}

/** Reads a file of settings or data; undefined, and noted as unread, if it is not valid. */
export function readData(path: string, text: string, into: EffectCollector): Data | undefined {
  if (/\.toml$/i.test(path)) return readToml(text, into);
  if (/\.(?:ya?ml|pages|cff)$/i.test(path) || /(?:^|\/)\.pages$/.test(path)) return readYaml(text, path, into);
  return readJson(text, path, into);
}

function readYaml(text: string, path: string, into: EffectCollector): Data | undefined {
  const { value, problem } = parseYamlSource(path, text);
  if (problem) {
    into.unread('could not be read as YAML');
    into.text(text);
    return undefined;
  }
  return ofStatic(value, into, 0);
}

function ofStatic(value: StaticValue, into: EffectCollector, depth: number): Data {
  if (depth > MAX_DEPTH) {
    into.unread('is nested too deeply to be read');
    return null;
  }
  switch (value.type) {
    case 'scalar':
      return value.value;
    case 'pattern':
      return value.source;
    case 'list':
      return value.items.map((item) => ofStatic(item, into, depth + 1));
    case 'object':
      return { entries: [...value.fields].map(([key, field]) => [key, ofStatic(field, into, depth + 1)]) };
    case 'unknown':
      // A tag such as `!!python/name:…`, which loads and runs something, or more than the parser's limits.
      into.setting('tag', value.tag ?? 'unknown');
      return value.of ? ofStatic(value.of, into, depth + 1) : null;
  }
}

function readToml(text: string, into: EffectCollector): Data | undefined {
  try {
    return ofObject(parseToml(text), 0);
  } catch {
    into.unread('could not be read as TOML');
    into.text(text);
    return undefined;
  }
}

function ofObject(value: unknown, depth: number): Data {
  if (depth > MAX_DEPTH || value === null || value === undefined) return null;
  if (Array.isArray(value)) return value.map((one) => ofObject(one, depth + 1));
  if (typeof value === 'object' && !(value instanceof Date)) {
    return { entries: Object.entries(value).map(([key, one]) => [key, ofObject(one, depth + 1)]) };
  }
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : String(value);
}

function readJson(text: string, path: string, into: EffectCollector): Data | undefined {
  const { root, problem } = parseJsonSource(path, text);
  // Comments and commas at the end are read by most tools.
  const tree = root && problem ? parseTree(text, [], { allowTrailingComma: true }) : root;
  if (problem && !/comment|property name|value is missing/.test(problem.message))
    into.unread('could not be read as JSON');
  if (!tree) {
    into.unread('could not be read as JSON');
    into.text(text);
    return undefined;
  }
  return ofJson(tree);
}

/** For duplicate keys, both. */
function ofJson(node: Node): Data {
  if (node.type === 'array') return (node.children ?? []).map(ofJson);
  if (node.type !== 'object') return node.value as string | number | boolean | null;
  const pairs = (node.children ?? []).flatMap(({ children }): [string, Data][] => {
    const [key, value] = children ?? [];
    return key && value ? [[String(key.value), ofJson(value)]] : [];
  });
  return { entries: pairs };
}

const LOADING_KEY =
  /^(?:src|icon|logo|favicon|image|images|img|og:image|twitter:image|thumbnail|background|cover|banner|poster|light|dark|script|scripts|css|js|api|openapi|asyncapi|baseurl|url_base|server|servers|href_style)$/i;
const CODE_KEY = /^(?:script|scripts|js|css|style|styles|stylesheet|api|openapi|asyncapi|baseurl|server|servers)$/i;

/** Servers that texts of a configuration name or load from, and markup in them that runs. */
export function dataEffects(data: Data, into: EffectCollector): void {
  let budget = MAX_NODES;
  const waiting: [value: Data, use: Use][] = [[data, 'link']];
  while (waiting.length > 0) {
    const [value, use] = waiting.pop()!;
    if (--budget < 0) return into.unread('has too many values to be read');
    if (typeof value === 'string') {
      into.maybeAddress(value, use);
      if (/<[a-z!/]/i.test(value)) htmlEffects(value, into);
      for (const [, url] of value.matchAll(/!?\]\(\s*<?([^\s)>]{1,2000})/g)) into.address(url!, 'link');
      if (/(?:url\(|expression\()/i.test(value)) htmlEffects(`<b style="${value.replaceAll('"', "'")}">`, into);
    } else if (Array.isArray(value)) for (const item of value) waiting.push([item, use]);
    else if (typeof value === 'object' && value !== null) {
      for (const [key, field] of value.entries) {
        const below = CODE_KEY.test(key) ? 'load' : LOADING_KEY.test(key) ? 'image' : use;
        waiting.push([field, below]);
        into.text(key);
      }
    }
  }
}
