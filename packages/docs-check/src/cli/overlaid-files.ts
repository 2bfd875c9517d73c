import type { DocsFiles } from '../read/docs-site.ts';
import { blobIdOf } from '@docent/base/files/object-id';

/** Files with one text that replaces the disk's: unsaved text of an editor. */
export class OverlaidFiles implements DocsFiles {
  readonly #files: DocsFiles;
  readonly #path: string;
  readonly #text: string;
  readonly #paths: readonly string[];

  constructor(files: DocsFiles, path: string, text: string) {
    this.#files = files;
    this.#path = path;
    this.#text = text;
    const paths = files.paths();
    this.#paths = paths.includes(path) ? paths : [...paths, path].toSorted();
  }

  paths(): readonly string[] {
    return this.#paths;
  }

  kind(name: string): string | null {
    return name === this.#path ? 'text' : this.#files.kind(name);
  }

  exists(name: string): boolean {
    return name === this.#path || this.#files.exists(name);
  }

  readText(name: string): string | null {
    return name === this.#path ? this.#text : this.#files.readText(name);
  }

  size(name: string): number {
    return name === this.#path ? Buffer.byteLength(this.#text) : this.#files.size(name);
  }

  blobKey(name: string): string {
    return name === this.#path ? blobIdOf(this.#text) : this.#files.blobKey(name);
  }
}
