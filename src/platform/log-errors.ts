/*
 * Quotes in errors of libraries: the text that could not be parsed, the value that could not be stored. None
 * of that belongs in a log or a workflow history. Database errors are cleaned where they are created
 * (store/query-errors.ts); this covers the rest, and is a second line of defense for those.
 */
const QUOTES: readonly [RegExp, string][] = [
  // JSON.parse: `Unexpected token 'h', "hello wor"... is not valid JSON`
  [/\b(?:Unexpected token|Unexpected non-whitespace)[^\n]*? is not valid JSON/gs, 'The text is not valid JSON'],
  [/"[^\n]{0,200}" is not valid JSON/g, 'The text is not valid JSON'],
  // drizzle: the statement, then `params: …`
  [/\bFailed query: .*?(?=\n {4}at |$)/gs, 'Failed query'],
  // Headers: `Headers.append: "…" is an invalid header value.`
  [/"[^"]*" is an invalid header (name|value)/gs, '… is an invalid header $1'],
  // The AI SDK: `JSON parsing failed: Text: …`, `Type validation failed: Value: …`
  [/\b(JSON parsing failed|Type validation failed|Invalid prompt|Invalid response data): .*?(?=\n {4}at |$)/gs, '$1'],
];

/** DuckDB quotes the value and the statement. Paths of its files are kept. */
const DUCKDB =
  /\b((?:Conversion|Constraint|Invalid Input|Out of Range|Binder|Parser|Catalog) Error): (.*?)(?=\n {4}at |$)/gs;

/** The message or stack of an error, without the values that it quotes. */
export function withoutQuotes(text: string): string {
  const plain = QUOTES.reduce((left, [pattern, replacement]) => left.replace(pattern, replacement), text);
  return plain.replace(DUCKDB, (_all, kind: string, said: string) => `${kind}: ${withoutLiterals(said)}`);
}

function withoutLiterals(said: string): string {
  const first = said.split(/\n\s*\n|\nLINE /, 1)[0] ?? '';
  return first.replace(/'[^']*'|"[^"]*"/g, (literal) => (/\.(?:parquet|wal|tmp)['"]$/.test(literal) ? literal : '…'));
}
