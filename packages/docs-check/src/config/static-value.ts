/**
 * The literal values of a configuration that is not run. A value that only running the code would show is
 * `unknown`; a list or an object that may get more is `open`.
 */
export type StaticValue = { at: Place } & (
  | { type: 'scalar'; value: string | number | boolean | null }
  | { type: 'pattern'; source: string; flags: string }
  | { type: 'list'; items: StaticValue[]; open: boolean }
  | { type: 'object'; fields: Map<string, StaticValue>; open: boolean }
  /** For YAML's custom tags: `tag` is the name, `of` the tagged value. */
  | { type: 'unknown'; tag?: string; of?: StaticValue }
);

/** The position of a value: the file in the repository, and offsets in its text. */
export interface Place {
  path: string;
  start: number;
  end: number;
}

export const NOWHERE: Place = { path: '', start: 0, end: 0 };
export const UNKNOWN: StaticValue = { type: 'unknown', at: NOWHERE };

/** A nested value; undefined if missing. Anything below something unknown is unknown. */
export function fieldOf(value: StaticValue | undefined, ...names: readonly string[]): StaticValue | undefined {
  let current = value;
  for (const name of names) {
    if (current?.type === 'unknown') return current;
    if (current?.type !== 'object') return undefined;
    current = current.fields.get(name) ?? (current.open ? UNKNOWN : undefined);
  }
  return current;
}

export function textOf(value: StaticValue | undefined): string | undefined {
  return value?.type === 'scalar' && typeof value.value === 'string' ? value.value : undefined;
}

export function flagOf(value: StaticValue | undefined): boolean | undefined {
  return value?.type === 'scalar' && typeof value.value === 'boolean' ? value.value : undefined;
}

export function itemsOf(value: StaticValue | undefined): readonly StaticValue[] {
  return value?.type === 'list' ? value.items : [];
}

export function fieldsOf(value: StaticValue | undefined): ReadonlyMap<string, StaticValue> {
  return value?.type === 'object' ? value.fields : new Map();
}

/** Whether it may contain more than is written. */
export function isOpen(value: StaticValue | undefined): boolean {
  if (value?.type === 'list' || value?.type === 'object') return value.open;
  return value?.type === 'unknown';
}

/** Whether it contains nothing unknown, at any depth. */
export function isClosed(value: StaticValue | undefined): boolean {
  if (value === undefined) return true;
  if (isOpen(value)) return false;
  if (value.type === 'list') return value.items.every(isClosed);
  return value.type !== 'object' || [...value.fields.values()].every(isClosed);
}
