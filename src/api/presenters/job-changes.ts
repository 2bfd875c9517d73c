import { filesOfDiff } from '../../platform/diff-statistics.ts';
import { ruleAddress } from '../../platform/rule-address.ts';
import type { CheckRoundRow } from '../../store/check-rounds.ts';
import type { JobRow } from '../../store/jobs.ts';
import type { PendingDiff } from '../../store/pending-diffs.ts';
import type { components } from '../generated/openapi.ts';

export function presentPendingDiff(
  found: PendingDiff & { updatedAt: Date },
  job: JobRow,
): components['schemas']['PendingDiff'] {
  const { files, additions, deletions } = found;
  return {
    turn: found.turnNo,
    baseCommit: found.baseCommit,
    diff: found.diff,
    cut: found.isCut,
    files: filesOfDiff(found.diff),
    totals: { files, additions, deletions },
    ready: job.status !== 'active' && job.status !== 'archived' && job.pendingChanges !== null,
    updatedAt: found.updatedAt.toISOString(),
  };
}

/** One round of the docs checks. The agent is told of errors alone. @param docs where Docent's docs are */
export function presentCheckRound(round: CheckRoundRow, docs: string): components['schemas']['CheckRound'] {
  return {
    turn: round.turnNo,
    step: round.stepNo,
    createdAt: round.createdAt.toISOString(),
    pages: round.pages,
    site: round.site,
    problems: round.problems.map(({ code, severity, path, line, column, message, cause, suggestion }) => ({
      code,
      severity,
      path,
      line,
      column: column ?? null,
      message,
      cause: cause ?? null,
      suggestion: suggestion ?? null,
      help: ruleAddress(docs, code),
      introduced: true,
      told: round.told && severity === 'error',
    })),
    earlierProblems: round.earlierProblems,
    notes: round.notes.map(({ path, message }) => ({ path, message })),
    secrets: round.secrets.map(({ where, kind, id }) => ({ where, kind, id })),
    told: round.told,
  };
}
