import { NEVER } from '../events/days.ts';
import { firstAtLeast, type CubeRows } from './cube-rows.ts';

/** With fewer blocks of days than this, the rows are summed directly. */
const FEWEST = 3;
const MOST = 64;

/** The days [from, to) with a previous day before `prevTo`: summed in advance. */
interface Middle {
  from: number;
  to: number;
  prevTo: number;
  addTo(sums: Float64Array): void;
}

/**
 * Two-dimensional prefix sums over blocks of days, so that a range adds up only the rows at its ends. Blocks
 * have similar numbers of rows; all take half as much memory as the rows.
 */
export class BlockSums {
  /** The first day of each block, and the day after the last. */
  readonly #bounds: Int32Array;
  /** [p][i]: what days from bound `p` to bound `p + i + 1` count with a previous day before bound `p`. */
  readonly #sums: readonly (readonly Float64Array[])[];

  private constructor(bounds: Int32Array, sums: readonly (readonly Float64Array[])[]) {
    this.#bounds = bounds;
    this.#sums = sums;
  }

  /** @returns null if it would not pay */
  static of(rows: CubeRows, slots: number): BlockSums | null {
    // Each of some blocks² / 2 sums takes 8 bytes a slot, a row takes 4.
    const blocks = Math.min(MOST, Math.floor(Math.sqrt(rows.length / (2 * slots))));
    if (!(blocks >= FEWEST)) return null;
    const bounds = boundsOf(rows, blocks);
    const sums = Array.from({ length: bounds.length - 1 }, (): Float64Array[] => []);
    for (let block = 0; block < sums.length; block += 1) {
      const before = new Float64Array(slots);
      for (let prev = 0; prev <= block; prev += 1) {
        const fromPrev = prev === 0 ? NEVER : bounds[prev - 1]!;
        rows.addTo(before, bounds[block]!, bounds[block + 1]!, fromPrev, bounds[prev]!);
        const earlier = sums[prev]!.at(-1);
        sums[prev]!.push(earlier ? before.map((n, slot) => n + earlier[slot]!) : before.slice());
      }
    }
    return new BlockSums(bounds, sums);
  }

  /** The part of the range [from, to) that is summed in advance, or null. */
  within(from: number, to: number): Middle | null {
    const bounds = this.#bounds;
    const first = firstAtLeast(bounds, from, 0, bounds.length);
    const last = firstAtLeast(bounds, to + 1, 0, bounds.length) - 1;
    // For previous days before the range, those before the last bound outside it.
    const prev = bounds[first] === from ? first : first - 1;
    if (prev < 0 || first >= last) return null;
    const sums = this.#sums[prev]!;
    return {
      from: bounds[first]!,
      to: bounds[last]!,
      prevTo: bounds[prev]!,
      addTo: (target) => {
        const all = sums[last - prev - 1]!;
        const less = sums[first - prev - 1];
        for (let slot = 0; slot < target.length; slot += 1) target[slot]! += all[slot]! - (less?.[slot] ?? 0);
      },
    };
  }
}

/** Whole days, with about the same number of rows in each block. */
function boundsOf({ days, runsOf, rowsOf, length }: CubeRows, blocks: number): Int32Array {
  const bounds: number[] = [];
  for (let i = 0; i < days.length; i += 1) {
    const rowsBefore = rowsOf[runsOf[i]!]!;
    if (rowsBefore >= (bounds.length * length) / blocks) bounds.push(days[i]!);
  }
  return Int32Array.from([...bounds, days.at(-1)! + 1]);
}
