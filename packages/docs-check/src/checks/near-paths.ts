import { basename } from 'node:path/posix';
import { withoutPageExtension } from '../read/page-format.ts';
import { isSlip } from '../read/similar-text.ts';

/** Similarities between paths that people confuse. */

/** One segment differs, by a letter or two. */
export function isMisspelt(wanted: string, path: string): boolean {
  if (Math.abs(wanted.length - path.length) > 2) return false;
  const [left, right] = [wanted.split('/'), path.split('/')];
  if (left.length !== right.length) return false;
  const different = left.flatMap((segment, i) => (segment === right[i] ? [] : [[segment, right[i]!] as const]));
  const [pair, ...others] = different;
  if (!pair || others.length > 0) return false;
  return isSlip(...pair);
}

/** Equal for paths that people mix up: by case, extension, `index`, dashes, underscores and blanks. */
export function pathKey(path: string): string {
  return withoutPageExtension(path.replace(/\.html?$/i, '').replace(/\/+$/, ''))
    .replace(/(^|\/)(index|readme)$/i, '')
    .toLowerCase()
    .replace(/[_\s]+/g, '-');
}

export function nameKey(path: string): string {
  return basename(pathKey(path));
}

/** The one that shares most folders with the wanted path, if unique; else with the page. */
export function nearest(paths: readonly string[], wanted: string, page: string): string | null {
  if (paths.length <= 1) return paths[0] ?? null;
  for (const origin of [wanted, page]) {
    const scored = paths
      .map((path) => ({ path, score: sharedFolders(path, origin) }))
      .toSorted((a, b) => b.score - a.score);
    if (scored[0]!.score > scored[1]!.score) return scored[0]!.path;
  }
  return null;
}

function sharedFolders(a: string, b: string): number {
  const [left, right] = [a.split('/').slice(0, -1), b.split('/').slice(0, -1)];
  const differ = left.findIndex((segment, i) => segment !== right[i]);
  return differ === -1 ? left.length : differ;
}
