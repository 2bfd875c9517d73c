import { parse, type ParseError } from 'jsonc-parser';
import { dirname, join } from 'node:path/posix';
import { inRepository } from '../read/repository-path.ts';

type Read = (path: string) => string | null;

/** Packages with known components: Starlight's own give their elements no ids. */
const KNOWN =
  /^(?:@astrojs\/|astro(?:$|[:/-])|react(?:$|\/)|starlight-(?:package-managers|videos|showcases|kbd|image-zoom)|[^/]*icons?(?:$|[-/]))/;
const ENDINGS = [
  '',
  '.astro',
  '.tsx',
  '.jsx',
  '.ts',
  '.js',
  '.svelte',
  '.vue',
  '/index.astro',
  '/index.ts',
  '/index.tsx',
  '/index.js',
];
const TELLING_IDS =
  /\bid\s*=|\bid:|set:html|dangerouslySetInnerHTML|<h[1-6\s{]|<Content\b|\{\.\.\.(?!Astro\.props|props|rest|attrs)|@html/;
const IMPORT = /^[ \t]*import\s+(?!type\b)([^'";]{1,500}?)\sfrom\s+['"]([^'"\n]{1,300})['"]/gm;
const MAX_FILES = 30;

/** Reads the programs of components, which are not run: whether their elements may have ids. */
export class StarlightModules {
  readonly #read: Read;
  readonly #aliases: readonly (readonly [pattern: string, target: string])[];
  readonly #known = new Map<string, boolean>();

  /** @param folder of the configuration, beside which `tsconfig.json` gives names to folders */
  constructor(folder: string, read: Read) {
    this.#read = read;
    this.#aliases = aliasesOf(folder, read);
  }

  mayShowIds(from: string, module: string): boolean {
    const key = module.startsWith('.') ? join(dirname(from), module) : module;
    let known = this.#known.get(key);
    if (known === undefined) this.#known.set(key, (known = this.#find(from, module)));
    return known;
  }

  #find(from: string, module: string): boolean {
    const waiting = [{ from, module }];
    const seen = new Set<string>();
    while (waiting.length > 0) {
      const next = waiting.pop()!;
      if (KNOWN.test(next.module) || /\.(?:css|scss|svg|png|jpe?g|webp|avif|gif|json)(?:\?.*)?$/.test(next.module))
        continue;
      const path = this.#pathOf(next.from, next.module);
      if (path !== null && seen.has(path)) continue;
      const text = path === null ? null : this.#read(path);
      if (path === null || text === null || seen.size >= MAX_FILES) return true;
      const shown = templateOf(path, text);
      if (TELLING_IDS.test(shown)) return true;
      seen.add(path);
      for (const [, names, name] of text.matchAll(IMPORT)) {
        const isShown = names!.split(/[^\w$]+/).some((word) => /^[A-Z]/.test(word) && shown.includes(`<${word}`));
        if (isShown || /\.[jt]s$/.test(path)) waiting.push({ from: path, module: name! });
      }
    }
    return false;
  }

  /** The files of an alias in `tsconfig.json`; empty for other names. */
  filesOf(module: string): string[] {
    return this.#aliased(module).filter((path) => path !== null);
  }

  #pathOf(from: string, module: string): string | null {
    const bases = module.startsWith('.') ? [inRepository(dirname(from), module)] : this.#aliased(module);
    for (const base of bases) {
      for (const ending of base === null ? [] : ENDINGS) if (this.#read(base + ending) !== null) return base + ending;
    }
    return null;
  }

  #aliased(module: string): (string | null)[] {
    return this.#aliases.flatMap(([pattern, target]) => {
      const [before = '', after] = pattern.split('*');
      if (after === undefined) return module === pattern ? [inRepository('', target)] : [];
      if (!module.startsWith(before) || !module.endsWith(after)) return [];
      return [inRepository('', target.replace('*', module.slice(before.length, module.length - after.length)))];
    });
  }
}

/** What a component shows: for Astro's, without its program, styles and scripts. */
function templateOf(path: string, text: string): string {
  if (!path.endsWith('.astro')) return text;
  const template = text.replace(/^\s*---\r?\n[\s\S]*?\r?\n---/, '');
  return template.replace(/<(style|script)\b[^>]*>[\s\S]*?<\/\1>/g, '');
}

/** https://docs.astro.build/en/guides/typescript/#import-aliases */
function aliasesOf(folder: string, read: Read): [string, string][] {
  const errors: ParseError[] = [];
  const config = parse(read(join(folder, 'tsconfig.json')) ?? '{}', errors, { allowTrailingComma: true }) as unknown;
  const options = field(config, 'compilerOptions');
  const base = field(options, 'baseUrl');
  const root = join(folder, typeof base === 'string' ? base : '.');
  const paths = field(options, 'paths');
  return Object.entries(typeof paths === 'object' && paths !== null ? paths : {}).flatMap(([pattern, targets]) =>
    (Array.isArray(targets) ? targets : [])
      .filter((target): target is string => typeof target === 'string')
      .map((target): [string, string] => [pattern, join(root, target)]),
  );
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
