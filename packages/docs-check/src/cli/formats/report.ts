import type { Problem } from '../../checks/problem.ts';
import type { Suppressed } from '../../checks/known/known-problems.ts';
import { ruleAddress } from '@docent/base/rule-address';
import type { CheckOutcome } from '../run-check.ts';

/** The output of a check. */
export interface Report {
  outcome: CheckOutcome;
  /** The problems to show, in order. */
  shown: readonly Problem[];
  /** Problems to be reported as suppressed, in a format that can. */
  suppressed: readonly Suppressed[];
  /** One or two sentences. */
  summary: string;
  /** Whether a problem makes the check fail. */
  fails: (problem: Problem) => boolean;
  /** Each location of grouped problems. */
  all: boolean;
  stats: Stats | null;
}

export interface Stats {
  seconds: number;
  processorSeconds: number;
  peakMegabytes: number;
}

/** The URL of a rule in the docs; null if the docs' URL is unknown. */
export function helpAddress({ settings: { helpUrl } }: CheckOutcome, code: Problem['code']): string | null {
  return helpUrl === null ? null : ruleAddress(helpUrl, code);
}

/** The message with the likely correction. */
export function messageWithHint({ message, suggestion }: Problem): string {
  return suggestion === undefined ? message : `${message} Did you mean ${JSON.stringify(suggestion)}?`;
}
