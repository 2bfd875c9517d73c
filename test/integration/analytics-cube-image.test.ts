import { mkdtempSync } from 'node:fs';
import { access, mkdir, readFile, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { NEVER } from '../../src/analytics/events/days.ts';
import { CUBE_KINDS } from '../../src/analytics/events/kinds.ts';
import { CubeIndexes } from '../../src/analytics/query/cube-index.ts';
import { CubeLayer, WIDTH } from '../../src/analytics/query/cube-layer.ts';
import { AnalyticsFolder } from '../../src/analytics/storage/analytics-folder.ts';
import { Duck } from '../../src/analytics/storage/duck.ts';
import { sumOf } from '../../src/analytics/storage/file-sum.ts';
import { imageOf } from '../../src/analytics/storage/index-of.ts';
import type { FileRow } from '../../src/store/analytics/manifest.ts';
import { times } from '../support/how-often.ts';

const root = mkdtempSync(path.join(tmpdir(), 'docent-image-'));
const folder = new AnalyticsFolder(root);
let duck: Duck;
let made = 0;
beforeAll(async () => {
  duck = await Duck.open({ memoryMb: 128, threads: 1, connections: 2, temporaryFolder: folder.temporaryFolder });
});
afterAll(async () => {
  duck.close();
  await rm(root, { recursive: true });
});

/** Writes rows of SQL as a file of a cube. */
async function fileOf(rows: string): Promise<FileRow> {
  const id = `cube${(made += 1)}`;
  const name = folder.nameOf('p', 'cube', id);
  await mkdir(path.dirname(folder.fileOf(name)), { recursive: true });
  const written = folder.fileOf(name);
  await duck.use((session) => session.run(`COPY (FROM ${rows}) TO '${written}' (FORMAT parquet)`));
  const sum = await sumOf(written);
  const about = { minDay: 0, maxDay: 0, addedVersion: 1, removedVersion: null, removedAt: null };
  return { projectId: 'p', id, family: 'cube', path: name, rows: 1_000_000, ...sum, ...about } as FileRow;
}

/**
 * Days that come together, days without visitors, counts and pages of all sizes.
 * @param pages beyond 21,845, their places take four bytes
 */
const manyRows = (rows: number, pages = 7) => `(
  SELECT '/ü' || (hash(n * 4) % ${pages}) AS path, ['human', 'ai', 'both', 'class:search'][(hash(n * 4 + 1) % 4 + 1)::INTEGER] AS kind, day,
    CASE hash(n * 4 + 2) % 4 WHEN 0 THEN ${NEVER} ELSE (day - 1 - hash(n * 4 + 3) % 60)::INTEGER END AS prev,
    CASE WHEN n = 5 THEN 70_000 ELSE (hash(n) % 3)::BIGINT - 1 END AS n
  FROM (SELECT n, 11_000 + (hash(n) % 90)::INTEGER AS day FROM range(${rows}) t(n)) WHERE day % 7 <> 3)`;

const layerOf = (file: FileRow) => CubeLayer.loadFile(duck, folder, file, 1);
const nameOf = (file: FileRow) => folder.fileOf(file.path);
const imageBytes = (file: FileRow) => readFile(imageOf(nameOf(file)));

/** What a layer counts, over ranges that begin and end between blocks of days and on their bounds. */
function countsOf(layer: CubeLayer): unknown {
  const ends = Array.from({ length: 13 }, (_, i) => 10_994 + i * 9);
  const counts = ends.flatMap((from) =>
    ends.map((to) => {
      const sums = new Float64Array(layer.pages.length * WIDTH);
      layer.addTo(sums, from, to);
      return sums.join();
    }),
  );
  return { pages: layer.pages, counts };
}

const row = fc.record({
  path: fc.constantFrom('', '/a', '/b', '/ü'),
  kind: fc.constantFrom(...CUBE_KINDS, 'class:search'),
  day: fc.integer({ min: 11_000, max: 11_090 }),
  prev: fc.constantFrom(NEVER, -5, 10_998, 10_999, 11_000, 11_001, 11_003, 11_005),
  // Also more than 16 bits hold.
  n: fc.constantFrom(1, 2, -1, 40_000, 2_000_000),
});

test('whatever a cube holds, its image counts the same', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 40 }), async (rows) => {
      const values = rows.map(({ path: page, kind, day, prev, n }) => `('${page}', '${kind}', ${day}, ${prev}, ${n})`);
      const source =
        values.length > 0
          ? `(FROM (VALUES ${values.join(', ')}) AS t(path, kind, day, prev, n))`
          : `(SELECT '' AS path, 'class:search' AS kind, 1 AS day, 1 AS prev, 1 AS n)`;
      const file = await fileOf(source);
      const read = await layerOf(file);
      // From now on, counts come from the image.
      await rm(nameOf(file));
      const imaged = await layerOf(file);
      expect(countsOf(imaged)).toEqual(countsOf(read));
      expect(imaged.rows).toBe(read.rows);
      await rm(imageOf(nameOf(file)));
    }),
    { numRuns: times(8) },
  );
});

