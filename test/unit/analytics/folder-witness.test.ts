import { assert, integer, property, tuple } from 'fast-check';
import { expect, test } from 'vitest';
import { FolderWitness, type Sight } from '../../../src/analytics/storage/folder-witness.ts';

const BEAT = 5_000;
const PATIENCE = 90_000;

const within = (at: number, [from, to]: readonly [number, number]) => at >= from && at < to;

/** What a process sees that looks every `BEAT`, at a process that writes nonce 1, 2, 3 … and whose file shows `lateMs` late. */
function watch(options: {
  forMs: number;
  lateMs?: number;
  /** From here on, the folder is a copy that stays as it is. */
  copiedAt?: number;
  /** Between these, the other process does not write. */
  paused?: readonly [number, number];
  /** Between these, the watching process does not look. */
  away?: readonly [number, number];
}): Sight[] {
  const {
    forMs,
    lateMs = 0,
    copiedAt = Infinity,
    paused = [Infinity, Infinity],
    away = [Infinity, Infinity],
  } = options;
  const nonceAt = (at: number) => {
    const active = at >= paused[1] ? at : Math.min(at, paused[0]);
    return Math.max(0, Math.floor(active / BEAT));
  };
  const witness = new FolderWitness(BEAT, PATIENCE);
  const sights: Sight[] = [];
  for (let now = 100_000; now < 100_000 + forMs; now += BEAT) {
    if (within(now, away)) continue;
    const shown = nonceAt(Math.min(now, copiedAt) - lateMs);
    sights.push(witness.see({ id: 'a', nonce: `n${nonceAt(now)}` }, [`n${shown}`, `n${shown - 1}`], now));
  }
  return sights;
}

test('processes with the same folder are never told apart, however late a file shows within the patience, and whoever is paused', () => {
  const span = tuple(integer({ min: 100_000, max: 500_000 }), integer({ min: 0, max: 900_000 }));
  assert(
    property(integer({ min: 0, max: 60_000 }), span, span, (lateMs, [p, pausedFor], [a, awayFor]) => {
      const sights = watch({ forMs: 1_500_000, lateMs, paused: [p, p + pausedFor], away: [a, a + awayFor] });
      expect(sights).not.toContain('apart');
    }),
  );
});

test('a process on the same disk is seen at the first look', () => {
  expect(watch({ forMs: BEAT })).toEqual(['shared']);
});

test('a copy is told within the patience after it was made, also one that was made a moment before', () => {
  for (const copiedAt of [20_000, 99_999, 100_000, 150_000]) {
    const sights = watch({ forMs: 600_000, copiedAt });
    const first = sights.indexOf('apart');
    expect(first).toBeGreaterThan(0);
    expect(first * BEAT).toBeLessThanOrEqual(Math.max(0, copiedAt - 100_000) + PATIENCE + 4 * BEAT);
    expect(sights.slice(first)).not.toContain('shared');
  }
});

test('a process that died elsewhere, or before the folder was restored, keeps nobody out', () => {
  const sights = watch({ forMs: 60_000, copiedAt: 0, paused: [50_000, Infinity] });
  expect(sights).not.toContain('apart');
  expect(sights.at(-1)).toBe('gone');
});
