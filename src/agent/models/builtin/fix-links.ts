import { doubtRemedy } from '../../../docs-site/read/describe-site.ts';
import { plural } from '../../../platform/plural.ts';
import type { ToolResult } from '../../transcript.ts';
import { sum } from './outcome.ts';
import { call, done, firstLine, refusal, type Progress, type Results } from './progress.ts';
import {
  readChanged,
  readDoubt,
  readNotListed,
  readProblems,
  readReplacements,
  type ReportedProblem,
} from './tool-answers.ts';

/** Link targets mended in one answer, and answers of this kind at most. */
const TARGETS_A_STEP = 90;
const MENDING_STEPS = 5;

const LINK_PROBLEMS = new Set([
  'missing-page',
  'missing-file',
  'missing-image',
  'missing-import',
  'missing-anchor',
  'redirected-link',
]);

/**
 * Checks, then mends what has one clear answer; large numbers in several answers.
 * @param check the input of the check: without `all`, only links that the change itself broke are looked at
 */
export function fixLinks(id: string, results: Results, check: { all?: boolean; glob?: string }): Progress {
  const checked = results.get(`${id}.1`);
  if (!checked) return { calls: [call(`${id}.1`, 'check', check)], last: false };
  if (checked.isError) return refusal('Could not check the links', checked);
  const broken = readProblems(checked.output).filter(({ code }) => LINK_PROBLEMS.has(code));
  const doubt = readDoubt(checked.output);
  // Where links lead is a guess here, and so would be every change of one.
  if (doubt !== null) return leftAlone(doubt, broken, check.all ?? false);
  const fixable = distinct(broken.filter(({ suggestion, target }) => suggestion !== null && target !== null));
  const calls = fixable.slice(0, TARGETS_A_STEP * MENDING_STEPS).map(({ path, target, suggestion }, i) =>
    call(`${id}.2.${i + 1}`, 'edit', {
      path,
      oldText: target,
      newText: suggestion,
      linkTargets: true,
      replaceAll: true,
    }),
  );
  const open = calls.filter(({ id: callId }) => !results.get(callId));
  if (open.length > 0) return { calls: open.slice(0, TARGETS_A_STEP), last: open.length <= TARGETS_A_STEP };
  const answers = calls.map(({ id: callId }) => results.get(callId)!);
  const elsewhere = readNotListed(checked.output);
  return mended({ broken, beyond: fixable.slice(calls.length), answers, elsewhere, all: check.all ?? false });
}

/** Nothing is said where only the change's own links would have been looked at and none is reported. */
function leftAlone(doubt: string, broken: readonly ReportedProblem[], all: boolean): Progress {
  const nothing = { outcome: { kind: 'nothing' as const, summary: '', details: [], changed: [] } };
  if (!all && broken.length === 0) return nothing;
  const seen =
    broken.length > 0
      ? [`${plural(broken.length, 'link')} may be broken: ${shownTargets(broken)}.`]
      : ['No link of files that are there looks broken.'];
  const details = [`${doubt} ${doubtRemedy('docent project update PROJECT')}`, ...seen];
  return { outcome: { ...nothing.outcome, summary: 'Changed no links: their rules are not known', details } };
}

function shownTargets(problems: readonly ReportedProblem[]): string {
  const shown = problems.slice(0, 10).map(({ path, target }) => `\`${target}\` in ${path}`);
  return shown.join(', ') + (problems.length > shown.length ? ` and ${problems.length - shown.length} more` : '');
}

function mended({
  broken,
  beyond,
  answers,
  elsewhere,
  all,
}: {
  broken: readonly ReportedProblem[];
  beyond: readonly ReportedProblem[];
  answers: readonly ToolResult[];
  elsewhere: string | null;
  all: boolean;
}): Progress {
  const good = answers.filter(({ isError }) => !isError);
  const fixed = sum(good.map(({ output }) => readReplacements(output).count));
  const unsure = broken.filter(({ code, suggestion }) => suggestion === null && code !== 'redirected-link');
  const details = answers.filter(({ isError }) => isError).map(firstLine);
  if (unsure.length > 0) {
    details.push(`Found no clear target for ${plural(unsure.length, 'broken link')}: ${shownTargets(unsure)}.`);
  }
  if (beyond.length > 0) details.push(`${plural(beyond.length, 'more link')} can be fixed by asking again.`);
  if (elsewhere !== null) details.push(elsewhere);
  if (good.length > 0) {
    const files = new Set(good.flatMap(({ output }) => readChanged(output))).size;
    const what = all ? `Fixed ${plural(fixed, 'broken link')}` : `Brought ${plural(fixed, 'link')} up to date`;
    return done(`${what} in ${plural(files, 'file')}`, details, good);
  }
  const summary =
    unsure.length === 0 ? 'Found no broken links' : `Fixed none of ${plural(unsure.length, 'broken link')}`;
  return { outcome: { kind: 'nothing', summary, details, changed: [] } };
}

function distinct(problems: readonly ReportedProblem[]): ReportedProblem[] {
  return [...new Map(problems.map((problem) => [`${problem.path}\n${problem.target}`, problem])).values()];
}
