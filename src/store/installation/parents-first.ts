/** Orders tables so that each follows those it references. @throws Error for circular references */
export function parentsFirst<T extends { name: string }>(
  tables: readonly T[],
  references: readonly { child: string; parent: string }[],
): T[] {
  const names = new Set(tables.map(({ name }) => name));
  const left = new Map(tables.map((table) => [table.name, table]));
  const ordered: T[] = [];
  while (left.size > 0) {
    const free = [...left.values()].filter(
      ({ name }) => !references.some(({ child, parent }) => child === name && names.has(parent) && left.has(parent)),
    );
    if (free.length === 0) throw new Error(`Tables refer to each other in a circle: ${[...left.keys()].join(', ')}.`);
    for (const table of free) {
      ordered.push(table);
      left.delete(table.name);
    }
  }
  return ordered;
}
