import { readManifest, type Manifest } from '../../store/analytics-manifest.ts';
import type { Database } from '../../store/database.ts';
import { newId } from '../../store/ids.ts';
import type { AnalyticsFolder } from '../analytics-folder.ts';
import type { Duck } from '../duck.ts';
import { FilesDamaged, findDamage } from '../file-check.ts';
import { unpackInbox } from '../inbox.ts';
import { ofFamily } from '../tables.ts';
import { CubeIndexes, type CubeIndex } from './cube-index.ts';

/** A project at one version, ready to be asked: its files, and a table of what is not folded yet. */
export interface Snapshot {
  manifest: Manifest;
  /** Name of a DuckDB table: the inbox's events without repeats, with their `day`. */
  inbox: string;
  inboxIsEmpty: boolean;
  cube: CubeIndex;
}

interface Entry {
  snapshot: Promise<Omit<Snapshot, 'cube'>>;
  users: number;
  usedAt: number;
}

/** Unfolded events that are kept unpacked, by project and version. */
const KEPT = 8;

/** Snapshots of one process. A version is unpacked once, however many ask. */
export class Snapshots {
  readonly #database: Database;
  readonly #folder: AnalyticsFolder;
  readonly #duck: Duck;
  readonly #cubes: CubeIndexes;
  readonly #entries = new Map<string, Entry>();

  constructor(database: Database, folder: AnalyticsFolder, duck: Duck) {
    this.#database = database;
    this.#folder = folder;
    this.#duck = duck;
    this.#cubes = new CubeIndexes(folder, duck);
  }

  /**
   * Lends a snapshot; without a version, of now.
   * @throws VersionGone, FilesDamaged
   */
  async use<T>(projectId: string, version: number | undefined, work: (snapshot: Snapshot) => Promise<T>): Promise<T> {
    const manifest = await readManifest(this.#database.db, projectId, version);
    // What every question reads, and is small. The others are read as a whole by whoever folds them.
    const read = manifest.files.filter(({ family }) => family === 'inbox' || family === 'cube' || family === 'views');
    const damaged = await findDamage(this.#folder, this.#duck, read, Infinity);
    if (damaged.length > 0) throw new FilesDamaged(damaged);
    const key = `${projectId}/${manifest.version}`;
    let entry = this.#entries.get(key);
    if (!entry) {
      entry = { snapshot: this.#open(manifest), users: 0, usedAt: 0 };
      this.#entries.set(key, entry);
      entry.snapshot.catch(() => this.#entries.delete(key));
    }
    entry.users += 1;
    entry.usedAt = performance.now();
    try {
      // The floor is not part of a version: days that were let go do not come back in an old one.
      const snapshot = await entry.snapshot;
      const current = { ...snapshot.manifest, floorDay: manifest.floorDay };
      const cubeFiles = ofFamily(manifest.files, 'cube');
      return await this.#cubes.use(cubeFiles, (cube) => work({ ...snapshot, cube, manifest: current }));
    } finally {
      entry.users -= 1;
      await this.#evict();
    }
  }

  /** Lets go of what is kept. Call it when nobody asks any more. */
  async close(): Promise<void> {
    await this.#evict(0);
    this.#cubes.evict(0);
  }

  async #open(manifest: Manifest): Promise<Omit<Snapshot, 'cube'>> {
    const files = ofFamily(manifest.files, 'inbox');
    const inbox = `inbox_${newId()}`;
    await this.#duck.use((session) => unpackInbox(session, this.#folder, manifest, files, inbox, { temporary: false }));
    return { manifest, inbox, inboxIsEmpty: files.length === 0 };
  }

  async #evict(kept = KEPT): Promise<void> {
    const idle = [...this.#entries].filter(([, entry]) => entry.users === 0);
    const surplus = idle.toSorted(([, a], [, b]) => a.usedAt - b.usedAt).slice(0, Math.max(0, idle.length - kept));
    for (const [key] of surplus) this.#entries.delete(key);
    for (const [, entry] of surplus) {
      const { inbox } = await entry.snapshot;
      await this.#duck.use((session) => session.run(`DROP TABLE IF EXISTS ${inbox}`));
    }
  }
}
