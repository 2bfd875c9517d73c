/** What a turn of the job published, as its diff says. */
export interface LastChange {
  turn: number;
  /** Unified, with git's headers, and perhaps cut: see diffTrees. */
  diff: string;
}
