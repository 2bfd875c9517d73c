import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { randomFrom } from '../random.ts';
import type { FaultKind, Planted } from './kinds.ts';

/** A copy of a site in its own repository, in which faults are planted and taken out again. */
export class SiteCopy {
  /** The top of the repository. */
  readonly root: string;
  /** The folder that is checked, in it. */
  readonly folder: string;
  readonly #work = mkdtempSync(path.join(tmpdir(), 'docent-faults-'));

  constructor(from: string, below: string) {
    this.root = path.join(this.#work, 'site');
    this.folder = path.join(this.root, below);
    cpSync(path.resolve(from), this.root, {
      recursive: true,
      filter: (file) => !['.git', 'node_modules'].includes(path.basename(file)),
      verbatimSymlinks: true,
    });
    // The site is searched in the whole repository, without files that git ignores. Some sites' builds ask
    // for the last commit.
    for (const args of [
      ['init', '--quiet'],
      ['add', '--all'],
      ['-c', 'user.name=x', '-c', 'user.email=x@example.com', 'commit', '--quiet', '--no-verify', '--message', 'x'],
    ])
      spawnSync('git', args, { cwd: this.root, stdio: 'inherit' });
  }

  /** A file beside the copy, for caches and the like. */
  besides(name: string): string {
    return path.join(this.#work, name);
  }

  remove(): void {
    rmSync(this.#work, { recursive: true, force: true });
  }

  /** Plants faults of a kind in up to `each` pages, runs `look`, and takes them out. */
  planted<T>(kind: FaultKind, each: number, seed: number, look: (pages: ReadonlyMap<string, Planted>) => T): T {
    const random = randomFrom(seed);
    const pages = new Map<string, Planted & { before: string }>();
    for (const file of shuffled(this.#pages().filter(kind.fits), random)) {
      if (pages.size >= each) break;
      const before = readFileSync(file, 'utf8');
      const fault = kind.plant(before, random);
      if (fault) pages.set(file, { ...fault, before });
    }
    try {
      for (const [file, { text }] of pages) writeFileSync(file, text);
      return look(pages);
    } finally {
      for (const [file, { before }] of pages) writeFileSync(file, before);
    }
  }

  #pages(): string[] {
    return readdirSync(this.folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.mdx?$/.test(name) && !/(?:^|\/)(?:_|\.|snippets\/|node_modules\/|SUMMARY\.md$)/.test(name))
      .map((name) => path.join(this.folder, name))
      .toSorted();
  }
}

function shuffled<T>(all: readonly T[], random: () => number): T[] {
  return all
    .map((item) => ({ item, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item);
}
