import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from '../../../platform/log.ts';
import { newId } from '../../../store/ids.ts';
import { isMissing } from '../durable-files.ts';
import { FilesDamaged, MISSING } from '../files-damaged.ts';
import { hasSum } from '../file-sum.ts';
import type { LetGo, StoredFile } from '../local-paths.ts';
import type { Bucket } from './bucket.ts';
import { BucketProblem, bucketUnavailable, isProblem } from './bucket-problem.ts';
import { FileCache, type CacheOptions } from './file-cache.ts';
import { inTurns } from './in-turns.ts';

export interface BucketFilesOptions extends CacheOptions {
  log: Logger;
}

/** How long nothing is fetched after a failed request. */
const FAILED_FOR_MS = 2_000;
/** How long a failed request is reported after one of another kind has succeeded. */
const TOLD_FOR_MS = 60_000;
/** The most parallel fetches of one process. */
const FETCHED_AT_ONCE = 8;
/** How long checks for damage do not fetch an object again that arrived with other bytes. */
const BAD_FOR_MS = 30_000;

/** The purpose of a request to a bucket: a key may be allowed to read and not to store. */
type Wish = 'read' | 'store';

/** The manifest's files in a bucket, with copies, or files being stored, below `files/`. */
export class BucketFiles {
  readonly bucket: Bucket;
  readonly cache: FileCache;
  readonly #root: string;
  readonly #log: Logger;
  readonly #fetching = new Map<string, Promise<void>>();
  /** Copies that this process compared with the manifest, by name. */
  readonly #compared = new Set<string>();
  /** Objects that came with other bytes than were stored, and when: `performance.now()`. */
  readonly #bad = new Map<string, number>();
  /** The last failure of each purpose, and its time: `performance.now()`. */
  readonly #problems = new Map<Wish, { message: string; at: number }>();
  #failed: { problem: BucketProblem; at: number } | null = null;

  /** @param root the local folder */
  constructor(bucket: Bucket, root: string, { log, ...cache }: BucketFilesOptions) {
    this.bucket = bucket;
    this.#root = root;
    this.#log = log;
    this.cache = new FileCache(path.join(root, 'files'), cache);
  }

  /** Why the bucket is unusable, by the last requests of each kind, for operators. Null if it is usable. */
  get problem(): string | null {
    return this.#problems.values().next().value?.message ?? null;
  }

