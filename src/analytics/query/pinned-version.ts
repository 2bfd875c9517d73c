import { setImmediate as endOfTurn } from 'node:timers/promises';
import { readManifest, readManifestHead, type Manifest, type ManifestHead } from '../../store/analytics/manifest.ts';
import type { Database } from '../../store/database.ts';
import { newId } from '../../store/ids.ts';
import type { AnalyticsFolder } from '../storage/analytics-folder.ts';
import { withCountChanges } from '../counts/count-changes.ts';
import type { Duck } from '../storage/duck.ts';
import { findDamage } from '../storage/file-check.ts';
import { FilesDamaged } from '../storage/files-damaged.ts';
import { unpackUnmerged } from '../counts/unmerged.ts';
import { addedCube } from '../counts/count-sql.ts';
import { absolutePaths, ofFamily } from '../storage/tables.ts';
import { CubeLayer } from './cube-layer.ts';
import { CubeIndexes, type CubeIndex } from './cube-index.ts';

/** A project at one version, held for a query: its files, and a table of unmerged events. */
export interface PinnedVersion {
  manifest: Manifest;
  /** Name of a DuckDB table: the unmerged events without repeats, with their `day`. */
  unmerged: string;
  isAllMerged: boolean;
  /** Merged and unmerged events alike, by whole days. */
  cube: CubeIndex;
  /** Name of a DuckDB table: the revisits' changes by unmerged events. Null if there are none. */
  revisits: () => Promise<string | null>;
}

/** The cached data of a version, without its cube. */
type Opened = Omit<PinnedVersion, 'cube' | 'revisits'>;

/** The changes that a merge would make: the cube, and the name of a DuckDB table of revisits. */
interface Changes {
  cube: CubeLayer;
  revisits: string;
}

interface Entry {
  manifest: Promise<Manifest>;
  /** Opened when a question needs it first. */
  opened: Promise<Opened> | null;
  /** Computed when a question needs it first; null if all is merged. */
  changes: Promise<Changes | null> | null;
  users: number;
  usedAt: number;
}

/** Unmerged events that are kept unpacked, by project and version. */
const KEPT = 8;

/** The versions in use by queries of one process. Each is unpacked once. */
export class PinnedVersions {
  readonly #database: Database;
  readonly #folder: AnalyticsFolder;
  readonly #duck: Duck;
  readonly #cubes: CubeIndexes;
  readonly #entries = new Map<string, Entry>();
  /** Tables of released versions that could not be dropped. */
  readonly #undropped: string[] = [];
  /** Heads that are about to be read. */
  readonly #heads = new Map<string, Promise<ManifestHead>>();

  /** @param maxCubeRows the most rows of cubes in memory; for a larger cube, each query reads its files */
  constructor(database: Database, folder: AnalyticsFolder, duck: Duck, maxCubeRows?: number) {
    this.#database = database;
    this.#folder = folder;
    this.#duck = duck;
    this.#cubes = new CubeIndexes(folder, duck, maxCubeRows);
  }

