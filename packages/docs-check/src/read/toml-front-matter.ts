import { parse, TomlError } from 'smol-toml';
import { ALIASES, aliasesIn, PROSE_FIELDS, type FrontMatter } from './front-matter.ts';

/** As `readFrontMatter`, for a block between `+++` lines. */
export function readTomlFrontMatter(toml: string, start: number, line: number): FrontMatter {
  const facts: FrontMatter = {
    fields: Object.create(null),
    flags: Object.create(null),
    others: [],
    prose: [],
    problem: null,
  };
  let values: Record<string, unknown>;
  try {
    values = parse(toml);
  } catch (thrown) {
    if (!(thrown instanceof TomlError)) {
      return { ...facts, problem: { message: 'it is nested too deeply to be read', line, column: 1 } };
    }
    const message = thrown.message.split('\n')[0]!.replace(/^Invalid TOML document: /, '');
    return { ...facts, problem: { message, line: line + thrown.line - 1, column: thrown.column } };
  }
  for (const [name, value] of Object.entries(values)) {
    if (typeof value === 'string' || typeof value === 'number') facts.fields[name] = String(value).slice(0, 500);
    else if (typeof value === 'boolean') facts.flags[name] = value;
    else if (value instanceof Date && /date$/i.test(name)) facts.fields[name] = value.toISOString();
    else facts.others.push(name.slice(0, 200));
    if (name === ALIASES && Array.isArray(value)) facts.fields[name] = aliasesIn(value);
  }
  // Values of one line at the top, before the first table.
  const [top = ''] = toml.split(/^[ \t]*\[/m, 1);
  for (const match of top.matchAll(/^[ \t]*(["']?)([\w:.-]+)\1[ \t]*=[ \t]*(["'])(.*)\3[ \t]*(?:#.*)?$/gm)) {
    if (!PROSE_FIELDS.has(match[2]!)) continue;
    const from = start + match.index + match[0].indexOf(match[3]!, match[0].indexOf('=')) + 1;
    facts.prose.push([from, from + match[4]!.length]);
  }
  return facts;
}
