import { contextText, withContext } from '@docent/recipes/prompt-context';

/** A check of a pull request that failed, as its host shows it. */
export interface FailedCheck {
  name: string;
  url: string | null;
  /** As the check reports it. */
  summary: string;
  /** Null if the host does not show it. */
  log: string | null;
}

/** Checks that a message shows, and characters of each summary and log. */
const MAX_CHECKS = 5;
const MAX_SUMMARY = 2_000;
const MAX_LOG = 4_000;
const MAX_LINES = 60;
const MAX_NAME = 200;

// oxlint-disable-next-line no-control-regex -- colors and cursor moves of terminals
const ESCAPES = /\u001b\[[0-9;?]*[ -/]*[@-~]/g;
/** Prefixes that GitHub and GitLab add to a line: its time, or the start or end of a section. */
const PREFIX = /^(?:\d{4}-\d\d-\d\dT[\d:.]+Z ?|section_(?:start|end):\d+:\S*)+/;
/** GitHub's marker of the line that ended a step. The lines after it are cleanup. */
const FAILED_HERE = '##[error]';

/** The message about failed checks: the task, then checks and ends of logs as untrusted material. */
export function messageForChecks(failed: readonly FailedCheck[]): string {
  const prompt =
    `${failed.length === 1 ? 'A check' : `${failed.length} checks`} of the pull request failed. ` +
    'Fix the cause if it is in files that you can edit. Otherwise change nothing and say what the cause is.';
  const shown = failed
    .slice(0, MAX_CHECKS)
    .map(({ name, url, summary, log }) =>
      [
        `Check: ${name.slice(0, MAX_NAME)}${url === null ? '' : ` (${url})`}`,
        ...(summary.trim() === '' ? [] : [`It says:\n${summary.trim().slice(0, MAX_SUMMARY)}`]),
        log === null ? 'Its log cannot be read here.' : `The end of its log:\n${endOfLog(log)}`,
      ].join('\n'),
    );
  return withContext(prompt, contextText(shown.join('\n\n')));
}

/** The lines before the failure, without times and colors. */
export function endOfLog(log: string): string {
  const lines = log
    .replaceAll(ESCAPES, '')
    .split(/\r?\n|\r/)
    .map((line) => line.replace(PREFIX, '').trimEnd());
  const failedAt = lines.findLastIndex((line) => line.startsWith(FAILED_HERE));
  const upTo = failedAt === -1 ? lines : lines.slice(0, failedAt + 1);
  const end = upTo.filter((line) => line !== '').slice(-MAX_LINES);
  return end.join('\n').slice(-MAX_LOG);
}
