import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto';
import { open, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { pack, type Header, type Pack } from 'tar-stream';
import { isMissing, syncFolder } from '../../analytics/storage/durable-files.ts';
import { codeOf } from '@docent/base/thrown';
import { LIST, trailerOf } from './archive.ts';
import { Refused } from '@docent/base/refused';

/** The metadata of an entry; without a type, it is a file. */
type EntryOptions = Partial<Pick<Header, 'mode' | 'type' | 'linkname'>>;

interface Listed {
  path: string;
  bytes: number;
  sha256: string;
}

/** The same bytes give the same entries. */
const NO_TIME = new Date(0);
const ZEROS = Buffer.alloc(65_536);

/** Writes `FILE.partial`, renamed when it is whole and on disk. Holds one chunk in memory. */
export class ArchiveWriter {
  readonly #file: string;
  readonly #handle: FileHandle;
  readonly #pack: Pack = pack();
  readonly #hash: Hash = createHash('sha256');
  readonly #hmac: Hmac | null;
  readonly #list: Listed[] = [];
  readonly #pumped: Promise<void>;
  #bytes = 0;

  private constructor(file: string, handle: FileHandle, macKey: Buffer | null) {
    this.#file = file;
    this.#hmac = macKey && createHmac('sha256', macKey);
    this.#handle = handle;
    this.#pumped = this.#pump();
    this.#pumped.catch((err: unknown) => this.#pack.destroy(err as Error));
  }

  /**
   * @param macKey of the keyed checksum; null: none
   * @throws Refused if the file exists, is being written, or is a leftover
   */
  static async create(file: string, macKey: Buffer | null = null): Promise<ArchiveWriter> {
    await refuseExisting(file);
    try {
      return new ArchiveWriter(file, await open(partialOf(file), 'wx', 0o600), macKey);
    } catch (err) {
      if (codeOf(err) === 'EEXIST') {
        throw new Refused(
          `${partialOf(file)} exists: another backup is writing it, or was interrupted. If no backup is running, delete it and try again.`,
        );
      }
      throw err;
    }
  }

  /** The current length of the file. */
  get bytes(): number {
    return this.#bytes;
  }

  /** @param size of `content`, written before it; missing bytes become zeros @returns the SHA-256 in hex */
  async add(
    name: string,
    size: number,
    content: AsyncIterable<Buffer> | Buffer,
    options: EntryOptions = {},
  ): Promise<string> {
    const sha = createHash('sha256');
    const done = Promise.withResolvers<void>();
    done.promise.catch(() => {});
    const entry = this.#pack.entry({ mode: 0o600, ...options, name, size, mtime: NO_TIME }, (err) =>
      err ? done.reject(err) : done.resolve(),
    );
    const failed = Promise.race([done.promise, this.#pumped]);
    failed.catch(() => {});
    let left = size;
    const write = async (chunk: Buffer) => {
      const part = chunk.subarray(0, left);
      left -= part.length;
      sha.update(part);
      if (part.length === 0 || entry.write(part)) return;
      await Promise.race([new Promise<void>((resolve) => entry.once('drain', () => resolve())), failed]);
    };
    if (options.type === undefined) {
      if (Buffer.isBuffer(content)) await write(content);
      else {
        for await (const chunk of content) {
          await write(chunk);
          if (left === 0) break;
        }
      }
      for (let lack = left; lack > 0; lack -= ZEROS.length) await write(ZEROS);
      entry.end(undefined);
    }
    await Promise.race([done.promise, this.#pumped.then(() => done.promise)]);
    const sha256 = sha.digest('hex');
    this.#list.push({ path: name, bytes: size, sha256 });
    return sha256;
  }

  /**
   * Ends the file and renames it.
   * @param notes findings
   * @throws Refused if the name was taken in the meantime
   */
  async finish(notes: object): Promise<void> {
    const lines = [...this.#list, { entries: this.#list.length, ...notes }];
    const list = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    await this.add(LIST, list.length, list);
    this.#pack.finalize();
    await this.#pumped;
    const hmac = this.#hmac?.digest('hex') ?? null;
    await this.#write(trailerOf({ sha256: this.#hash.digest('hex'), hmac }));
    await this.#handle.sync();
    await this.#handle.close();
    await refuseExisting(this.#file);
    await rename(partialOf(this.#file), this.#file);
    await syncFolder(path.dirname(this.#file));
  }

  /** Deletes everything. May be called after a failed `finish`. */
  async giveUp(): Promise<void> {
    this.#pack.destroy();
    await this.#pumped.catch(() => {});
    await this.#handle.close().catch(() => {});
    await rm(partialOf(this.#file), { force: true });
  }

  async #pump(): Promise<void> {
    for await (const chunk of this.#pack as AsyncIterable<Buffer>) {
      this.#hash.update(chunk);
      this.#hmac?.update(chunk);
      await this.#write(chunk);
    }
  }

  async #write(bytes: Buffer): Promise<void> {
    for (let at = 0; at < bytes.length;) at += (await this.#handle.write(bytes, at)).bytesWritten;
    this.#bytes += bytes.length;
  }
}

const partialOf = (file: string) => `${file}.partial`;

async function refuseExisting(file: string): Promise<void> {
  try {
    await stat(file);
  } catch (err) {
    if (isMissing(err)) return;
    throw err;
  }
  throw new Refused(`${file} already exists. Choose another name: backups never overwrite files.`);
}
