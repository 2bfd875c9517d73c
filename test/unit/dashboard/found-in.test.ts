import { expect, test } from 'vitest';
import { foundIn } from '../../../packages/dashboard/src/shell/found-in.ts';

const ALL = ['Home acme', 'Webhooks acme', 'Café acme', 'All projects Installation', 'New job acme'];
const found = (typed: string) => foundIn(ALL, typed, (name) => name);

test('every typed word is part of what is found, in any order, whatever its capitals and accents', () => {
  expect(found('')).toEqual(ALL);
  expect(found('acme NEW')).toEqual(['New job acme']);
  expect(found('cafe')).toEqual(['Café acme']);
  expect(found('.*')).toEqual([]);
});

test('results that begin with the typed text come first', () => {
  expect(foundIn(['Go to jobs', 'Jobs', 'Old jobs'], 'jobs', (name) => name)).toEqual([
    'Jobs',
    'Go to jobs',
    'Old jobs',
  ]);
});
