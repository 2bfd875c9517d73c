/** A published change of a turn of the job, as its diff. */
export interface LastChange {
  turn: number;
  /** Unified, with git's headers, and perhaps cut: see diffTrees. */
  diff: string;
}
