import { canonical, isAscii } from '@docent/base/canonical';
import { foldPath } from './name-alias.ts';

/** Files and folders of a tree, to find what a new path would collide with. */
export class PathIndex {
  /** How many files are at or below a path: 1 for a file itself. */
  readonly #counts = new Map<string, number>();
  /** Folded path → the paths that fold to it. */
  readonly #byFold = new Map<string, string[]>();

  constructor(paths: Iterable<string>) {
    for (const path of paths) this.add(path);
  }

  add(path: string): void {
    for (const prefix of prefixesOf(path)) {
      const count = this.#counts.get(prefix) ?? 0;
      this.#counts.set(prefix, count + 1);
      if (count > 0) continue;
      const fold = foldPath(prefix);
      const twins = this.#byFold.get(fold);
      if (twins) twins.push(prefix);
      else this.#byFold.set(fold, [prefix]);
    }
  }

  delete(path: string): void {
    for (const prefix of prefixesOf(path)) {
      const count = this.#counts.get(prefix) ?? 0;
      if (count > 1) {
        this.#counts.set(prefix, count - 1);
        continue;
      }
      this.#counts.delete(prefix);
      const fold = foldPath(prefix);
      const others = (this.#byFold.get(fold) ?? []).filter((twin) => twin !== prefix);
      if (others.length > 0) this.#byFold.set(fold, others);
      else this.#byFold.delete(fold);
    }
  }

  /** Whether a file or a folder has exactly this path. */
  has(path: string): boolean {
    return this.#counts.has(path);
  }

  /** The tree's spelling of a path that differs in Unicode normal form; new names are composed (NFC). */
  spelled(path: string): string {
    if (this.has(path) || isAscii(path)) return path;
    let known = '';
    for (const segment of path.split('/')) {
      const [own, composed] = [join(known, segment), join(known, canonical(segment))];
      const twins = this.#byFold.get(foldPath(own)) ?? [];
      known = this.has(own) ? own : (twins.find((twin) => canonical(twin) === canonical(own)) ?? composed);
    }
    return known;
  }

  /** How much of a path is there already: the deepest folder on the way to it, without a slash at its end. */
  existingPart(path: string): string {
    let known = '';
    for (const prefix of prefixesOf(path)) {
      if (!this.has(prefix)) break;
      known = prefix;
    }
    return known;
  }

  /** A file or folder that differs from this path, or a folder on it, only by case or normal form. */
  twinOf(path: string): string | null {
    for (const prefix of prefixesOf(path)) {
      if (this.#counts.has(prefix)) continue;
      const twin = this.#byFold.get(foldPath(prefix))?.[0];
      // Nothing is below a missing prefix, so there is no twin of a longer one.
      return twin ?? null;
    }
    return null;
  }
}

function join(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

/** The folders on the way to a path, outermost first, then the path itself. */
export function* prefixesOf(path: string): Generator<string> {
  for (let slash = path.indexOf('/'); slash !== -1; slash = path.indexOf('/', slash + 1)) yield path.slice(0, slash);
  yield path;
}
