import type { SiteAddresses } from '../generators/generator.ts';
import { canonical, isAscii } from '@docent/base/canonical';
import { withoutPageExtension } from './page-format.ts';

/** By the files of a site: the names among them that are not composed, by their composed form. */
const known = new WeakMap<ReadonlySet<string>, ReadonlyMap<string, string>>();

/**
 * A path, link or entry of a navigation with the names of files and folders as the repository spells them in
 * Unicode.
 */
export function respelled(files: ReadonlySet<string>, path: string): string {
  if (isAscii(path)) return path;
  let names = known.get(files);
  if (!names) known.set(files, (names = namesIn(files)));
  return canonical(path)
    .split('/')
    .map((name) => names.get(name) ?? name)
    .join('/');
}

function namesIn(files: ReadonlySet<string>): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const path of files) {
    if (canonical(path) === path) continue;
    for (const name of path.split('/').flatMap((segment) => [segment, withoutPageExtension(segment)])) {
      if (canonical(name) !== name) names.set(canonical(name), name);
    }
  }
  return names;
}

/** Addresses whose navigation entries find files by either Unicode form of their names. */
export function findingEitherForm(addresses: SiteAddresses, files: ReadonlySet<string>): SiteAddresses {
  const exact = addresses.fileOf?.bind(addresses);
  if (!exact) return addresses;
  addresses.fileOf = (entry) => {
    const found = exact(entry);
    const value = respelled(files, entry.value);
    return found === null && value !== entry.value ? exact({ ...entry, value }) : found;
  };
  return addresses;
}
