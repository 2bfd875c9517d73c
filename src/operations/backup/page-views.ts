import { stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { AnalyticsFolder } from '../../analytics/storage/analytics-folder.ts';
import { isProblem } from '../../analytics/storage/bucket/bucket-problem.ts';
import { readLocalIdentity } from '../../analytics/storage/bucket/bucket-identity.ts';
import { FilesDamaged } from '../../analytics/storage/files-damaged.ts';
import { readIdentity, type FolderIdentity } from '../../analytics/storage/folder-identity.ts';
import type { StoredFile } from '../../analytics/storage/local-paths.ts';
import { openBucketFolder, type BucketSettings } from '../../analytics/storage/open-bucket.ts';
import { BackupStage, type HeldFile } from '../../analytics/maintenance/backup-stage.ts';
import { createLogger } from '../../platform/log.ts';
import { findFolder, liesInBucket } from '../../store/analytics/folder.ts';
import { listWriters } from '../../store/analytics/writers.ts';
import { openDatabase, type Database } from '../../store/database.ts';
import { Refused } from '@docent/base/refused';

/** Within this time a process that takes events has stored what it acknowledged. */
const OTHERS_MS = 5_000;
const ASIDE = 'set-aside/unnamed/';

export interface PageViewsPlace {
  databaseUrl: string;
  analyticsRoot: string;
  /** The bucket of page view files, if there is one. */
  bucket?: BucketSettings | null;
}

/** An installation's files of page views, held on this disk during a backup. */
export class PageViews {
  readonly identity: FolderIdentity;
  readonly stage: BackupStage;
  readonly #database: Database;
  readonly #folder: AnalyticsFolder;

  private constructor(database: Database, folder: AnalyticsFolder, identity: FolderIdentity, stage: BackupStage) {
    this.#database = database;
    this.#folder = folder;
    this.identity = identity;
    this.stage = stage;
  }

  /** Null if there never were any. @throws Refused if the bucket is unusable or not configured */
  static async open(place: PageViewsPlace): Promise<PageViews | null> {
    const database = openDatabase(place.databaseUrl, { applicationName: 'docent backup', maxConnections: 2 });
    try {
      const row = await findFolder(database.db);
      const isInBucket = row !== null && liesInBucket(row);
      const { analyticsRoot: root } = place;
      const folder = isInBucket ? await openBucket(database, row?.path ?? '', place) : null;
      const identity = isInBucket ? await readLocalIdentity(root) : await readIdentity(root);
      if (identity) {
        const opened = folder ?? new AnalyticsFolder(root);
        return new PageViews(database, opened, identity, await BackupStage.open(opened));
      }
      await database.close();
      return null;
    } catch (err) {
      await database.close();
      throw err;
    }
  }

  /** Acknowledged events in no file of the manifest: logs, and files that count nowhere. */
  async holdUncounted(): Promise<HeldFile[]> {
    if (this.#folder.bucketFiles && (await this.#othersTakeEvents())) await sleep(OTHERS_MS);
    return [...(await this.stage.holdLogs()), ...(await this.stage.holdUncounted()), ...(await this.#objectsAside())];
  }

  /** Null if the file is missing, or an object that holds other bytes. @throws AppError `unavailable` */
  async hold(file: StoredFile): Promise<HeldFile | null> {
    try {
      const letGo = await this.#folder.hold([file]);
      try {
        return await this.stage.hold(file.path);
      } finally {
        letGo();
      }
    } catch (err) {
      if (err instanceof FilesDamaged || (await this.#folder.bucketFiles?.isWhole(file)) === false) return null;
      throw err;
    }
  }

  async close(): Promise<void> {
    this.stage.close();
    await this.#folder.close();
    await this.#database.close();
  }

  /** Whether there are logs on the disks of other machines. */
  async #othersTakeEvents(): Promise<boolean> {
    const here = new Set(await this.#folder.writerIds());
    return (await listWriters(this.#database.db)).some(({ id }) => !here.has(id));
  }

  async #objectsAside(): Promise<HeldFile[]> {
    const { bucketFiles } = this.#folder;
    const held: HeldFile[] = [];
    for (const { name } of (await bucketFiles?.list(ASIDE)) ?? []) {
      const file = path.join(this.stage.path, `${held.length}.aside`);
      try {
        await bucketFiles?.ask(() => bucketFiles.bucket.get(name, file));
        held.push({ name, file, bytes: (await stat(file)).size });
      } catch (err) {
        // Just recovered, or deleted.
        if (!isProblem(err, 'missing')) throw err;
      }
    }
    return held;
  }
}

async function openBucket(
  database: Database,
  url: string,
  { analyticsRoot, bucket }: PageViewsPlace,
): Promise<AnalyticsFolder> {
  if (!bucket)
    throw new Refused(
      `The page views of this database are in ${url}. Set DOCENT_ANALYTICS_STORAGE and the keys of the ` +
        'store to the same values as for the roles.',
    );
  const log = createLogger({ level: 'error', name: 'docent backup' }, process.stderr);
  return openBucketFolder(database, analyticsRoot, bucket, { log });
}
