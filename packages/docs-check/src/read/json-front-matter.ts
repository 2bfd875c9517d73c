import { ALIASES, aliasesIn, PROSE_FIELDS, type FrontMatter } from './front-matter.ts';
import { parseJsonSource } from './json-source.ts';
import { TextLines } from './text-lines.ts';

const MAX_LENGTH = 100_000;

/**
 * Where the JSON ends that a page begins with, as Hugo allows it
 * (https://gohugo.io/content-management/front-matter/); null for none. A shortcode is not JSON.
 */
export function jsonFrontMatterEnd(text: string): number | null {
  if (!/^\{\s{0,100}["}]/.test(text)) return null;
  let depth = 0;
  for (let i = 0; i < Math.min(text.length, MAX_LENGTH); i++) {
    const c = text[i]!;
    if (c === '"') {
      for (i++; i < text.length && text[i] !== '"' && text[i] !== '\n'; i++) if (text[i] === '\\') i++;
    } else if (c === '{') depth++;
    else if (c === '}' && --depth === 0) return i + 1;
  }
  return null;
}

/** As `readFrontMatter`, for an object of JSON, with its braces. */
export function readJsonFrontMatter(json: string, start: number, line: number): FrontMatter {
  const facts: FrontMatter = {
    fields: Object.create(null),
    flags: Object.create(null),
    others: [],
    prose: [],
    problem: null,
  };
  const { root, problem } = parseJsonSource('', json);
  if (problem) {
    const place = new TextLines(json).placeOf(problem.offset);
    return { ...facts, problem: { message: problem.message, line: line + place.line - 1, column: place.column } };
  }
  for (const { children: [key, value] = [] } of root?.children ?? []) {
    if (!key || !value) continue;
    const name = String(key.value);
    if (value.type === 'string' || value.type === 'number') facts.fields[name] = String(value.value).slice(0, 500);
    else if (value.type === 'boolean') facts.flags[name] = value.value as boolean;
    else if (value.type !== 'null') facts.others.push(name.slice(0, 200));
    if (name === ALIASES) facts.fields[name] = aliasesIn(value.children?.map((item): unknown => item.value));
    if (value.type === 'string' && PROSE_FIELDS.has(name))
      facts.prose.push([start + value.offset + 1, start + value.offset + value.length - 1]);
  }
  return facts;
}
