import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { newId } from '../../store/ids.ts';
import { isMissing } from './durable-files.ts';
import { claimedBy, claimFolder, claimFromDead, isClaimedHere } from './folder-claim.ts';

/**
 * Where one DuckDB puts what does not fit into memory. It makes the folder when it first needs it and deletes it when it is closed;
 * until then nobody else may, also while the folder is empty. Its name is new each time: process ids are the same in every container.
 */
export interface DuckFolder {
  readonly path: string;
  /** Call it when DuckDB is closed. */
  release(): void;
}

const PREFIX = 'duck-';

/** A folder below `temporaryFolder`. What processes that died on this machine left there is cleared away first. */
export function claimDuckFolder(temporaryFolder: string): DuckFolder {
  mkdirSync(temporaryFolder, { recursive: true, mode: 0o700 });
  clearAfterDead(temporaryFolder, readdirSync(temporaryFolder));
  const folder = path.join(temporaryFolder, `${PREFIX}${newId()}`);
  const claim = claimFolder(folder);
  return {
    path: folder,
    release: () => {
      rmSync(folder, { recursive: true, force: true });
      claim?.release();
    },
  };
}

/** The DuckDB folders below a folder of temporary files, as somebody sees them who looks again and again. */
export class DuckFolders {
  readonly #temporaryFolder: string;
  readonly #touched = new Map<string, number>();

  constructor(temporaryFolder: string) {
    this.#temporaryFolder = temporaryFolder;
  }

  /** Whether a file or folder below the temporary folder belongs to one of them. */
  has(file: string): boolean {
    return path.relative(this.#temporaryFolder, file).startsWith(PREFIX);
  }

  /**
   * Clears away what processes of this machine left that are dead.
   * @returns folders and files of owners that nobody can see from here and that gave no sign of life since the last look
   */
  async silent(): Promise<string[]> {
    clearAfterDead(this.#temporaryFolder, await readdir(this.#temporaryFolder));
    const names = (await readdir(this.#temporaryFolder)).filter((name) => name.startsWith(PREFIX));
    const folders = new Set(names.map((name) => claimedBy(name) ?? name));
    const silent: string[] = [];
    for (const folder of folders) {
      if (isClaimedHere(path.join(this.#temporaryFolder, folder))) continue;
      const own = names.filter((name) => (claimedBy(name) ?? name) === folder);
      const paths = own.map((name) => path.join(this.#temporaryFolder, name));
      const touched = Math.max(...(await Promise.all(paths.map(touchedAt))));
      if (this.#touched.get(folder) === touched) silent.push(...paths);
      this.#touched.set(folder, touched);
    }
    for (const folder of this.#touched.keys()) if (!folders.has(folder)) this.#touched.delete(folder);
    return silent;
  }
}

function clearAfterDead(temporaryFolder: string, names: readonly string[]): void {
  for (const name of names) {
    const folder = name.startsWith(PREFIX) ? claimedBy(name) : null;
    const claim = folder && claimFromDead(path.join(temporaryFolder, folder));
    if (!folder || !claim) continue;
    rmSync(path.join(temporaryFolder, folder), { recursive: true, force: true });
    claim.release();
  }
}

async function touchedAt(file: string): Promise<number> {
  try {
    return (await stat(file)).mtimeMs;
  } catch (err) {
    if (isMissing(err)) return 0;
    throw err;
  }
}
