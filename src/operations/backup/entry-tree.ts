import { BackupDamaged } from './archive.ts';

/** The kinds of entries that a backup has: others, such as hard links and devices, are forged. */
const KINDS = ['file', 'directory', 'symlink'];

/**
 * Checks names in a backup, so that none escapes the target: no entry below a symbolic link, no links in page
 * views.
 */
export class EntryTree {
  readonly #file: string;
  readonly #ignoresCase: boolean;
  readonly #links = new Set<string>();
  readonly #folders = new Set<string>();

  /** @param ignoresCase whether the file system ignores case and forms of Unicode */
  constructor(file: string, ignoresCase = ['darwin', 'win32'].includes(process.platform)) {
    this.#file = file;
    this.#ignoresCase = ignoresCase;
  }

  /** @throws BackupDamaged */
  add({ name, linkname }: { name: string; linkname: string | null }, kind: string): void {
    if (!KINDS.includes(kind)) throw this.#damaged(name, `is a ${kind}`);
    const parts = (this.#ignoresCase ? name.normalize('NFC').toLowerCase() : name).split('/');
    const own = parts.join('/');
    for (let depth = 1; depth < parts.length; depth += 1) {
      const folder = parts.slice(0, depth).join('/');
      if (this.#links.has(folder)) throw this.#damaged(name, 'is below a link');
      this.#folders.add(folder);
    }
    if (linkname === null) return;
    if (this.#folders.has(own)) throw this.#damaged(name, 'is a link, and a folder');
    if (parts[0] === 'analytics') throw this.#damaged(name, 'is a link among page views');
    this.#links.add(own);
  }

  #damaged(name: string, what: string): BackupDamaged {
    return new BackupDamaged(
      `${this.#file} is damaged or forged: ${JSON.stringify(name)} ${what}, which never occurs in a Docent backup.`,
    );
  }
}
