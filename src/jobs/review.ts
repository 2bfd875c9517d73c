import { plural } from '@docent/base/plural';
import type { StoredNote, StoredProblem, StoredSecret } from '../store/jobs/changes-schema.ts';
import type { CheckRoundRow } from '../store/jobs/check-rounds.ts';
import type { PullRequestRow } from '../store/pull-requests/pull-requests.ts';

/** What a reviewer must know before a change is published or merged. */
export interface Review {
  /** Whether the docs checks covered all of it. */
  isChecked: boolean;
  /** The problems that the docs checks still find, errors first. */
  problems: StoredProblem[];
  /** Points to check closely. */
  notes: StoredNote[];
  secrets: StoredSecret[];
}

/** A reason to ask before a change is published or merged. */
export interface Doubt {
  code:
    | 'docs_errors'
    | 'docs_unchecked'
    | 'secrets'
    | 'checks_failed'
    | 'checks_pending'
    | 'checks_unknown'
    | 'changes_requested';
  /** A sentence. */
  message: string;
}

const ORDER = { error: 0, warning: 1, notice: 2 };

/**
 * The problems and notes of a pull request or ready change.
 * @param rounds see {@link listReviewRounds}: each includes what remains of earlier ones, except notes
 */
export function reviewOf(rounds: readonly (CheckRoundRow | null)[]): Review {
  const checked = rounds.filter((round) => round !== null);
  const last = checked.at(-1);
  return {
    isChecked: rounds.length > 0 && checked.length === rounds.length,
    problems: (last?.problems ?? []).toSorted((a, b) => ORDER[a.severity] - ORDER[b.severity]),
    notes: withoutRepeats(checked.flatMap(({ notes }) => notes)),
    secrets: last?.secrets ?? [],
  };
}

function withoutRepeats(notes: readonly StoredNote[]): StoredNote[] {
  const seen = new Map(notes.map((note) => [`${note.path}\n${note.message}`, note]));
  return [...seen.values()];
}

export function errorsIn({ problems }: Pick<Review, 'problems'>): StoredProblem[] {
  return problems.filter(({ severity }) => severity === 'error');
}

/** Why to ask before the change is published. */
export function doubtsOfChange(review: Review): Doubt[] {
  const errors = errorsIn(review).length;
  return [
    ...(errors > 0 ? [doubt('docs_errors', `The docs checks still find ${plural(errors, 'error')}.`)] : []),
    ...(review.isChecked ? [] : [doubt('docs_unchecked', 'The docs checks have not covered the whole change.')]),
    ...(review.secrets.length > 0 ? [doubt('secrets', 'The change may contain a secret.')] : []),
  ];
}

type Asked = Pick<PullRequestRow, 'number' | 'checks' | 'review' | 'pollProblem'>;

/** Why to ask before a pull request is merged. */
export function doubtsOfMerge(review: Review, { number, checks, review: said, pollProblem }: Asked): Doubt[] {
  const unknown =
    number === null
      ? null
      : pollProblem !== null
        ? `The code host could not be asked for its checks: ${pollProblem}`
        : checks === null
          ? 'The status of the code host checks is unknown.'
          : null;
  return [
    ...doubtsOfChange(review),
    ...(checks?.state === 'failed'
      ? [doubt('checks_failed', `${checks.failed} of ${plural(checks.total, 'check')} on the code host failed.`)]
      : []),
    ...(checks?.state === 'pending' ? [doubt('checks_pending', 'The code host checks have not finished.')] : []),
    ...(unknown === null ? [] : [doubt('checks_unknown', unknown)]),
    ...(said === 'changes_requested' ? [doubt('changes_requested', 'A reviewer requested changes.')] : []),
  ];
}

const doubt = (code: Doubt['code'], message: string): Doubt => ({ code, message });
