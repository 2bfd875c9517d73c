/** Replaces NUL and lone surrogates, which jsonb and text refuse, by U+FFFD. */
export function storable<T>(value: T): T {
  return JSON.parse(JSON.stringify(value), (_key, item: unknown) =>
    typeof item === 'string' ? storableText(item) : item,
  ) as T;
}

export function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}
