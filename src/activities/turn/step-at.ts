/** A step of a turn, as activities are told of it. */
export interface StepAt {
  jobId: string;
  turn: number;
  step: number;
}
