import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { newId } from '../../store/ids.ts';
import { isMissing } from './durable-files.ts';
import { claimedBy, claimFolder, claimFromDead, isClaimedHere } from './folder-claim.ts';

/** A folder that nobody but its owner may delete, also while it is empty. Its name is new each time: process ids are the same in every container. */
export interface OwnedFolder {
  readonly path: string;
  /** Deletes it. */
  release(): void;
}

const DUCK = 'duck-';
const STAGE = 'backup-';
const RUNS = 'runs-';
const isOwned = (name: string): boolean => [DUCK, STAGE, RUNS].some((prefix) => name.startsWith(prefix));

/** Where one DuckDB puts what does not fit into memory. It makes the folder when it first needs it; release it when it is closed. */
export const claimDuckFolder = (temporaryFolder: string): OwnedFolder => claimOwned(temporaryFolder, DUCK);

/** Where a backup holds the files that it is to read. */
export const claimStage = (temporaryFolder: string): OwnedFolder => claimOwned(temporaryFolder, STAGE);

/** Where presence is sorted whose counts are recomputed. */
export const claimRuns = (temporaryFolder: string): OwnedFolder => claimOwned(temporaryFolder, RUNS);

/** A folder below `temporaryFolder`. What processes that died on this machine left there is cleared away first. */
function claimOwned(temporaryFolder: string, prefix: string): OwnedFolder {
  mkdirSync(temporaryFolder, { recursive: true, mode: 0o700 });
  clearAfterDead(temporaryFolder, readdirSync(temporaryFolder));
  const folder = path.join(temporaryFolder, `${prefix}${newId()}`);
  const claim = claimFolder(folder);
  return {
    path: folder,
    release: () => {
      rmSync(folder, { recursive: true, force: true });
      claim?.release();
    },
  };
}

/** The owned folders below a folder of temporary files, as somebody sees them who looks again and again. */
export class OwnedFolders {
  readonly #temporaryFolder: string;
  readonly #touched = new Map<string, number>();

  constructor(temporaryFolder: string) {
    this.#temporaryFolder = temporaryFolder;
  }

  /** Whether a file or folder below the temporary folder belongs to one of them. */
  has(file: string): boolean {
    return isOwned(path.relative(this.#temporaryFolder, file));
  }

  /**
   * Clears away what processes of this machine left that are dead.
   * @returns folders and files of owners that nobody can see from here and that gave no sign of life since the last look
   */
  async silent(): Promise<string[]> {
    clearAfterDead(this.#temporaryFolder, await readdir(this.#temporaryFolder));
    const names = (await readdir(this.#temporaryFolder)).filter(isOwned);
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
    const folder = isOwned(name) ? claimedBy(name) : null;
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
