import type { DocsSite } from '../read/docs-site.ts';
import { fileOfEntry } from '../read/navigation.ts';
import { isPartial, routeOf } from '../read/site.ts';
import { isMisspelt, nameKey, nearest, pathKey } from './near-paths.ts';

/**
 * The likely correction of a navigation entry whose page is missing: an unlisted page with almost the same
 * name. Null without a clear candidate.
 * @param path the file with the entry
 */
export function navigationSuggestion(docs: DocsSite, path: string, value: string): string | null {
  const { byName, fileOf } = unlisted(docs, path, value);
  const wanted = value.replace(/^(?:\.?\/)+|\/+$/g, '').replace(/[?#].*$/s, '');
  const names = [...byName.keys()];
  const found =
    only(names.filter((name) => pathKey(name) === pathKey(wanted))) ??
    only(names.filter((name) => isMisspelt(pathKey(wanted), pathKey(name)))) ??
    nearest(
      names.filter((name) => nameKey(name) === nameKey(wanted)),
      wanted,
      wanted,
    );
  if (found === null) return null;
  const suggestion = /^(?:\.?\/)*/.exec(value)![0] + found + (value.endsWith('/') ? '/' : '');
  return fileOf(suggestion) === byName.get(found) ? suggestion : null;
}

/** Pages that no entry lists, by the names that the navigation would give them. */
function unlisted(
  { site, resolver: { addresses } }: DocsSite,
  path: string,
  value: string,
): { byName: Map<string, string>; fileOf: (value: string) => string | null | undefined } {
  const { config, generator } = site;
  const entries = generator?.navigation?.entries ?? [];
  const entry = entries.find((one) => one.value === value && one.at.path === path);
  const fileOf = (name: string) =>
    config ? fileOfEntry(site, name) : entry ? addresses?.fileOf?.({ ...entry, value: name }) : null;
  const listed = new Set(
    config ? config.entries.map((one) => fileOfEntry(site, one.value)) : entries.map((one) => addresses?.fileOf?.(one)),
  );
  const byName = new Map<string, string>();
  for (const page of site.pages) {
    // In mdBook, unlisted files are not pages yet.
    if (listed.has(page) || (isPartial(site, page) && !generator?.navigation?.isWholeSite)) continue;
    const name = config ? routeOf(site, page) : addresses?.entryOf?.(page);
    if (name) byName.set(name.replace(/^\/+/, ''), page);
  }
  return { byName, fileOf };
}

function only(names: readonly string[]): string | null {
  return names.length === 1 ? names[0]! : null;
}
