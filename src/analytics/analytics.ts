import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { AppError, isExpected } from '../platform/errors.ts';
import { messageOf } from '@docent/base/thrown';
import type { Logger } from '../platform/log.ts';
import { duckThreads, QUERIES_AT_ONCE } from '../platform/processes/pool-sizes.ts';
import { questionAnswered } from '../platform/telemetry/instruments.ts';
import { inSpan } from '../platform/telemetry/spans.ts';
import { recallListing, rememberListing } from '../store/analytics/listings.ts';
import type { ClassMapping } from '../store/analytics-settings.ts';
import type { Database } from '../store/database.ts';
import { findProject, projectNotFound } from '../store/projects/projects.ts';
import type { AnalyticsFolder } from './storage/analytics-folder.ts';
import { folderRoom, type FolderRoom } from './storage/folder-room.ts';
import { Duck } from './storage/duck.ts';
import { isMissing } from './storage/durable-files.ts';
import { EarlyMerge } from './maintenance/early-merge.ts';
import { mayBeDamage } from './maintenance/repair.ts';
import { LostEvents } from './maintenance/take-in.ts';
import { SharedRepairs } from './maintenance/shared-repairs.ts';
import { FilesDamaged } from './storage/files-damaged.ts';
import type { ClaimChecks } from '@docent/access-log/agents/check-claim';
import { Ingestor } from './ingest/ingestor.ts';
import { countLive, type LiveCounts } from './query/live.ts';
import { Queries } from './query/queries.ts';
import type { Paging } from './query/counts.ts';
import { PinnedVersions, type PinnedVersion } from './query/pinned-version.ts';
import { uncountedFiles } from './storage/set-aside.ts';
import type { StorageDeps } from './storage/storage.ts';

export interface AnalyticsOptions {
  database: Database;
  /**
   * The folder of event files, shared by all processes, or the cache of a shared bucket. Closed with this.
   */
  folder: AnalyticsFolder;
  log: Logger;
  /** DuckDB's memory limit. */
  memoryMb?: number;
  threads?: number;
  /** The most parallel queries. */
  connections?: number;
  sealAfterMs?: number;
  /** When events are acknowledged: see {@link Ingestor.ingest}. */
  ack?: 'local' | 'stored';
  /** Checks of claimed agents. Default: no lookups. */
  claims?: ClaimChecks;
  /** How long a process may be away before another one takes over its log. */
  leaseSeconds?: number;
}

/** A query whose pages must all come from one version. */
export interface Listing {
  /** The caller and the query; the same for every page. */
  about: readonly (string | number | null)[];
  paging: Paging;
}

/** Passes a version, or a part of it, to `work`. */
type Lend<P> = <T>(projectId: string, version: number | undefined, work: (pinned: P) => Promise<T>) => Promise<T>;

/** Current visitors. */
export interface Live extends LiveCounts {
  /** Milliseconds since 1970. */
  asOf: number;
  mapping: ClassMapping;
}

/** How long an answer about current visitors is cached. */
const LIVE_KEPT_MS = 2_000;
/** How often a question is asked again after files went away or were repaired. */
const ATTEMPTS = 3;

/** The version of an answer, and its mapping to human and AI. */
export interface Counted {
  version: number;
  mapping: ClassMapping;
}

/** How old a listing's record may be before it is renewed; listings are remembered for minutes. */
const REMEMBER_AGAIN_MS = 60_000;
const REMEMBERED_LISTINGS = 10_000;
/** Pages that this process remembers as counted before. */
const KNOWN_PATHS = 50_000;

/** Page views, in and out: what an API process holds. */
export class Analytics {
  readonly ingestor: Ingestor;
  readonly queries: Queries;
  readonly #database: Database;
  readonly #folder: AnalyticsFolder;
  readonly #duck: Duck;
  readonly #log: Logger;
  readonly #early: EarlyMerge;
  readonly #lost: LostEvents;
  readonly #versions: PinnedVersions;
  readonly #repairs: SharedRepairs;
  readonly #remembered = new LRUCache<string, number>({ max: REMEMBERED_LISTINGS, ttl: REMEMBER_AGAIN_MS });
  readonly #lend: Lend<PinnedVersion> = (...asked) => this.#versions.use(...asked);
  readonly #lendFiles: Lend<Pick<PinnedVersion, 'manifest'>> = (...asked) => this.#versions.useFiles(...asked);
  readonly #live = new LRUCache<string, Promise<Live>>({ max: 10_000, ttl: LIVE_KEPT_MS });
  #isAskingBucket = false;
  readonly #knownPaths = new LRUCache<string, true>({ max: KNOWN_PATHS });

