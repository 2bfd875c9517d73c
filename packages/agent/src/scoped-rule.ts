import { compileGlob } from '@docent/base/glob';

/** A rule of Cursor (`.mdc`) or Copilot (`.instructions.md`). Its front matter has its scope. */
export interface ScopedRule {
  description: string;
  globs: string[];
  /** For all files. */
  always: boolean;
  body: string;
}

/** Each is matched against every page of the docs. */
const MAX_GLOBS = 10;

/** Parses by lines, not as YAML: Cursor writes `globs: *.ts, docs/**`. */
export function readScopedRule(text: string): ScopedRule {
  const matter = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(text);
  const fields = new Map<string, string[]>();
  let list: string[] | null = null;
  for (const line of matter?.[1]?.split(/\r?\n/) ?? []) {
    const field = /^([A-Za-z]+):[ \t]*(.*)$/.exec(line);
    const item = /^[ \t]*-[ \t]+(.*)$/.exec(line);
    if (field) {
      list = field[2] === '' ? [] : [unquoted(field[2]!)];
      fields.set(field[1]!.toLowerCase(), list);
    } else if (item) list?.push(unquoted(item[1]!));
  }
  const said = [...(fields.get('globs') ?? []), ...(fields.get('applyto') ?? [])];
  const globs = said.flatMap(splitGlobs).slice(0, MAX_GLOBS);
  return {
    description: fields.get('description')?.join(' ') ?? '',
    globs,
    always: fields.get('alwaysapply')?.[0] === 'true' || globs.includes('**') || globs.includes('**/*'),
    body: matter ? text.slice(matter[0].length) : text,
  };
}

/** Whether a rule applies to one of the paths. An invalid glob applies to none. */
export function appliesToAny({ globs }: ScopedRule, paths: readonly string[]): boolean {
  return globs.some((glob) => {
    try {
      const matches = compileGlob(glob);
      return paths.some(matches);
    } catch (err) {
      if (err instanceof RangeError) return false;
      throw err;
    }
  });
}

function unquoted(value: string): string {
  return value.trim().replace(/^(["'])(.*)\1$/, '$2');
}

/** Commas part globs, but not within `{a,b}`. */
function splitGlobs(value: string): string[] {
  const list = value.replace(/^\[|\]$/g, '');
  return (list.match(/(?:\{[^{}]*\}|[^,{}])+/g) ?? []).map(unquoted).filter((glob) => glob !== '');
}
