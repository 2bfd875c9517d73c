import type { Head } from './head.ts';
import type { Notes, ReadArchive } from './archive-reader.ts';
import { Expected } from '../../platform/errors.ts';

const TABLE = 'analytics_files';

/** Compares the event files of a backup with its database. */
export class ManifestCheck {
  readonly #columns: readonly string[];
  readonly #files = new Map<string, { bytes: number; sha256: string }>();
  readonly #withoutFooter = new Set<string>();
  #rest = '';

  constructor(head: Head) {
    this.#columns = head.tables.find(({ name }) => name === TABLE)?.columns ?? [];
  }

  /** Rows of a table, in order; only the manifest's tables are used. */
  take(table: string, rows: Buffer): void {
    if (table !== TABLE) return;
    const lines = (this.#rest + rows.toString('utf8')).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      const values = line.split('\t');
      const value = (column: string) => values[this.#columns.indexOf(column)] ?? '';
      // COPY writes a backslash as two.
      this.#files.set(value('path'), { bytes: Number(value('bytes')), sha256: value('sha256').replace(/^\\\\x/, '') });
    }
  }

  get size(): number {
    return this.#files.size;
  }

  /** The SHA-256 and size that a file must have; undefined for one that the manifest does not name. */
  wanted(path: string): { bytes: number; sha256: string } | undefined {
    return this.#files.get(path);
  }

  /** A file does not end as Parquet does. */
  noFooter(path: string): void {
    this.#withoutFooter.add(path);
  }

  /**
   * @param elsewhere files of other backups
   * @throws Expected `backup_damaged` for a missing file that was there when the backup was made
   */
  requireAll({ entries, notes }: ReadArchive, elsewhere: ReadonlySet<string>): void {
    const known = new Set([...notes.missing, ...notes.damaged]);
    for (const [path, { bytes, sha256 }] of this.#files) {
      if (known.has(path) || elsewhere.has(path)) continue;
      const found = entries.get(`analytics/${path}`);
      if (found?.bytes !== bytes || found.sha256 !== sha256 || this.#withoutFooter.has(path)) {
        throw new Expected(
          'backup_damaged',
          `${path}, a file of page views, is missing from the backup or does not match its database.`,
        );
      }
    }
  }
}

/** Problems of the backed-up installation, by the backup's notes. */
export function lossesOf({ missing, damaged }: Notes): string[] {
  return [
    ...(missing.length > 0 ? [`${missing.length} page-view files were missing, for example ${missing[0]}.`] : []),
    ...(damaged.length > 0 ? [`${damaged.length} page-view files were damaged, for example ${damaged[0]}.`] : []),
  ];
}
