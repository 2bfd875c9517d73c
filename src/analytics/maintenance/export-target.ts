import { constants } from 'node:fs';
import { copyFile, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { newId } from '../../store/ids.ts';
import type { Bucket } from '../storage/bucket/bucket.ts';
import { isMissing, syncFile, syncFolder } from '../storage/durable-files.ts';
import { sha256Of } from '../storage/file-sum.ts';

const MANIFEST = 'manifest.json';

export interface ExportedFile {
  /** Relative to the target. */
  path: string;
  rows: number;
  bytes: number;
  /** In hex. */
  sha256: string;
}

/** The destination of an export. File names are relative to it. */
export interface ExportTarget {
  readonly name: string;
  /** Null if there is none. */
  readManifest(): Promise<string | null>;
  /** Whether the complete file is there. */
  has(file: ExportedFile): Promise<boolean>;
  /** The path on this disk where a file may be written before it is moved. */
  partial(name: string): Promise<string>;
  /** Creates a file from a temporary local one, which it may move. */
  move(file: ExportedFile, local: string): Promise<void>;
  /** Creates a file from a local one, which stays. @throws Error if that is damaged */
  copy(file: ExportedFile, local: string): Promise<void>;
  /** Written last: its readers find all files that it names, even after a power cut. */
  writeManifest(text: string): Promise<void>;
  remove(names: readonly string[]): Promise<void>;
}

/** A folder of this machine. Creates it if needed. */
export class FolderTarget implements ExportTarget {
  readonly name: string;

  constructor(folder: string) {
    this.name = path.resolve(folder);
  }

  async readManifest(): Promise<string | null> {
    try {
      return await readFile(this.#placeOf(MANIFEST), 'utf8');
    } catch (err) {
      if (isMissing(err)) return null;
      throw err;
    }
  }

  /** Read whole: a copy that was cut short, or that someone changed, is written again. */
  async has({ path: name, bytes, sha256 }: ExportedFile): Promise<boolean> {
    const found = await stat(this.#placeOf(name)).catch(() => null);
    return found?.size === bytes && (await sha256Of(this.#placeOf(name))).toString('hex') === sha256;
  }

  async partial(name: string): Promise<string> {
    const events = this.#placeOf('events');
    await mkdir(events, { recursive: true });
    return path.join(events, `${name}.partial`);
  }

  async move(file: ExportedFile, local: string): Promise<void> {
    await rename(local, this.#placeOf(file.path));
  }

  async copy(file: ExportedFile, local: string): Promise<void> {
    const partial = await this.partial(path.basename(file.path));
    await copyFile(local, partial, constants.COPYFILE_FICLONE);
    if ((await sha256Of(partial)).toString('hex') !== file.sha256) {
      await rm(partial);
      throw new Error(`${local} is damaged. Run docent analytics verify. The previous export is unchanged.`);
    }
    await syncFile(partial);
    await this.move(file, partial);
  }

  async writeManifest(text: string): Promise<void> {
    await mkdir(this.#placeOf('events'), { recursive: true });
    await syncFolder(this.#placeOf('events'));
    const partial = this.#placeOf(`${MANIFEST}.partial`);
    await writeFile(partial, text);
    await syncFile(partial);
    await rename(partial, this.#placeOf(MANIFEST));
    await syncFolder(this.name);
  }

  async remove(names: readonly string[]): Promise<void> {
    for (const name of names) await rm(this.#placeOf(name), { force: true });
  }

  #placeOf(name: string): string {
    return path.join(this.name, name);
  }
}

/** A prefix in an S3-compatible bucket. The store verifies each file's SHA-256. */
export class BucketTarget implements ExportTarget {
  readonly name: string;
  readonly #bucket: Bucket;
  readonly #temporary: string;

  /** @param temporary a local folder for files before they are stored */
  constructor(bucket: Bucket, temporary: string) {
    this.name = bucket.place.url;
    this.#bucket = bucket;
    this.#temporary = temporary;
  }

  readManifest(): Promise<string | null> {
    return this.#bucket.readText(MANIFEST);
  }

  has({ path: name, bytes, sha256 }: ExportedFile): Promise<boolean> {
    return this.#bucket.has(name, { bytes, sha256: Buffer.from(sha256, 'hex') });
  }

  async partial(name: string): Promise<string> {
    return path.join(this.#temporary, `${newId()}-${name}.exported`);
  }

  move(file: ExportedFile, local: string): Promise<void> {
    return this.copy(file, local);
  }

  async copy({ path: name, bytes, sha256 }: ExportedFile, local: string): Promise<void> {
    // An existing object of that name is incomplete: `has` was called before.
    await this.#bucket.remove([name]);
    await this.#bucket.put(name, local, { bytes, sha256: Buffer.from(sha256, 'hex') });
  }

  writeManifest(text: string): Promise<void> {
    return this.#bucket.replaceBytes(MANIFEST, Buffer.from(text));
  }

  remove(names: readonly string[]): Promise<void> {
    return this.#bucket.remove(names);
  }
}
