import { doubtRemedy } from '@docent/docs-check/read/describe-site';
import { visibleName, withoutInvisible } from '@docent/docs-check/read/visible-text';
import { plural } from '@docent/base/plural';
import { someText } from '../tools/bounded-output.ts';
import type { ToolResult } from '@docent/models/conversation/tool-call';
import type { DataOf } from '@docent/models/conversation/tool-data';
import { sum } from './outcome.ts';
import { call, changedBy, dataOf, done, refusal, type Progress, type Results } from './progress.ts';

type Problem = DataOf<'check'>['problems'][number];

/** Link targets fixed in one answer, and answers of this kind at most. */
const TARGETS_A_STEP = 90;
const FIXING_STEPS = 5;

/** The problems that fixing links is about. */
export const LINK_PROBLEMS: ReadonlySet<string> = new Set([
  'missing-page',
  'missing-file',
  'missing-image',
  'missing-import',
  'missing-anchor',
  'redirected-link',
]);

/**
 * Checks, then fixes problems with one clear answer; large numbers in several answers.
 * @param check the input of the check: without `all`, only links that the change itself broke
 */
export function fixLinks(id: string, results: Results, check: { all?: boolean; glob?: string }): Progress {
  const checked = results.get(`${id}.1`);
  if (!checked) return { calls: [call(`${id}.1`, 'check', check)], last: false };
  if (!checked.ok) return refusal('Could not check the links', checked);
  const { problems, doubt, elsewhere } = dataOf(checked, 'check');
  const broken = problems.filter(({ code }) => LINK_PROBLEMS.has(code));
  // The targets of links are a guess here, so changing them would be, too.
  if (doubt !== null) return leftAlone(doubt, broken, check.all ?? false);
  const fixable = distinct(broken.filter(({ suggestion, target }) => suggestion !== undefined && target !== undefined));
  const calls = fixable.slice(0, TARGETS_A_STEP * FIXING_STEPS).map(({ path, target, suggestion }, i) =>
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
  const answers = calls.flatMap(({ id: callId }) => results.get(callId) ?? []);
  return fixedOutcome({ broken, beyond: fixable.slice(calls.length), answers, elsewhere, all: check.all ?? false });
}

/** Returns nothing if only the change's own links were checked and none is reported. */
function leftAlone(doubt: string, broken: readonly Problem[], all: boolean): Progress {
  const nothing = { outcome: { kind: 'nothing' as const, summary: '', details: [], changed: [] } };
  if (!all && broken.length === 0) return nothing;
  const seen =
    broken.length > 0
      ? [`${plural(broken.length, 'link')} may be broken: ${shownTargets(broken)}.`]
      : ['No link of files that are there looks broken.'];
  const details = [`${doubt} ${doubtRemedy('docent project update PROJECT')}`, ...seen];
  return {
    outcome: { ...nothing.outcome, summary: 'Changed no links: their rules are not known', details, unable: true },
  };
}

function shownTargets(problems: readonly Problem[]): string {
  const shown = problems
    .slice(0, 10)
    .map(({ path, target }) => `\`${withoutInvisible(target ?? '')}\` in ${visibleName(path)}`);
  return shown.join(', ') + (problems.length > shown.length ? ` and ${problems.length - shown.length} more` : '');
}

function fixedOutcome({
  broken,
  beyond,
  answers,
  elsewhere,
  all,
}: {
  broken: readonly Problem[];
  beyond: readonly Problem[];
  answers: readonly ToolResult[];
  elsewhere: DataOf<'check'>['elsewhere'];
  all: boolean;
}): Progress {
  const good = answers.filter(({ ok }) => ok);
  const fixed = sum(good.map((one) => dataOf(one, 'edit').replaced));
  const unsure = broken.filter(({ code, suggestion }) => suggestion === undefined && code !== 'redirected-link');
  const details = answers.flatMap((one) => (one.ok ? [] : [one.reason]));
  if (unsure.length > 0) {
    details.push(`Found no clear target for ${plural(unsure.length, 'broken link')}: ${shownTargets(unsure)}.`);
  }
  if (beyond.length > 0) details.push(`${plural(beyond.length, 'more link')} can be fixed by asking again.`);
  if (elsewhere) details.push(leftElsewhere(elsewhere));
  if (good.length > 0) {
    const files = changedBy(good).length;
    const what = all ? `Fixed ${plural(fixed, 'broken link')}` : `Brought ${plural(fixed, 'link')} up to date`;
    return done(`${what} in ${plural(files, 'file')}`, details, good);
  }
  const summary =
    unsure.length === 0 ? 'Found no broken links' : `Fixed none of ${plural(unsure.length, 'broken link')}`;
  const unable = unsure.length > 0 ? { unable: true as const } : {};
  return { outcome: { kind: 'nothing', summary, details, changed: [], ...unable } };
}

function leftElsewhere({ problems, docsDir, files }: NonNullable<DataOf<'check'>['elsewhere']>): string {
  const where = `files outside ${docsDir}/, which may not be changed`;
  return `Left alone: ${plural(problems, 'problem')} in ${where}: ${someText(files)}.`;
}

function distinct(problems: readonly Problem[]): Problem[] {
  return [...new Map(problems.map((problem) => [`${problem.path}\n${problem.target}`, problem])).values()];
}
