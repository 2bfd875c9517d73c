/**
 * The items of a list of the API, page by page.
 * @param ask requests one page
 * @param limit stops at this many
 */
export async function allPages<Item>(
  ask: (page: { limit: number; cursor: string | undefined }) => Promise<{ items: Item[]; next: string | null }>,
  limit = Infinity,
): Promise<Item[]> {
  const all: Item[] = [];
  let cursor: string | undefined;
  do {
    const { items, next } = await ask({ limit: Math.min(100, limit - all.length), cursor });
    all.push(...items);
    cursor = next ?? undefined;
  } while (cursor !== undefined && all.length < limit);
  return all;
}
