import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { open, rm, type FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type * as Sdk from '@aws-sdk/client-s3';
import type { BucketPlace } from '../../../platform/bucket-place.ts';
import { inSpan } from '../../../platform/telemetry/spans.ts';
import { BucketProblem, isNotImplemented, isProblem, problemOf } from './bucket-problem.ts';

export interface BucketOptions {
  /** The store's address; absent: AWS. */
  endpoint?: string | undefined;
  region?: string | undefined;
  /** How long a connection may be idle; a whole request may take six times as long. */
  timeoutMs?: number;
  /** Attempts per request. */
  attempts?: number;
  /** Larger objects are transferred in parts of this many bytes. */
  partBytes?: number;
}

export interface ObjectHead {
  /** Relative to the prefix. */
  name: string;
  bytes: number;
}

const PART_BYTES = 16 * 1_048_576;
const TIMEOUT_MS = 10_000;
const ATTEMPTS = 4;
/** The pauses are 0.15, 0.6 and 2.4 s, plus up to half as much. */
const FIRST_PAUSE_MS = 150;
const PAUSE_FACTOR = 4;
const DELETED_AT_ONCE = 1_000;

/** A prefix in an S3-compatible bucket. Retries. All functions throw {@link BucketProblem}. */
export class Bucket {
  readonly place: BucketPlace;
  readonly #sdk: typeof Sdk;
  readonly #client: Sdk.S3Client;
  readonly #attempts: number;
  readonly #partBytes: number;
  /** Whether the store supports conditional puts. */
  #isConditional = true;

  private constructor(sdk: typeof Sdk, client: Sdk.S3Client, place: BucketPlace, options: BucketOptions) {
    this.place = place;
    this.#sdk = sdk;
    this.#client = client;
    this.#attempts = options.attempts ?? ATTEMPTS;
    this.#partBytes = options.partBytes ?? PART_BYTES;
  }

  /** Makes no request yet. Keys and region are found as in every program with the AWS SDK. */
  static async open(place: BucketPlace, options: BucketOptions = {}): Promise<Bucket> {
    // Takes about 100 ms of processor time and 35 MB, only with a bucket.
    const sdk = await import('@aws-sdk/client-s3');
    const timeout = options.timeoutMs ?? TIMEOUT_MS;
    const client = new sdk.S3Client({
      // Only AWS puts bucket names into host names; other stores rarely do, and have no regions.
      ...(options.endpoint === undefined
        ? {}
        : { endpoint: options.endpoint, forcePathStyle: true, region: options.region ?? 'us-east-1' }),
      ...(options.region === undefined ? {} : { region: options.region }),
      maxAttempts: 1,
      requestHandler: {
        connectionTimeout: Math.min(5_000, timeout),
        socketTimeout: timeout,
        // For the whole request: a part takes time on a slow connection.
        requestTimeout: 6 * timeout,
        throwOnRequestTimeout: true,
      },
      // Checksums are sent and compared below; not all stores support those of the SDK.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    });
    return new Bucket(sdk, client, place, options);
  }

  /** Stores a file under a unique name; the store verifies its SHA-256. Idempotent. */
  async put(name: string, file: string, about: { bytes: number; sha256: Buffer }): Promise<void> {
    const handle = await open(file, 'r');
    try {
      if (about.bytes > this.#partBytes) await this.#putInParts(name, handle, about);
      else await this.putBytes(name, await read(handle, 0, about.bytes), about.sha256);
    } finally {
      await handle.close();
    }
  }

  /** Like {@link put}, from memory. */
  async putBytes(
    name: string,
    body: Buffer,
    sha256: Buffer = createHash('sha256').update(body).digest(),
  ): Promise<void> {
    const request: Sdk.PutObjectCommandInput = {
      ...this.#at(name),
      Body: body,
      ContentLength: body.length,
      ChecksumSHA256: sha256.toString('base64'),
      Metadata: { sha256: sha256.toString('hex') },
    };
    await this.#once(name, { bytes: body.length, sha256 }, (condition) =>
      this.#client.send(new this.#sdk.PutObjectCommand({ ...request, ...condition })),
    );
  }

  /** Writes or overwrites an object: for the few whose names do not depend on their content. */
  async replaceBytes(name: string, body: Buffer): Promise<void> {
    const request: Sdk.PutObjectCommandInput = {
      ...this.#at(name),
      Body: body,
      ContentLength: body.length,
      ChecksumSHA256: createHash('sha256').update(body).digest('base64'),
    };
    await this.#retried(`put ${name}`, () => this.#client.send(new this.#sdk.PutObjectCommand(request)));
  }

  /** Whether an object exists, and was stored with this length and SHA-256. It is not read. */
  async has(name: string, about: { bytes: number; sha256: Buffer }): Promise<boolean> {
    try {
      return await this.#isThere(name, about);
    } catch (err) {
      if (isProblem(err, 'missing')) return false;
      throw err;
    }
  }

  /** Writes an object durably to a file. @returns its SHA-256, and the one that it was stored with */
  async get(name: string, file: string): Promise<{ bytes: number; sha256: Buffer; stored: Buffer | null }> {
    return this.#retried(`get ${name}`, async () => {
      const answer = await this.#client.send(new this.#sdk.GetObjectCommand(this.#at(name)));
      const hash = createHash('sha256');
      let bytes = 0;
      try {
        await pipeline(
          answer.Body as Readable,
          async function* (source: AsyncIterable<Buffer>) {
            for await (const chunk of source) {
              hash.update(chunk);
              bytes += chunk.length;
              yield chunk;
            }
          },
          createWriteStream(file, { mode: 0o600, flush: true }),
        );
      } catch (err) {
        await rm(file, { force: true });
        throw err;
      }
      const sum = answer.Metadata?.sha256;
      return { bytes, sha256: hash.digest(), stored: sum ? Buffer.from(sum, 'hex') : null };
    });
  }

  /** A small object; null if there is none. */
  async readText(name: string): Promise<string | null> {
    try {
      return await this.#retried(`get ${name}`, async () => {
        const { Body: body } = await this.#client.send(new this.#sdk.GetObjectCommand(this.#at(name)));
        return (await body?.transformToString('utf8')) ?? '';
      });
    } catch (err) {
      if (isProblem(err, 'missing')) return null;
      throw err;
    }
  }

  /** Every object whose name begins with `start`, unordered. */
  async list(start: string): Promise<ObjectHead[]> {
    const found: ObjectHead[] = [];
    const { Bucket: bucket, Key: prefix } = this.#at(start);
    let next: string | undefined;
    do {
      const answer = await this.#retried(`list ${start}`, () =>
        this.#client.send(
          new this.#sdk.ListObjectsV2Command({
            Bucket: bucket,
            Prefix: prefix,
            ...(next && { ContinuationToken: next }),
          }),
        ),
      );
      for (const { Key: key, Size: bytes } of answer.Contents ?? []) {
        if (key !== undefined) found.push({ name: key.slice(prefix.length - start.length), bytes: bytes ?? 0 });
      }
      next = answer.NextContinuationToken;
    } while (next !== undefined);
    return found;
  }

  /** Idempotent. */
  async remove(names: readonly string[]): Promise<void> {
    for (let i = 0; i < names.length; i += DELETED_AT_ONCE) {
      const objects = names.slice(i, i + DELETED_AT_ONCE).map((name) => ({ Key: this.#at(name).Key }));
      await this.#retried(`delete ${objects.length} objects`, async () => {
        const { Errors: errors = [] } = await this.#client.send(
          new this.#sdk.DeleteObjectsCommand({
            Bucket: this.place.bucket,
            Delete: { Objects: objects, Quiet: true },
            // Stores require a checksum of the list, and do not all support the SDK's CRC.
            ChecksumAlgorithm: 'SHA256',
          }),
        );
        const [first] = errors.filter(({ Code: code }) => code !== 'NoSuchKey');
        if (first) throw new BucketProblem('refused', `delete ${first.Key}: ${first.Code} ${first.Message ?? ''}`);
      });
    }
  }

  close(): void {
    this.#client.destroy();
  }

  #at(name: string): { Bucket: string; Key: string } {
    const { bucket, prefix } = this.place;
    return { Bucket: bucket, Key: prefix === '' ? name : `${prefix}/${name}` };
  }

  #retried<T>(what: string, work: () => Promise<T>): Promise<T> {
    const [verb = what] = what.split(' ', 1);
    return inSpan({ name: `bucket ${verb}`, kind: 'client' }, async () => {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await work();
        } catch (err) {
          const problem = problemOf(err, what);
          if (attempt >= this.#attempts || problem.kind !== 'away') throw problem;
        }
        await sleep(FIRST_PAUSE_MS * PAUSE_FACTOR ** (attempt - 1) * (1 + Math.random() / 2));
      }
    });
  }

  /** A put that creates an object and never changes one. */
  async #once(
    name: string,
    about: { bytes: number; sha256: Buffer },
    send: (condition: { IfNoneMatch?: string }) => Promise<unknown>,
  ): Promise<void> {
    try {
      await this.#retried(`put ${name}`, async () => {
        try {
          await send(this.#isConditional ? { IfNoneMatch: '*' } : {});
        } catch (err) {
          // Stores without conditional puts refuse them and write nothing. Names are random, so never reused.
          if (!this.#isConditional || !isNotImplemented(err)) throw err;
          this.#isConditional = false;
          await send({});
        }
      });
    } catch (err) {
      // Also a multipart upload that is unknown because an attempt finished it and its answer was lost.
      const mayBeOurs = isProblem(err, 'taken') || isProblem(err, 'missing');
      if (!mayBeOurs || !(await this.#isThere(name, about))) throw err;
    }
  }

  async #isThere(name: string, { bytes, sha256 }: { bytes: number; sha256: Buffer }): Promise<boolean> {
    const head = await this.#retried(`head ${name}`, () =>
      this.#client.send(new this.#sdk.HeadObjectCommand(this.#at(name))),
    );
    return head.ContentLength === bytes && head.Metadata?.sha256 === sha256.toString('hex');
  }

  async #putInParts(name: string, handle: FileHandle, about: { bytes: number; sha256: Buffer }): Promise<void> {
    const at = this.#at(name);
    const { UploadId: upload } = await this.#retried(`begin ${name}`, () =>
      this.#client.send(
        new this.#sdk.CreateMultipartUploadCommand({
          ...at,
          ChecksumAlgorithm: 'SHA256',
          Metadata: { sha256: about.sha256.toString('hex') },
        }),
      ),
    );
    const of = { ...at, UploadId: upload };
    try {
      const parts: { PartNumber: number; ETag: string | undefined; ChecksumSHA256: string }[] = [];
      for (let from = 0; from < about.bytes; from += this.#partBytes) {
        const body = await read(handle, from, Math.min(this.#partBytes, about.bytes - from));
        const sum = createHash('sha256').update(body).digest('base64');
        const part = {
          ...of,
          PartNumber: parts.length + 1,
          Body: body,
          ContentLength: body.length,
          ChecksumSHA256: sum,
        };
        const { ETag: tag } = await this.#retried(`put part ${part.PartNumber} of ${name}`, () =>
          this.#client.send(new this.#sdk.UploadPartCommand(part)),
        );
        parts.push({ PartNumber: part.PartNumber, ETag: tag, ChecksumSHA256: sum });
      }
      await this.#once(name, about, (condition) =>
        this.#client.send(
          new this.#sdk.CompleteMultipartUploadCommand({ ...of, ...condition, MultipartUpload: { Parts: parts } }),
        ),
      );
    } catch (err) {
      // Its parts take space until the bucket's own rule for unfinished uploads deletes them.
      await this.#client.send(new this.#sdk.AbortMultipartUploadCommand(of)).catch(() => {});
      throw err;
    }
  }
}

async function read(handle: FileHandle, from: number, bytes: number): Promise<Buffer> {
  const body = Buffer.alloc(bytes);
  let at = 0;
  while (at < bytes) {
    const { bytesRead } = await handle.read(body, at, bytes - at, from + at);
    if (bytesRead === 0) throw new Error(`A file is ${bytes - at} bytes shorter than it was.`);
    at += bytesRead;
  }
  return body;
}
