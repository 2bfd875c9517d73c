import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { BUCKET } from '../../scripts/object-store.ts';
import { Bucket } from '../../src/analytics/storage/bucket/bucket.ts';
import { readBucketUrl } from '../../src/platform/bucket-place.ts';
import { hasObjectStore, ObjectStore } from '../support/object-store.ts';

let store: ObjectStore;
let bucket: Bucket;
let folder: string;

const PART = 5 * 1_048_576;

async function made(bytes: number): Promise<{ file: string; about: { bytes: number; sha256: Buffer } }> {
  const body = randomBytes(bytes);
  const file = path.join(folder, `${bytes}-${body.toString('hex', 0, 6)}`);
  await writeFile(file, body);
  return { file, about: { bytes, sha256: createHash('sha256').update(body).digest() } };
}

describe.skipIf(!hasObjectStore)('a bucket', () => {
  beforeAll(async () => {
    store = await ObjectStore.start();
    folder = await mkdtemp(path.join(tmpdir(), 'docent-bucket-'));
    const place = readBucketUrl(`s3://${BUCKET}/a/b`)!;
    bucket = await Bucket.open(place, { endpoint: store.url, timeoutMs: 1_000, attempts: 3, partBytes: PART });
  });
  afterEach(() => void (store.fault = () => null));
  afterAll(async () => {
    bucket.close();
    await store.close();
    await rm(folder, { recursive: true, force: true });
  });

  test.each([0, 1_000, 2 * PART + 17])('gives %i bytes back as they were stored', async (bytes) => {
    const { file, about } = await made(bytes);
    await bucket.put(`files/${bytes}`, file, about);
    const copy = path.join(folder, 'copy');
    expect(await bucket.get(`files/${bytes}`, copy)).toEqual({ ...about, stored: about.sha256 });
    expect((await readFile(copy)).equals(await readFile(file))).toBe(true);
    expect(await bucket.list('files/')).toContainEqual({ name: `files/${bytes}`, bytes });
  });

  test.each([1_000, PART + 1])(
    'never replaces an object of %i bytes, and accepts its own a second time',
    async (bytes) => {
      const [mine, other] = [await made(bytes), await made(bytes)];
      const name = `once/${bytes}`;
      await bucket.put(name, mine.file, mine.about);
      await bucket.put(name, mine.file, mine.about);
      await expect(bucket.put(name, other.file, other.about)).rejects.toMatchObject({ kind: 'taken' });
      const copy = path.join(folder, 'copy');
      expect((await bucket.get(name, copy)).sha256).toEqual(mine.about.sha256);
    },
  );

  test('refuses bytes that were spoilt before they were sent', async () => {
    const { file, about } = await made(500);
    await writeFile(file, randomBytes(500));
    await expect(bucket.put('spoilt', file, about)).rejects.toMatchObject({ kind: 'refused' });
    expect(await bucket.readText('spoilt')).toBeNull();
  });

  test('retries after a lost answer, and recognizes its own object', async () => {
    const { file, about } = await made(500);
    let cut = 0;
    // The put is done, but its answer is lost.
    store.fault = ({ method }) => (method === 'PUT' && cut++ === 0 ? 503 : null);
    await bucket.put('again', file, about);
    expect(cut).toBe(2);
    store.fault = ({ method }) => (method === 'GET' && cut++ < 3 ? 'cut' : null);
    expect((await bucket.get('again', path.join(folder, 'copy'))).sha256).toEqual(about.sha256);
  });

  test('distinguishes a refusal, which is final, from an unreachable store', async () => {
    let asked = 0;
    store.fault = () => (asked++, 403);
    await expect(bucket.readText('x')).rejects.toMatchObject({ kind: 'refused' });
    expect(asked).toBe(1);
    store.fault = () => 'hang';
    await expect(bucket.readText('x')).rejects.toMatchObject({ kind: 'away' });
    store.fault = () => null;
    expect(await bucket.readText('x')).toBeNull();
  });

  test('deletes, including missing objects', async () => {
    const { file, about } = await made(10);
    await bucket.put('gone/1', file, about);
    await bucket.remove(['gone/1', 'gone/2']);
    await bucket.remove(['gone/1']);
    expect(await bucket.list('gone/')).toEqual([]);
  });
});