  private constructor(storage: StorageDeps, ingestor: Ingestor, parts: { early: EarlyMerge; lost: LostEvents }) {
    const { database, folder, duck, log } = storage;
    this.#log = log;
    this.#database = database;
    this.#folder = folder;
    this.#early = parts.early;
    this.#lost = parts.lost;
    this.#duck = duck;
    this.#repairs = new SharedRepairs(storage);
    this.ingestor = ingestor;
    this.queries = new Queries(folder, duck);
    this.#versions = new PinnedVersions(database, folder, duck);
  }

  /** Resolves when events can be taken. */
  static async open(options: AnalyticsOptions): Promise<Analytics> {
    const { database, folder, log, sealAfterMs, leaseSeconds } = options;
    const duck = await Duck.open({
      memoryMb: options.memoryMb ?? 512,
      threads: options.threads ?? duckThreads(options.memoryMb ?? 512),
      connections: options.connections ?? QUERIES_AT_ONCE,
      temporaryFolder: folder.temporaryFolder,
    });
    const storage = { database, folder, duck, log };
    const early = new EarlyMerge(storage);
    const lost = new LostEvents(storage);
    const ingestor = await Ingestor.open({
      ...storage,
      onSealed: (projectId, events) => early.add(projectId, events),
      onBehind: () => lost.search(),
      ack: options.ack ?? 'local',
      ...(options.claims === undefined ? {} : { claims: options.claims }),
      ...(sealAfterMs === undefined ? {} : { sealAfterMs }),
      ...(leaseSeconds === undefined ? {} : { leaseSeconds }),
    });
    // The database may have been restored to an earlier state while no process was running.
    lost.search();
    return new Analytics(storage, ingestor, { early, lost });
  }

