import { isTable, readToml, tableIn, type Table } from '../config/toml-value.ts';
import { parseYamlSource } from '../config/yaml-value.ts';
import type { StaticValue } from '../config/static-value.ts';
import { folderOf } from '../read/folder.ts';
import { below } from '../read/repository-path.ts';

type Read = (path: string) => string | null;

const ENDINGS = ['toml', 'yaml', 'yml', 'json'];
/** Files of `config/_default` that hold one part of the configuration each. */
const PARTS = ['languages', 'module', 'markup', 'permalinks', 'outputformats', 'taxonomies', 'params'];
const ENVIRONMENTS = ['_default', 'production'];

interface HugoConfig {
  /** All keys are in lower case: Hugo takes them so. */
  table: Table;
  texts: Map<string, string>;
  problems: { path: string; offset: number; message: string }[];
}

/** The folder of the site that a configuration is of. */
export function hugoFolder(configPath: string): string {
  return folderOf(configPath).replace(/(?:^|\/)config\/_default$/, '');
}

/** `hugo.toml` and the folder `config`: https://gohugo.io/configuration/introduction/ */
export function readHugoConfig(configPath: string, read: Read, paths: readonly string[]): HugoConfig {
  const folder = hugoFolder(configPath);
  const inside = (name: string) => (folder === '' ? name : `${folder}/${name}`);
  const config: HugoConfig = { table: {}, texts: new Map(), problems: [] };
  const names = ['hugo', 'config'].flatMap((name) => ENDINGS.map((ending) => inside(`${name}.${ending}`)));
  const top = names.find((path) => read(path) !== null);
  if (top !== undefined) addFile(config, top, [], read);
  for (const environment of ENVIRONMENTS) {
    for (const part of ['hugo', 'config', ...PARTS]) {
      for (const ending of ENDINGS) {
        const key = part === 'hugo' || part === 'config' ? [] : [part];
        addFile(config, inside(`config/${environment}/${part}.${ending}`), key, read);
      }
    }
    // One file per language: `languages.fr.toml`.
    for (const path of paths) {
      const name = below(path, inside(`config/${environment}`)) ?? '';
      const language = /^languages\.([\w-]+)\.(?:toml|ya?ml|json)$/.exec(name)?.[1];
      if (language !== undefined) addFile(config, path, ['languages', language.toLowerCase()], read);
    }
  }
  return config;
}

/** @param key the part of the configuration that the file is; empty for all of it */
function addFile(config: HugoConfig, path: string, key: readonly string[], read: Read): void {
  const text = read(path);
  if (text === null || config.texts.has(path)) return;
  config.texts.set(path, text);
  const { table, problem } = path.endsWith('.toml') ? readToml(text) : readYaml(path, text);
  if (problem) config.problems.push({ path, ...problem });
  const lower = lowered(table) as Table;
  config.table = merged(
    config.table,
    key.reduceRight<Table>((part, name) => ({ [name]: part }), lower),
  );
}

function readYaml(path: string, text: string): ReturnType<typeof readToml> {
  // YAML takes JSON, too.
  const { value, problem } = parseYamlSource(path, text);
  const plain = plainOf(value);
  return { table: isTable(plain) ? plain : {}, problem };
}

function plainOf(value: StaticValue): unknown {
  if (value.type === 'scalar') return value.value;
  if (value.type === 'list') return value.items.map(plainOf);
  if (value.type !== 'object') return null;
  return Object.fromEntries([...value.fields].map(([name, field]) => [name, plainOf(field)]));
}

function lowered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(lowered);
  if (!isTable(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name.toLowerCase(), lowered(field)]));
}

function merged(one: Table, other: Table): Table {
  const all: Table = { ...one };
  for (const [name, value] of Object.entries(other)) {
    all[name] = isTable(value) && isTable(all[name]) ? merged(tableIn(all, name), value) : value;
  }
  return all;
}
