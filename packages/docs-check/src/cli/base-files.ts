import type { DocsFiles } from '../read/docs-site.ts';
import { pageFormatOf } from '../read/page-format.ts';
import { MAX_CHECKED_BYTES } from '@docent/base/files/large-files';
import { git, type DiskFiles } from './disk-files.ts';
import { CliFailure, EXIT } from '@docent/base/terminal/failures';

/**
 * The files of a commit, for comparison. Unchanged ones are read from the disk. Changed pages and
 * configurations are read from git together; of other files only the existence is known.
 */
export class BaseFiles implements DocsFiles {
  readonly #blobs = new Map<string, { id: string; kind: 'text' | 'symlink' | 'submodule' }>();
  readonly #texts = new Map<string, string>();
  readonly #sizes = new Map<string, number>();
  readonly #now: DiskFiles;
  readonly #paths: string[];

  /** @throws the error of git if there is no such commit */
  constructor(now: DiskFiles, commit: string) {
    this.#now = now;
    const listed = git(now.top, ['ls-tree', '-r', '-z', '--full-tree', commit, '--']).toString('utf8');
    for (const line of listed.split('\0')) {
      const [, mode, id, name] = /^(\d+) \w+ ([0-9a-f]+)\t(.*)$/s.exec(line) ?? [];
      if (mode === undefined || id === undefined || name === undefined) continue;
      this.#blobs.set(name, { id, kind: mode === '120000' ? 'symlink' : mode === '160000' ? 'submodule' : 'text' });
    }
    this.#paths = [...this.#blobs.keys()].toSorted();
    const wanted = new Set<string>();
    for (const [name, { id, kind }] of this.#blobs) {
      if (kind === 'text' && isRead(name) && !(now.exists(name) && now.blobKey(name) === id)) wanted.add(id);
    }
    if (wanted.size > 0) this.#load(wanted);
  }

  paths(): readonly string[] {
    return this.#paths;
  }

  kind(name: string): string | null {
    return this.#blobs.get(name)?.kind ?? null;
  }

  exists(name: string): boolean {
    return this.#blobs.get(name)?.kind === 'text';
  }

  readText(name: string): string | null {
    const blob = this.#blobs.get(name);
    if (blob?.kind !== 'text') return null;
    const loaded = this.#texts.get(blob.id);
    if (loaded !== undefined) return loaded;
    if (this.#now.exists(name) && this.#now.blobKey(name) === blob.id) return this.#now.readText(name);
    // Changed since these files were listed.
    if (isRead(name) && !this.#sizes.has(blob.id)) this.#load(new Set([blob.id]));
    return this.#texts.get(blob.id) ?? null;
  }

  size(name: string): number {
    return this.#sizes.get(this.blobKey(name)) ?? (this.#now.exists(name) ? this.#now.size(name) : 0);
  }

  blobKey(name: string): string {
    return this.#blobs.get(name)?.id ?? '';
  }

  #load(wanted: ReadonlySet<string>): void {
    const output = git(this.#now.top, ['cat-file', '--batch'], `${[...wanted].join('\n')}\n`);
    let at = 0;
    while (at < output.length) {
      const end = output.indexOf(10, at);
      const [id, type, size] = output.toString('utf8', at, end).split(' ');
      at = end + 1;
      if (type === 'missing' || id === undefined) continue;
      const bytes = output.subarray(at, at + Number(size));
      this.#sizes.set(id, bytes.length);
      if (bytes.length <= MAX_CHECKED_BYTES && !bytes.includes(0)) this.#texts.set(id, bytes.toString('utf8'));
      at += Number(size) + 1;
    }
  }
}

/** Files that checks read: pages, possible configurations, and texts that may name images. */
function isRead(name: string): boolean {
  return (
    pageFormatOf(name) !== null ||
    /\.(?:json|ya?ml|toml|[cm]?[jt]sx?|vue|svelte|astro|s?css|less|html?|svg|txt)$|(?:^|\/)\.(?:mint|git)ignore$/.test(
      name,
    )
  );
}

/**
 * The commit that a branch and the checkout have in common.
 * @throws CliFailure if there is no such commit, or no repository
 */
export function commonAncestor(files: DiskFiles, ref: string): string {
  if (!files.isRepository) {
    throw new CliFailure('--changed-since requires a git repository, but this folder is not in one.', EXIT.usage);
  }
  const resolve = (args: string[]) => git(files.top, args).toString('utf8').trim();
  let commit: string;
  try {
    commit = resolve(['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`]);
  } catch (thrown) {
    const hint = 'In CI, fetch it first: a shallow checkout contains only the newest commit.';
    throw new CliFailure(`The commit ${JSON.stringify(ref)} does not exist here. ${hint}`, EXIT.usage, {
      cause: thrown,
    });
  }
  try {
    return resolve(['merge-base', commit, 'HEAD']);
  } catch {
    return commit; // A shallow checkout, or histories without a common commit.
  }
}
