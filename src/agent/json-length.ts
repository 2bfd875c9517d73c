const lengths = new WeakMap<object, number>();

/** Characters of a value's JSON, counted once for each object: give it only what does not change any more. */
export function jsonLength(value: object): number {
  const length = lengths.get(value) ?? JSON.stringify(value).length;
  lengths.set(value, length);
  return length;
}