test('a large cube whose blocks of days are added up, and one of very many pages, count the same from their images', async () => {
  for (const source of [manyRows(60_000), manyRows(60_000, 30_000)]) {
    const file = await fileOf(source);
    const read = countsOf(await layerOf(file));
    await rm(nameOf(file));
    expect(countsOf(await layerOf(file))).toEqual(read);
  }
});

test('an image that is damaged, truncated or too long changes no answer, and is rebuilt', async () => {
  const file = await fileOf(manyRows(2_000));
  const right = countsOf(await layerOf(file));
  const image = imageOf(nameOf(file));
  const bytes = await imageBytes(file);
  const flipped = (at: number) => {
    const other = Buffer.from(bytes);
    other[at]! ^= 1 << (at % 8);
    return other;
  };
  const every = Math.ceil(bytes.length / 50);
  const places = [...Array.from({ length: 40 }, (_, at) => at), ...Array.from({ length: 50 }, (_, i) => i * every)];
  const spoilt = [
    ...places.filter((at) => at < bytes.length).map(flipped),
    ...[0, 1, 15, 16, 100, bytes.length - 33, bytes.length - 1].map((length) => bytes.subarray(0, length)),
    Buffer.concat([bytes, Buffer.from([0])]),
    Buffer.alloc(bytes.length),
  ];
  for (const other of spoilt) {
    if (other.equals(bytes)) continue;
    await writeFile(image, other);
    expect(countsOf(await layerOf(file))).toEqual(right);
    expect(await imageBytes(file)).toEqual(bytes);
  }
});

test('an image of another file, or of other content under the same name, is ignored', async () => {
  const [file, other] = [await fileOf(manyRows(500)), await fileOf(manyRows(900))];
  const [right, wrong] = [countsOf(await layerOf(file)), countsOf(await layerOf(other))];
  expect(right).not.toEqual(wrong);
  await writeFile(imageOf(nameOf(file)), await imageBytes(other));
  expect(countsOf(await layerOf(file))).toEqual(right);
  // As if a file came back from elsewhere.
  await writeFile(nameOf(file), await readFile(nameOf(other)));
  const same = { ...file, ...(await sumOf(nameOf(file))) };
  expect(countsOf(await layerOf(same))).toEqual(wrong);
});

test('of a file that is damaged no image is made, which would outlive the repair', async () => {
  const file = await fileOf(manyRows(500));
  await truncate(nameOf(file), file.bytes);
  const damaged = { ...file, sha256: Buffer.alloc(32) };
  await layerOf(damaged);
  expect(await CubeLayer.makeImage(duck, folder, damaged)).toBe(false);
  await expect(access(imageOf(nameOf(file)))).rejects.toThrow('ENOENT');
  expect(await CubeLayer.makeImage(duck, folder, file)).toBe(true);
});

test('small files get no image', async () => {
  const file = await fileOf(manyRows(500));
  await CubeLayer.loadFile(duck, folder, { ...file, rows: 249_999 });
  await expect(access(imageOf(nameOf(file)))).rejects.toThrow('ENOENT');
});

test('parallel readers of one cube count the same, and leave one image only', async () => {
  const file = await fileOf(manyRows(5_000));
  const [first, ...others] = await Promise.all(Array.from({ length: 6 }, () => layerOf(file)));
  for (const other of others) expect(countsOf(other)).toEqual(countsOf(first!));
  await rm(nameOf(file));
  expect(countsOf(await layerOf(file))).toEqual(countsOf(first!));
  expect((await readdir(folder.temporaryFolder)).filter((name) => name.endsWith('.image'))).toEqual([]);
});

test('if no image can be written, queries are answered anyway', async () => {
  const file = await fileOf(manyRows(500));
  const right = countsOf(await layerOf(file));
  await rm(imageOf(nameOf(file)));
  // A folder where the image belongs: it cannot be renamed to it.
  await mkdir(path.join(imageOf(nameOf(file)), 'x'), { recursive: true });
  expect(countsOf(await layerOf(file))).toEqual(right);
  expect((await readdir(folder.temporaryFolder)).filter((name) => name.endsWith('.image'))).toEqual([]);
});

const fileWith = (values: string) => fileOf(`(FROM (VALUES ${values}) AS t(path, kind, day, prev, n))`);

test('files of one cube that know different pages are added up page by page', async () => {
  const files = [
    await fileWith(`('/b', 'human', 11_000, ${NEVER}, 1), ('/c', 'ai', 11_000, ${NEVER}, 2)`),
    await fileWith(`('/a', 'human', 11_000, ${NEVER}, 4), ('/c', 'ai', 11_000, ${NEVER}, 8)`),
  ];
  const { pages, sums } = await (await new CubeIndexes(folder, duck).get(files, null)).count(11_000, 11_001);
  const counted = pages.map((page, place) => [page, [...sums.subarray(place * WIDTH, (place + 1) * WIDTH)].join()]);
  expect(Object.fromEntries(counted)).toEqual({ '/a': '4,0,0', '/b': '1,0,0', '/c': '0,10,0' });
});
