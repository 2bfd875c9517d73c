/**
 * A JSON value that Postgres can store: NUL and lone surrogates, which jsonb and text refuse, become U+FFFD.
 * Model output and repository text may contain either.
 */
export function storable<T>(value: T): T {
  return JSON.parse(JSON.stringify(value), (_key, item: unknown) =>
    typeof item === 'string' ? storableText(item) : item,
  ) as T;
}

export function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}