  /** Keeps verified copies on this disk until released. @throws AppError `unavailable`; FilesDamaged */
  async hold(files: readonly StoredFile[]): Promise<LetGo> {
    const held = files.map((file) => this.cache.hold(this.#fileOf(file)));
    const letGo = () => {
      for (const one of held) one();
    };
    try {
      await answered(() => this.#bringAll(files));
    } catch (err) {
      letGo();
      throw err;
    }
    return letGo;
  }

  /** Stores a finished file from this disk. Idempotent. @throws AppError `unavailable` */
  async store(file: StoredFile): Promise<void> {
    const local = this.#fileOf(file);
    const letGo = this.cache.hold(local);
    try {
      await answered(() => this.ask(() => this.bucket.put(file.path, local, file), 'store'));
      this.#compared.add(file.path);
      await this.cache.use(local);
    } finally {
      letGo();
    }
  }

  /** Deletes objects and this disk's copies; other processes delete theirs. @throws AppError `unavailable` */
  async remove(names: readonly string[]): Promise<void> {
    for (const name of names) await this.dropCopy(name);
    await answered(() => this.ask(() => this.bucket.remove(names)));
  }

  async dropCopy(name: string): Promise<void> {
    const local = path.join(this.#root, name);
    await rm(local, { force: true });
    this.cache.forget(local);
    this.#compared.delete(name);
  }

  /**
   * Which files the bucket lacks or has differently, by one listing per project.
   * @returns reasons by id; null: missing
   * @throws AppError `unavailable`
   */
  async findDamage(files: readonly (StoredFile & { projectId: string })[]): Promise<Map<string, string | null>> {
    const damaged = new Map<string, string | null>();
    for (const [projectId, own] of Map.groupBy(files, (file) => file.projectId)) {
      const listed = new Map((await this.list(`files/${projectId}/`)).map(({ name, bytes }) => [name, bytes]));
      for (const file of own) {
        const bytes = listed.get(file.path);
        if (bytes === undefined && (await this.#putBack(file))) continue;
        if (bytes === undefined) damaged.set(file.id, null);
        else if (bytes !== file.bytes) damaged.set(file.id, `has ${bytes} bytes instead of ${file.bytes}`);
        else if (this.#bad.has(file.path) && !(await this.isWhole(file)))
          damaged.set(file.id, 'holds other bytes than were written');
      }
    }
    return damaged;
  }

  /**
   * Fetches an object to verify it.
   * @param badForMs does not fetch an object again that was bad within this time
   * @throws AppError `unavailable`
   */
  async isWhole(file: StoredFile, badForMs = BAD_FOR_MS): Promise<boolean> {
    const badAt = this.#bad.get(file.path);
    if (badAt !== undefined && performance.now() - badAt < badForMs) return false;
    return answered(async () => {
      try {
        await this.#fetch(file);
        return true;
      } catch (err) {
        if (isProblem(err, 'missing') || isProblem(err, 'other-bytes')) return false;
        throw err;
      }
    });
  }

  /** @throws AppError `unavailable` */
  async list(start: string): Promise<{ name: string; bytes: number }[]> {
    return answered(() => this.ask(() => this.bucket.list(start)));
  }

  /**
   * Makes a request to the bucket, and logs the first failure and the recovery.
   * @param wish its purpose
   * @throws BucketProblem
   */
  async ask<T>(work: () => Promise<T>, wish: Wish = 'read'): Promise<T> {
    try {
      const done = await work();
      this.#note(wish, null);
      return done;
    } catch (err) {
      const isFailure = err instanceof BucketProblem && !isProblem(err, 'missing') && !isProblem(err, 'taken');
      if (isFailure && wish === 'read') this.#failed = { problem: err, at: performance.now() };
      this.#note(wish, isFailure ? err.message : null);
      throw err;
    }
  }

  close(): void {
    this.cache.close();
    this.bucket.close();
  }

  #fileOf({ path: name }: StoredFile): string {
    return path.join(this.#root, name);
  }

  /** @throws FilesDamaged, BucketProblem */
  async #bringAll(files: readonly StoredFile[]): Promise<void> {
    const missing: StoredFile[] = [];
    await inTurns(files, FETCHED_AT_ONCE, async (file) => {
      try {
        await this.#bring(file);
      } catch (err) {
        if (!isProblem(err, 'missing')) throw err;
        missing.push(file);
      }
    });
    if (missing.length > 0) throw new FilesDamaged(missing.map((file) => ({ file, reason: MISSING })));
  }

  async #bring(file: StoredFile): Promise<void> {
    const local = this.#fileOf(file);
    if ((await this.cache.use(local)) && (this.#compared.has(file.path) || (await this.#isAsStored(local, file))))
      return;
    await this.#fetch(file);
  }

  /** Checks a copy from elsewhere. Damaged ones are deleted: the bucket has the file. */
  async #isAsStored(local: string, file: StoredFile): Promise<boolean> {
    try {
      if (await hasSum(local, file)) {
        this.#compared.add(file.path);
        return true;
      }
    } catch (err) {
      if (!isMissing(err)) throw err;
    }
    await this.dropCopy(file.path);
    return false;
  }

  /** Stores a file again that is gone from the bucket, if a copy of it is here. */
  async #putBack(file: StoredFile): Promise<boolean> {
    const local = this.#fileOf(file);
    const letGo = this.cache.hold(local);
    try {
      if (!(await this.cache.use(local)) || !(await this.#isAsStored(local, file))) return false;
      await this.store(file);
      this.#log.warn({ file: file.path }, 'an object was missing in the bucket; restoring it from the local copy');
      return true;
    } finally {
      letGo();
    }
  }

  /** Once for all parallel callers. */
  #fetch(file: StoredFile): Promise<void> {
    let running = this.#fetching.get(file.path);
    if (!running) {
      running = this.#fetchNow(file).finally(() => this.#fetching.delete(file.path));
      this.#fetching.set(file.path, running);
    }
    return running;
  }

  async #fetchNow(file: StoredFile): Promise<void> {
    // Returns a very recent failure immediately.
    if (this.#failed && performance.now() - this.#failed.at < FAILED_FOR_MS) throw this.#failed.problem;
    const local = this.#fileOf(file);
    const temporary = path.join(this.#root, 'tmp', `${newId()}.fetched`);
    try {
      // Other bytes may have been corrupted in transfer.
      for (let attempt = 1; ; attempt += 1) {
        const came = await this.ask(() => this.bucket.get(file.path, temporary));
        if (came.bytes === file.bytes && came.sha256.equals(file.sha256)) break;
        if (attempt < 3) continue;
        this.#bad.set(file.path, performance.now());
        const problem = `get ${file.path}: ${came.bytes} bytes came, and not those that were stored`;
        this.#log.error(
          { file: file.path, bytes: came.bytes, expected: file.bytes },
          'the bucket returned other bytes than were stored',
        );
        throw new BucketProblem('other-bytes', problem);
      }
      await mkdir(path.dirname(local), { recursive: true, mode: 0o700 });
      await rename(temporary, local);
    } finally {
      await rm(temporary, { force: true });
    }
    this.#bad.delete(file.path);
    this.#compared.add(file.path);
    await this.cache.use(local);
  }

  #note(wish: Wish, problem: string | null): void {
    const before = this.problem;
    const now = performance.now();
    if (problem !== null) this.#problems.set(wish, { message: problem, at: now });
    else {
      // Pending stores are retried every few seconds. If none is pending, this success is all that is known.
      for (const [other, { at }] of this.#problems)
        if (other === wish || now - at > TOLD_FOR_MS) this.#problems.delete(other);
    }
    if (wish === 'read' && problem === null) this.#failed = null;
    if (problem !== null && before === null) {
      this.#log.error(
        { bucket: this.bucket.place.url, problem },
        'the bucket for page views is unavailable: events are accepted and wait on this disk',
      );
    }
    if (this.problem === null && before !== null)
      this.#log.info({ bucket: this.bucket.place.url }, 'the bucket is available again');
  }
}

/** The error for callers if the bucket fails. @throws AppError `unavailable` */
async function answered<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (err) {
    throw err instanceof BucketProblem ? bucketUnavailable(err) : err;
  }
}
