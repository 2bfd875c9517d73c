const lengths = new WeakMap<object, number>();

/** Length of a value's JSON, computed once per object: pass only objects that no longer change. */
export function jsonLength(value: object): number {
  const length = lengths.get(value) ?? JSON.stringify(value).length;
  lengths.set(value, length);
  return length;
}
