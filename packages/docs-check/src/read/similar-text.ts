/**
 * Letters that differ, at most: insertions, deletions, exchanges and swaps of neighbors. Texts are cut at
 * 200 characters.
 */
export function editDistance(a: string, b: string): number {
  const [left, right] = [a.slice(0, 200), b.slice(0, 200)];
  let [before, previous]: [number[], number[]] = [[], Array.from({ length: right.length + 1 }, (_, i) => i)];
  for (let i = 1; i <= left.length; i++) {
    const current = [i];
    for (let j = 1; j <= right.length; j++) {
      const same = left[i - 1] === right[j - 1];
      let cost = Math.min(previous[j]! + 1, current[j - 1]! + 1, previous[j - 1]! + (same ? 0 : 1));
      if (i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1]) {
        cost = Math.min(cost, before[j - 2]! + 1);
      }
      current.push(cost);
    }
    [before, previous] = [previous, current];
  }
  return previous[right.length]!;
}

/** From 0 (nothing in common) to 1 (equal), by edit distance. */
export function similarity(a: string, b: string): number {
  const longest = Math.max(Math.min(a.length, 200), Math.min(b.length, 200));
  return longest === 0 ? 1 : 1 - editDistance(a, b) / longest;
}

/**
 * The candidate of which the text is a misspelling, if there is a clear one. Numbers are never misspelled:
 * `v1` is not `v2`.
 * @param least the required similarity, unless at most two letters differ
 * @param lead the required lead over the next one
 */
export function clearlyNearest(text: string, candidates: Iterable<string>, least = 0.8, lead = 0.12): string | null {
  let [best, score, second]: [string | null, number, number] = [null, -1, -1];
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - text.length) > text.length / 2 + 2 || !sameNumbers(text, candidate)) continue;
    const similar = similarity(text, candidate);
    if (similar > score) [best, score, second] = [candidate, similar, score];
    else second = Math.max(second, similar);
  }
  if (best === null || score - second < lead) return null;
  return score >= least || isSlip(text, best) ? best : null;
}

/** Whether two words differ by a typo: a letter or two, in long enough words. */
export function isSlip(a: string, b: string): boolean {
  const shorter = Math.min(a.length, b.length);
  return shorter >= 4 && sameNumbers(a, b) && editDistance(a, b) <= (shorter >= 6 ? 2 : 1);
}

function sameNumbers(a: string, b: string): boolean {
  return a.replace(/\D+/g, ' ').trim() === b.replace(/\D+/g, ' ').trim();
}
