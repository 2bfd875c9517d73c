import { expect, test } from 'vitest';
import { candidates } from '../../../src/analytics/maintenance/compact.ts';
import type { FileRow } from '../../../src/store/analytics/manifest.ts';
import type { FileFamily } from '../../../src/store/analytics/analytics-schema.ts';

const file = (family: FileFamily, rows: number, no: number): FileRow => ({
  id: `${family}-${no}`,
  projectId: 'site',
  family,
  path: `${family}/${no}.parquet`,
  rows,
  bytes: rows,
  sha256: Buffer.alloc(32),
  minDay: 20_000,
  maxDay: 20_010,
  source: null,
  addedVersion: no,
  removedVersion: null,
  removedAt: null,
});

test.each(['cube', 'presence', 'revisits'] as const)(
  'a large file of the %s stays while small ones beside it are put together',
  (family) => {
    const base = file(family, 8_000_000, 0);
    const small = Array.from({ length: 5 }, (_, i) => file(family, 2_000, i + 1));
    expect(candidates(family, [base, ...small.slice(0, 3)], 20_020)).toEqual([]);
    expect(candidates(family, [base, ...small], 20_020)).toEqual([small]);
  },
);

test('late events of a large day are put with it when they are a quarter of it, not each time some come', () => {
  const day = { ...file('events', 6_000_000, 0), minDay: 20_000, maxDay: 20_000 };
  const late = (rows: number, no: number) => ({ ...day, id: `late-${no}`, rows });
  expect(candidates('events', [day, late(500_000, 1)], 20_020)).toEqual([]);
  const much = [day, late(500_000, 1), late(1_000_000, 2)];
  expect(candidates('events', much, 20_020)).toEqual([much]);
  // A small day is soon written.
  const small = [late(400_000, 3), late(10, 4)];
  expect(candidates('events', small, 20_020)).toEqual([small]);
  expect(candidates('events', small, 20_001)).toEqual([]);
});

test('files of presence are put together however large, so that merges look into few of them', () => {
  const files = Array.from({ length: 4 }, (_, i) => file('presence', 60_000_000, i));
  expect(candidates('presence', files, 20_020)).toEqual([files]);
  const cube = Array.from({ length: 4 }, (_, i) => file('cube', 60_000_000, i));
  expect(candidates('cube', cube, 20_020)).toEqual([]);
});

test('merges without end leave few files of the cube, and write its rows again a few times each', () => {
  let files: FileRow[] = [];
  let written = 0;
  let merges = 0;
  for (; merges < 1_000; merges += 1) {
    files.push(file('cube', 3_000, merges));
    for (let [set] = candidates('cube', files, 20_020); set; [set] = candidates('cube', files, 20_020)) {
      const inputs = set;
      const rows = inputs.reduce((sum, each) => sum + each.rows, 0);
      written += rows;
      files = [...files.filter((each) => !inputs.includes(each)), file('cube', rows, 10_000 + merges)];
    }
    expect(files.length).toBeLessThan(25);
  }
  expect(written / (merges * 3_000)).toBeLessThan(8);
});
