import { readDiff, type components } from '@docent/client';
import type { Doubt, Review } from '../../jobs/review.ts';
import { ruleAddress } from '@docent/base/rule-address';
import type { StoredNote, StoredProblem, StoredSecret } from '../../store/jobs/changes-schema.ts';
import type { CheckRoundRow } from '../../store/jobs/check-rounds.ts';
import type { CitationRow } from '../../store/jobs/citations.ts';
import type { JobRow } from '../../store/jobs/jobs.ts';
import type { PendingDiff } from '../../store/jobs/pending-diffs.ts';

/** The files of a diff, without their lines. */
export function presentFiles(diff: string): components['schemas']['FileChange'][] {
  return readDiff(diff).files.map(({ hunks: _hunks, notes: _notes, ...change }) => change);
}

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
    files: presentFiles(found.diff),
    totals: { files, additions, deletions },
    ready: job.status !== 'active' && job.status !== 'archived' && job.pendingChanges !== null,
    updatedAt: found.updatedAt.toISOString(),
  };
}

/** One round of the docs checks. The agent only gets errors. @param docs the URL of Docent's docs */
export function presentCheckRound(round: CheckRoundRow, docs: string): components['schemas']['CheckRound'] {
  return {
    turn: round.turnNo,
    step: round.stepNo,
    createdAt: round.createdAt.toISOString(),
    pages: round.pages,
    site: round.site,
    problems: round.problems.map((problem) => presentProblem(problem, round.told, docs)),
    earlierProblems: round.earlierProblems,
    notes: round.notes.map(presentNote),
    secrets: round.secrets.map(presentSecret),
    told: round.told,
  };
}

export function presentCitation(row: CitationRow): components['schemas']['Citation'] {
  const {
    turnNo: turn,
    page,
    line,
    claim,
    source: name,
    repository,
    path,
    commit,
    fromLine,
    toLine,
    sha256,
    state,
  } = row;
  return { turn, page, line, claim, source: { name, repository, path, commit, fromLine, toLine, sha256 }, state };
}

/** @param docs where Docent's docs are */
export function presentReview(
  { isChecked, problems, notes, secrets }: Review,
  doubts: readonly Doubt[],
  docs: string,
): components['schemas']['Review'] {
  return {
    checked: isChecked,
    problems: problems.map((problem) => presentProblem(problem, false, docs)),
    notes: notes.map(presentNote),
    secrets: secrets.map(presentSecret),
    doubts: doubts.map(({ code, message }) => ({ code, message })),
  };
}

function presentProblem(
  { code, severity, path, line, column, message, cause, suggestion, earlier }: StoredProblem,
  told: boolean,
  docs: string,
): components['schemas']['CheckProblem'] {
  return {
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
    told: told && severity === 'error' && !earlier,
  };
}

const presentNote = ({ path, message }: StoredNote) => ({ path, message });
const presentSecret = ({ where, kind, id }: StoredSecret) => ({ where, kind, id });
