import { execFileSync } from 'node:child_process';
import { homedir } from 'node:os';
import { existsSync, lstatSync, readdirSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import type { DocsFiles } from '../read/docs-site.ts';
import { ignoreRules } from '../read/ignore-rules.ts';
import { cleanEnvironment } from '@docent/base/clean-environment';
import { isSiteConfig } from '../read/find-site.ts';
import { readFile } from './read-file.ts';

const MAX_OUTPUT = 512 * 1_048_576;

type Kind = 'text' | 'symlink' | 'submodule';

/** The current files of a folder on this disk: those that git knows or would add, without ignored ones. */
export class DiskFiles implements DocsFiles {
  /**
   * The repository's folder; without one, the nearest folder above with a site's configuration, or the given
   * one. Absolute.
   */
  readonly top: string;
  /** Whether {@link DiskFiles.top} is a git repository that git can read. */
  readonly isRepository: boolean;
  readonly #kinds = new Map<string, Kind>();
  /** Used for each link into a page. */
  readonly #keys = new Map<string, string>();
  readonly #texts = new Map<string, { text: string | null; key: string }>();
  #sorted: string[] | null = null;

  /** @param known earlier files of the same folder: all except the changed ones are assumed to be the same */
  constructor(folder: string, known: { files: DiskFiles; changed: ReadonlySet<string> } | null = null) {
    const listed = listWithGit(folder);
    this.isRepository = listed !== null;
    this.top = listed?.top ?? siteAbove(folder) ?? folder;
    for (const name of listed?.paths ?? listFolder(this.top)) {
      const kind = kindOf(this.top, name);
      if (kind) this.#kinds.set(name, kind);
      const key = known && !known.changed.has(name) ? known.files.#keys.get(name) : undefined;
      if (kind && key !== undefined) this.#keys.set(name, key);
    }
  }

  paths(): readonly string[] {
    this.#sorted ??= [...this.#kinds.keys()].toSorted();
    return this.#sorted;
  }

  kind(name: string): string | null {
    return this.#kinds.get(name) ?? null;
  }

  exists(name: string): boolean {
    return this.#kinds.get(name) === 'text';
  }

  readText(name: string): string | null {
    return this.exists(name) ? this.#load(name).text : null;
  }

  size(name: string): number {
    return statSync(path.join(this.top, name), { throwIfNoEntry: false })?.size ?? 0;
  }

  blobKey(name: string): string {
    return this.#keys.get(name) ?? this.#load(name).key;
  }

  /** Takes over what someone else has read of a file. */
  know(name: string, blobKey: string): void {
    this.#keys.set(name, blobKey);
  }

  /** Whether a listed file still exists, of the same kind. */
  isStill(name: string): boolean {
    return this.kind(name) === kindOf(this.top, name);
  }

  /** The file changed: it is read again. */
  forget(name: string): void {
    this.#texts.delete(name);
    this.#keys.delete(name);
  }

  /** A page is read for its key and again for its text: it is kept in between, not longer. */
  #load(name: string): { text: string | null; key: string } {
    const known = this.#texts.get(name);
    if (known) {
      this.#texts.delete(name);
      return known;
    }
    const loaded = readFile(path.join(this.top, name));
    if (this.#texts.size > 16) this.#texts.clear();
    this.#texts.set(name, loaded);
    this.#keys.set(name, loaded.key);
    return loaded;
  }
}

/** Git on a user's checkout: none of its programs are started, and nothing is fetched. */
export function git(folder: string, args: readonly string[], input?: string): Buffer {
  return execFileSync('git', ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', ...args], {
    cwd: folder,
    env: cleanEnvironment(),
    maxBuffer: MAX_OUTPUT,
    stdio: ['pipe', 'pipe', 'ignore'],
    ...(input !== undefined && { input }),
  });
}

function listWithGit(folder: string): { top: string; paths: string[] } | null {
  try {
    const top = git(folder, ['rev-parse', '--show-toplevel']).toString('utf8').replace(/\n$/, '');
    const listed = git(top, ['ls-files', '-z', '--cached', '--others', '--exclude-standard']);
    const paths = listed.toString('utf8').split('\0').filter(Boolean);
    // A folder that git ignores is listed separately.
    const inside = path.relative(realpathSync(top), realpathSync(folder)).split(path.sep).join('/');
    return inside === '' || paths.some((name) => name.startsWith(`${inside}/`))
      ? { top, paths: [...new Set(paths)] }
      : null;
  } catch {
    return null; // No git, or no repository.
  }
}

/** How many folders above the docs a site's configuration is looked for. */
const MAX_ABOVE = 5;

/**
 * The nearest folder, from this one on up, that has a site's configuration; null if the next ones have
 * none.
 */
function siteAbove(folder: string): string | null {
  let above = folder;
  for (let steps = 0; steps <= MAX_ABOVE && above !== homedir(); steps += 1) {
    if (readdirSync(above).some((name) => isSiteConfig(name) || name === '.vitepress')) return above;
    const parent = path.dirname(above);
    if (parent === above) return null;
    above = parent;
  }
  return null;
}

/** Without git: every file except those excluded by a `.gitignore` on the way. */
function listFolder(folder: string): string[] {
  const found: string[] = [];
  const visit = (inside: string, rules: readonly { below: string; ignores: (name: string) => boolean }[]) => {
    const entries = readdirSync(path.join(folder, inside), { withFileTypes: true });
    const own = entries.some((entry) => entry.isFile() && entry.name === '.gitignore')
      ? [{ below: inside, ignores: ignoreRules(readFile(path.join(folder, inside, '.gitignore')).text ?? '') }]
      : [];
    const all = [...rules, ...own];
    for (const entry of entries) {
      const name = inside === '' ? entry.name : `${inside}/${entry.name}`;
      if (entry.name === '.git' || (entry.isDirectory() && entry.name === 'node_modules')) continue;
      if (all.some(({ below, ignores }) => ignores(below === '' ? name : name.slice(below.length + 1)))) continue;
      if (entry.isDirectory()) visit(name, all);
      else found.push(name);
    }
  };
  visit('', []);
  return found;
}

/** A symbolic link to a file of the same tree is that file; any other is not followed. */
function kindOf(top: string, name: string): Kind | null {
  const file = path.join(top, name);
  try {
    const stats = lstatSync(file);
    if (stats.isFile()) return 'text';
    if (stats.isDirectory()) return 'submodule';
    if (!stats.isSymbolicLink()) return null;
    if (isIntoEmptyFolder(file)) return 'symlink';
    const target = realpathSync(file);
    const isInside = target.startsWith(realpathSync(top) + path.sep);
    return isInside && statSync(target).isFile() ? 'text' : 'symlink';
  } catch {
    return null; // Deleted but still in the index, or a link to nowhere.
  }
}

/** Whether a link leads into a submodule that is not checked out. */
function isIntoEmptyFolder(link: string): boolean {
  let target = path.resolve(path.dirname(link), readlinkSync(link));
  if (existsSync(target)) return false;
  while (!existsSync(target)) target = path.dirname(target);
  return statSync(target).isDirectory() && readdirSync(target).length === 0;
}