  /** Passes a version, by default the newest, to `use`. @throws Expected `version_gone`, FilesDamaged */
  async use<T>(
    projectId: string,
    version: number | undefined,
    work: (pinned: PinnedVersion) => Promise<T>,
  ): Promise<T> {
    const head = await this.#headOf(projectId, version);
    const entry = this.#entryOf(head);
    entry.users += 1;
    entry.usedAt = performance.now();
    try {
      const opened = await this.#open(entry);
      // The floor is not part of a version: deleted days do not come back in an old one.
      const manifest = { ...opened.manifest, floorDay: head.floorDay };
      return await work({ ...opened, ...this.#computedOf(entry, opened), manifest });
    } finally {
      entry.users -= 1;
      await this.#evict();
    }
  }

  /** Read once for all callers of one turn of the event loop, after all have asked. */
  #headOf(projectId: string, version: number | undefined): Promise<ManifestHead> {
    const key = `${projectId}/${version}`;
    let head = this.#heads.get(key);
    if (!head) {
      head = endOfTurn().then(() => {
        this.#heads.delete(key);
        return readManifestHead(this.#database.db, projectId, version);
      });
      this.#heads.set(key, head);
    }
    return head;
  }

  /** Passes only the files of a version: nothing is read or unpacked. @throws Expected `version_gone` */
  async useFiles<T>(
    projectId: string,
    version: number | undefined,
    work: (pinned: { manifest: Manifest }) => Promise<T>,
  ): Promise<T> {
    return work({ manifest: await readManifest(this.#database.db, projectId, version) });
  }

  #entryOf({ projectId, version, newestFile }: ManifestHead): Entry {
    // Its tables are lost when DuckDB is started again.
    const key = `${projectId}/${version}/${newestFile}/${this.#duck.restarts}`;
    let entry = this.#entries.get(key);
    if (!entry) {
      const manifest = readManifest(this.#database.db, projectId, version);
      entry = { manifest, opened: null, changes: null, users: 0, usedAt: 0 };
      this.#entries.set(key, entry);
      manifest.catch(() => this.#entries.delete(key));
    }
    return entry;
  }

  async #open(entry: Entry): Promise<Opened> {
    const manifest = await entry.manifest;
    // Every query reads these, and they are small. Merges read the others completely.
    const read = manifest.files.filter(
      ({ family }) => family === 'unmerged' || family === 'cube' || family === 'views',
    );
    const damaged = await findDamage(this.#folder, read, Infinity);
    if (damaged.length > 0) throw new FilesDamaged(damaged);
    if (!entry.opened) {
      entry.opened = this.#unpack(manifest);
      entry.opened.catch(() => (entry.opened = null));
    }
    return entry.opened;
  }

  /** Drops all cached data. Call it when no query can come. */
  async close(): Promise<void> {
    await this.#evict(0);
  }

  /** Loaded and computed on demand. */
  #computedOf(entry: Entry, opened: Opened): Pick<PinnedVersion, 'cube' | 'revisits'> {
    const files = ofFamily(opened.manifest.files, 'cube');
    const changes = () => {
      if (!entry.changes) {
        entry.changes = opened.isAllMerged ? Promise.resolve(null) : this.#changesOf(opened);
        entry.changes.catch(() => (entry.changes = null));
      }
      return entry.changes;
    };
    // An event only changes counts of its day and later ones: earlier ranges need not wait for its changes.
    const firstChanged = Math.min(...ofFamily(opened.manifest.files, 'unmerged').map((file) => file.minDay));
    const changesBefore = async (day: number) => (day <= firstChanged ? null : await changes());
    const cube: CubeIndex = {
      count: async (from, to) =>
        (await this.#cubes.get(files, (await changesBefore(to))?.cube ?? null)).count(from, to),
      hasPage: async (path) => (await this.#cubes.get(files, null)).hasPage(path),
    };
    return { cube, revisits: async () => (await changes())?.revisits ?? null };
  }

  async #unpack(manifest: Manifest): Promise<Opened> {
    const files = ofFamily(manifest.files, 'unmerged');
    const unmerged = `unmerged_${newId()}`;
    return this.#duck.use(async (session) => {
      await unpackUnmerged(session, this.#folder, manifest, files, unmerged, { temporary: false });
      return { manifest, unmerged, isAllMerged: files.length === 0 };
    });
  }

  /** As a merge computes it, once for all questions. */
  #changesOf({ manifest, unmerged }: Opened): Promise<Changes> {
    const revisits = `revisits_${newId()}`;
    const known = absolutePaths(this.#folder, ofFamily(manifest.files, 'presence'));
    return this.#duck.use((session) =>
      withCountChanges(session, manifest, unmerged, known, async (changes) => {
        const cube = await CubeLayer.load(session, `(FROM ${addedCube(changes.cube)})`);
        await session.run(`CREATE TABLE ${revisits} AS FROM ${changes.revisits}`);
        return { cube, revisits };
      }),
    );
  }

  async #evict(kept = KEPT): Promise<void> {
    const idle = [...this.#entries].filter(([, entry]) => entry.users === 0);
    const surplus = idle.toSorted(([, a], [, b]) => a.usedAt - b.usedAt).slice(0, Math.max(0, idle.length - kept));
    for (const [key] of surplus) this.#entries.delete(key);
    const tables = this.#undropped.splice(0);
    for (const [, entry] of surplus) {
      const opened = await entry.opened?.catch(() => null);
      const changes = await entry.changes?.catch(() => null);
      if (opened) tables.push(opened.unmerged, ...(changes ? [changes.revisits] : []));
    }
    if (tables.length === 0) return;
    // The questions are answered: tables that cannot be dropped now are dropped after the next one.
    const isDone = await this.#duck.use((session) => session.drop(...tables)).catch(() => false);
    if (!isDone) this.#undropped.push(...tables);
  }
}
