/** A tool's input: the names of its fields, and their JSON types if they have one. */
export interface InputFields {
  types: ReadonlyMap<string, string | undefined>;
  required: ReadonlySet<string>;
}

/** Other tools' names for a field, in lower case without `_` and `-`. Only for fields that the call lacks. */
const HABITS: Readonly<Record<string, readonly string[]>> = {
  path: 'filepath file filename pathname targetfile absolutepath relativepath page pagepath directory dir folder dirpath target'.split(
    ' ',
  ),
  oldText: 'oldstring oldstr old oldcontent search searchtext find findtext original originaltext'.split(' '),
  newText: 'newstring newstr new newcontent replace replacement replacementtext replacewith replacetext'.split(' '),
  content: 'text contents filetext filecontent filecontents body data markdown newcontent'.split(' '),
  query: 'pattern search searchterm searchquery searchtext text term q keyword needle regexpattern'.split(' '),
  glob: 'include includes filepattern globpattern fileglob pattern filter files'.split(' '),
  from: 'source src oldpath frompath sourcepath path filepath old'.split(' '),
  to: 'destination dest newpath topath destinationpath target targetpath new'.split(' '),
  offset: 'startline linestart start line fromline firstline skip'.split(' '),
  limit: 'lines maxlines numlines linecount numberoflines maxresults headlimit count max'.split(' '),
  replaceAll: 'all global multiple allowmultiple replaceallmatches'.split(' '),
  ignoreCase: 'caseinsensitive insensitive'.split(' '),
  regex: 'isregex useregex regexp isregexp'.split(' '),
  ranked: 'rank semantic natural fulltext'.split(' '),
  context: 'contextlines linesofcontext'.split(' '),
  depth: 'maxdepth levels level'.split(' '),
  redirectTo: 'redirect redirecturl successor'.split(' '),
  navigation: 'nav addtonavigation innavigation'.split(' '),
};

/** Remarks that models add to a call, and options of other tools that describe the default. */
const SAYS_NOTHING = new Set(
  'explanation description reason reasoning thought thoughts thinking purpose intent encoding recursive'.split(' '),
);

/** The one habit that means the opposite. */
const NOT_IGNORING_CASE = 'casesensitive';

const WRAPPERS = new Set(['input', 'arguments', 'args', 'parameters', 'params', 'properties']);

/**
 * Repairs mistakes of form that weak models make, if only one meaning is possible: the input as JSON text or
 * in a wrapper; another tool's name for a field; numbers and booleans as text; null or an empty text for an
 * unused option. The schema rejects the rest.
 */
export function lenientInput(input: unknown, fields: InputFields): unknown {
  const object = unwrapped(input, fields, 4);
  if (!isObject(object)) return object;
  const given = Object.entries(object).filter(([name, value]) => !isAbsent(name, value, fields));
  const named = new Map(given.filter(([name]) => fields.types.has(name)));
  const others = given.filter(([name]) => !fields.types.has(name));
  const result: [string, unknown][] = [...named];
  for (const [name, value] of others) {
    const field = fieldMeant(name, value, fields, named);
    if (field === 'ignored') continue;
    if (field === null) result.push([name, value]);
    else {
      named.set(field.name, field.value);
      result.push([field.name, field.value]);
    }
  }
  return Object.fromEntries(result.map(([name, value]) => [name, typed(value, fields.types.get(name))]));
}

function unwrapped(input: unknown, fields: InputFields, depth: number): unknown {
  if (depth === 0) return input;
  if (input === undefined || input === null) return {};
  if (typeof input === 'string') {
    const value = parsed(input);
    return value === input ? input : unwrapped(value, fields, depth - 1);
  }
  if (Array.isArray(input)) return input.length === 1 && isObject(input[0]) ? input[0] : input;
  if (!isObject(input)) return input;
  const names = Object.keys(input);
  const [name] = names;
  if (names.length !== 1 || !WRAPPERS.has(name!) || fields.types.has(name!)) return input;
  const inside = input[name!];
  return isObject(inside) || typeof inside === 'string' ? unwrapped(inside, fields, depth - 1) : input;
}

function parsed(text: string): unknown {
  const bare = text
    .trim()
    .replace(/^```(?:json)?\s*\n([^]*?)\n?```$/, '$1')
    // Some servers stream an empty object in front of the arguments.
    .replace(/^\{\}\s*(?=\{)/, '');
  try {
    return bare === '' ? {} : JSON.parse(bare);
  } catch {
    return text;
  }
}

function isAbsent(name: string, value: unknown, { types, required }: InputFields): boolean {
  if (value === null || value === undefined) return true;
  if (!types.has(name)) return value === '' || (value === false && plainName(name) !== NOT_IGNORING_CASE);
  return value === '' && !required.has(name);
}

/** The field that another name means; `ignored` for one without meaning; null for an unclear one. */
function fieldMeant(
  name: string,
  value: unknown,
  { types }: InputFields,
  taken: ReadonlyMap<string, unknown>,
): { name: string; value: unknown } | 'ignored' | null {
  const plain = plainName(name);
  const free = (field: string) => types.has(field) && !taken.has(field);
  if (plain === NOT_IGNORING_CASE && free('ignoreCase')) return { name: 'ignoreCase', value: !isTrue(value) };
  if ((plain === 'endline' || plain === 'lineend') && free('limit')) {
    const [first, last] = [Number(taken.get('offset') ?? 1), Number(value)];
    return last >= first ? { name: 'limit', value: last - first + 1 } : null;
  }
  for (const field of types.keys()) {
    const meant = plainName(field) === plain || HABITS[field]?.includes(plain);
    if (meant && free(field)) return { name: field, value };
    // The same value twice.
    if (meant && taken.get(field) === value) return 'ignored';
  }
  return SAYS_NOTHING.has(plain) ? 'ignored' : null;
}

function plainName(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, '');
}

function typed(value: unknown, type: string | undefined): unknown {
  if (type === 'boolean') {
    if (typeof value === 'string' && /^(true|yes|1|false|no|0)$/i.test(value.trim())) return isTrue(value);
    return value === 1 || value === 0 ? value === 1 : value;
  }
  if (type === 'integer' || type === 'number') {
    return typeof value === 'string' && /^\s*\d{1,9}(\.0+)?\s*$/.test(value) ? Number(value) : value;
  }
  if (type !== 'string') return value;
  if (typeof value === 'number') return String(value);
  // A text as a list of its lines.
  const isLines = Array.isArray(value) && value.length > 0 && value.every((line) => typeof line === 'string');
  return isLines ? value.join('\n') : value;
}

function isTrue(value: unknown): boolean {
  return value === true || value === 1 || (typeof value === 'string' && /^\s*(true|yes|1)\s*$/i.test(value));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
