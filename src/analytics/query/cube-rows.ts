/** Rows by day and previous day: a day's rows with previous days in a range are contiguous. */
export class CubeRows {
  readonly days: Int32Array;
  /** The runs of day `i` are [runsOf[i], runsOf[i + 1]). */
  readonly runsOf: Uint32Array;
  /** Run `r` has the previous day prevs[r] and the rows [rowsOf[r], rowsOf[r + 1]). */
  readonly prevs: Int32Array;
  readonly rowsOf: Uint32Array;
  /** The slot of a row, and its count. */
  readonly slots: Uint16Array | Uint32Array;
  readonly counts: Int16Array | Int32Array;

  constructor(
    runs: Pick<CubeRows, 'days' | 'runsOf' | 'prevs' | 'rowsOf'>,
    slots: Uint16Array | Uint32Array,
    counts: Int16Array | Int32Array,
  ) {
    this.days = runs.days;
    this.runsOf = runs.runsOf;
    this.prevs = runs.prevs;
    this.rowsOf = runs.rowsOf;
    this.slots = slots;
    this.counts = counts;
  }

  get length(): number {
    return this.slots.length;
  }

  /** Adds up the rows of the days [fromDay, toDay) with a previous day in [fromPrev, toPrev). */
  addTo(sums: Float64Array, fromDay: number, toDay: number, fromPrev: number, toPrev: number): void {
    const { days, runsOf, prevs, rowsOf, slots, counts } = this;
    for (let i = firstAtLeast(days, fromDay, 0, days.length); i < days.length && days[i]! < toDay; i += 1) {
      const first = firstAtLeast(prevs, fromPrev, runsOf[i]!, runsOf[i + 1]!);
      const last = firstAtLeast(prevs, toPrev, first, runsOf[i + 1]!);
      const end = rowsOf[last]!;
      for (let row = rowsOf[first]!; row < end; row += 1) sums[slots[row]!]! += counts[row]!;
    }
  }
}

/** The positions of the rows of each (day, previous day). Runs are added in order. */
export class Runs {
  days = new Int32Array();
  runsOf = new Uint32Array();
  prevs = new Int32Array();
  rowsOf = new Uint32Array();
  rows = 0;
  readonly #added: { days: number[]; runsOf: number[]; prevs: number[]; rowsOf: number[] } = {
    days: [],
    runsOf: [],
    prevs: [],
    rowsOf: [],
  };
  /** The place of the day that was looked for last: rows mostly come day by day. */
  #found = 0;

  add(day: number, prev: number, rows: number): void {
    const { days, runsOf, prevs, rowsOf } = this.#added;
    if (days.at(-1) !== day) {
      days.push(day);
      runsOf.push(prevs.length);
    }
    prevs.push(prev);
    rowsOf.push(this.rows);
    this.rows += rows;
  }

  finish(): void {
    const { days, runsOf, prevs, rowsOf } = this.#added;
    this.days = Int32Array.from(days);
    this.runsOf = Uint32Array.from([...runsOf, prevs.length]);
    this.prevs = Int32Array.from(prevs);
    this.rowsOf = Uint32Array.from([...rowsOf, this.rows]);
  }

  /** The run of a day and a previous day, which must exist. */
  find(day: number, prev: number): number {
    const { days, runsOf, prevs } = this;
    if (days[this.#found] !== day) this.#found = firstAtLeast(days, day, 0, days.length);
    return firstAtLeast(prevs, prev, runsOf[this.#found]!, runsOf[this.#found + 1]!);
  }
}

/** The first place in [low, high) of ascending numbers that holds at least `value`, or `high`. */
export function firstAtLeast(numbers: Int32Array, value: number, low: number, high: number): number {
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (numbers[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
