/** Conditions that cut all visitors into ranges of about the same number. */
export function visitorSlices(slices: number): string[] {
  if (slices === 1) return ['true'];
  return Array.from(
    { length: slices },
    (_, slice) => `visitor BETWEEN ${startOf(slice, slices)} AND ${startOf(slice + 1, slices) - 1n}`,
  );
}

/** The first visitor of a slice. */
const startOf = (slice: number, slices: number): bigint => (2n ** 64n * BigInt(slice)) / BigInt(slices);
