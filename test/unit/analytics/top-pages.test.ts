import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { allPages, compareUtf8, topPages } from '../../../src/analytics/query/top-pages.ts';
import { anyCharacter } from '../../support/any-character.ts';

const text = fc.string({ unit: anyCharacter, maxLength: 6 });

test('pages with as many visitors come in the order of their bytes, as the database has them', () => {
  fc.assert(
    fc.property(text, text, (a, b) => {
      expect(Math.sign(compareUtf8(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
    }),
  );
});

const count = fc.nat(5);
const entries = fc.uniqueArray(
  fc.record({
    path: fc.constantFrom('', '/', '/a', '/b', '/ä', '/😀', '/\uFFFD'),
    human: count,
    ai: count,
    both: count,
  }),
  { selector: ({ path }) => path },
);

test('the rows that paging asks for are those of the whole, however cube and extras are added up', () => {
  fc.assert(
    fc.property(entries, entries, fc.nat(4), fc.nat(8), (cube, extra, limit, offset) => {
      const sums = {
        pages: cube.map(({ path }) => path),
        sums: Float64Array.from(cube.flatMap(({ human, ai, both }) => [human, ai, -Math.min(both, human, ai)])),
        placeOf: new Map(cube.map(({ path }, place) => [path, place])),
      };
      const extras = extra.map(({ path, human, ai }) => ({ path, human, ai, total: Math.max(human, ai) }));
      const whole = new Map<string, { human: number; ai: number; total: number }>();
      const add = (path: string, human: number, ai: number, total: number) => {
        const known = whole.get(path) ?? { human: 0, ai: 0, total: 0 };
        whole.set(path, { human: known.human + human, ai: known.ai + ai, total: known.total + total });
      };
      for (const { path, human, ai, both } of cube) add(path, human, ai, human + ai - Math.min(both, human, ai));
      for (const { path, human, ai, total } of extras) add(path, human, ai, total);
      const rows = [...whole]
        .filter(([path, { total }]) => path !== '' && total > 0)
        .map(([path, counts]) => ({ path, ...counts }))
        .toSorted((a, b) => b.total - a.total || Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)));
      expect(topPages(sums, extras, { limit, offset })).toEqual({
        totals: whole.get('') ?? { human: 0, ai: 0, total: 0 },
        rows: rows.slice(offset, offset + limit),
        count: rows.length,
        hasMore: rows.length > offset + limit,
      });
      const { paths, human, ai, total } = allPages(sums, extras);
      const all = paths.map((path, at) => ({ path, human: human[at], ai: ai[at], total: total[at] }));
      expect(new Set(all)).toEqual(new Set(rows));
    }),
  );
});

test('a page of a long list holds the rows that a sort of all of them has there', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(12), { minLength: 1, maxLength: 120 }),
      fc.integer({ min: 1, max: 30 }),
      fc.nat(100),
      (totals, limit, offset) => {
        const pages = totals.map((_, i) => `/p${i}`);
        const sums = Float64Array.from(totals.flatMap((total) => [total, 0, 0]));
        const rows = pages
          .map((path, i) => ({ path, human: totals[i]!, ai: 0, total: totals[i]! }))
          .filter(({ total }) => total > 0)
          .toSorted((a, b) => b.total - a.total || compareUtf8(a.path, b.path));
        const counted = { pages, sums, placeOf: new Map(pages.map((path, place) => [path, place])) };
        expect(topPages(counted, [], { limit, offset }).rows).toEqual(rows.slice(offset, offset + limit));
      },
    ),
  );
});