  /**
   * Works on a version: the requested one, the one that the listing read before, or the newest.
   * @throws AppError `project_not_found`, `version_gone`, `unavailable`
   */
  async ask<T extends object>(
    projectId: string,
    asked: { version?: number | undefined; listing?: Listing },
    work: (pinned: PinnedVersion) => Promise<T>,
  ): Promise<T & Counted> {
    const { db } = this.#database;
    this.#folder.assertMounted();
    const { listing } = asked;
    const keyAt = (offset: number) =>
      listing && listingKey([projectId, ...listing.about, listing.paging.limit, offset]);
    const before = listing && listing.paging.offset > 0 ? keyAt(listing.paging.offset) : undefined;
    const remembered = asked.version === undefined && before ? await recallListing(db, before) : null;
    const counted = async (pinned: PinnedVersion) => {
      const { version, mapping } = pinned.manifest;
      // Counts disappear with their project.
      if (version === 0) await this.#requireProject(projectId);
      return { ...(await work(pinned)), version, mapping };
    };
    const startedAt = performance.now();
    const answer = await inSpan({ name: 'duckdb question' }, () =>
      this.#attempt(projectId, asked.version, remembered, counted, this.#lend),
    );
    questionAnswered(performance.now() - startedAt);
    const hasMore = 'hasMore' in answer && answer.hasMore === true;
    const next = hasMore && listing ? keyAt(listing.paging.offset + listing.paging.limit) : undefined;
    // The answer is complete without it: on a read-only database, the next page is of the newest version.
    if (next) {
      await this.#remember(next, answer.version).catch((err: unknown) =>
        this.#log.warn({ reason: messageOf(err) }, 'the version of a listing could not be stored for its next page'),
      );
    }
    return answer;
  }

  /**
   * Visitors of the last {@link LIVE_MINUTES} minutes, cached for all callers.
   * @throws AppError `project_not_found`, `unavailable`
   */
  async live(projectId: string): Promise<Live> {
    this.#folder.assertMounted();
    const known = this.#live.get(projectId);
    if (known) return known;
    const answer = this.#countLive(projectId);
    this.#live.set(projectId, answer);
    answer.catch(() => this.#live.delete(projectId));
    return answer;
  }

  /** @throws AppError `project_not_found` */
  async #requireProject(projectId: string): Promise<void> {
    if (!(await findProject(this.#database.db, projectId))) throw projectNotFound(projectId);
  }

  async #countLive(projectId: string): Promise<Live> {
    await this.#requireProject(projectId);
    const asOf = Date.now();
    return this.#attempt(
      projectId,
      undefined,
      null,
      async ({ manifest }) => ({
        ...(await countLive(this.#folder, this.#duck, manifest, asOf)),
        asOf,
        mapping: manifest.mapping,
      }),
      this.#lendFiles,
    );
  }

  /** Whether a page of the project was counted before. Events of the last seconds may be missing. */
  async knowsPath(projectId: string, path: string): Promise<boolean> {
    const key = `${projectId} ${path}`;
    if (this.#knownPaths.get(key)) return true;
    const has = (pinned: PinnedVersion) => this.queries.hasPath(pinned, path);
    const isKnown = await this.#attempt(projectId, undefined, null, has, this.#lend);
    if (isKnown) this.#knownPaths.set(key, true);
    return isKnown;
  }

  /** Seals accepted events, and releases everything. */
  async close(): Promise<void> {
    await this.ingestor.close();
    await this.#early.close();
    await this.#lost.close();
    await this.#versions.close();
    this.#duck.close();
    await this.#folder.close();
  }

  /** How many files hold page views that count nowhere: see {@link uncountedFiles}. */
  async countUncounted(): Promise<number> {
    return (await uncountedFiles({ database: this.#database, folder: this.#folder })).length;
  }

  /** The disk's free space, and what waits in the folder. @throws AppError `unavailable` */
  async room(): Promise<FolderRoom> {
    await this.#folder.verify();
    return folderRoom(this.#folder);
  }

  /** Why the last request to the bucket failed, for operators; null if it did not. */
  get bucketProblem(): string | null {
    return this.#folder.bucketFiles?.problem ?? null;
  }

  /**
   * Whether the last request to the bucket succeeded; null without one. After a failure, asks again in the
   * background.
   */
  bucketAnswers(): boolean | null {
    if (!this.#folder.bucketFiles) return null;
    if (this.bucketProblem === null) return true;
    if (!this.#isAskingBucket) {
      this.#isAskingBucket = true;
      void this.#folder
        .verifyAll()
        .catch(() => {}) // It is known already.
        .finally(() => (this.#isAskingBucket = false));
    }
    return false;
  }

  /** @throws AppError `unavailable` if the folder is missing or is the wrong one */
  async verifyFolder(): Promise<void> {
    await this.#folder.verify();
  }

  /** The same listing is requested again and again: its record is only renewed before it expires. */
  async #remember(next: Buffer, version: number): Promise<void> {
    const key = next.toString('base64');
    if (this.#remembered.get(key) === version) return;
    await rememberListing(this.#database.db, next, version);
    this.#remembered.set(key, version);
  }

  async #attempt<T, P = PinnedVersion>(
    projectId: string,
    version: number | undefined,
    remembered: number | null,
    work: (pinned: P) => Promise<T>,
    lend: Lend<P>,
  ): Promise<T> {
    let at = version ?? remembered ?? undefined;
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await lend(projectId, at, work);
      } catch (err) {
        const isGone = isExpected(err, 'version_gone');
        if (isGone && version !== undefined) {
          await this.#requireProject(projectId);
          throw new AppError(
            'version_gone',
            'This version of the data is no longer available. Repeat the request without `version`.',
          );
        }
        if (attempt === ATTEMPTS || (!isGone && !mayBeDamage(err))) throw err;
        if (!isGone) await this.#folder.verify();
        // Erasing deletes files that are being read. Otherwise a file is damaged, or was just repaired.
        const mayBeErased = isFileGone(err) && attempt === 0;
        if (!isGone && !mayBeErased && !(await this.#repairs.repair(projectId, at)) && attempt > 0) throw err;
        // The caller did not name the version.
        if (version === undefined) at = undefined;
      }
    }
  }
}

function listingKey(what: readonly (string | number | null)[]): Buffer {
  return createHash('sha256').update(JSON.stringify(what)).digest();
}

function isFileGone(err: unknown): boolean {
  if (err instanceof FilesDamaged) return err.areMissing;
  return isMissing(err) || (err instanceof Error && /No files found|No such file/.test(err.message));
}
