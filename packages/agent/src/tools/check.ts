import { z } from 'zod';
import { describeProblems, reports } from '@docent/docs-check/checks/causes';
import { jobProblems } from '@docent/docs-check/checks/known/job-problems';
import { isAboutChecks, type Problem } from '@docent/docs-check/checks/problem';
import { withSuggestions } from '@docent/docs-check/checks/suggestions';
import { doubtText } from '@docent/docs-check/read/describe-site';
import { visibleName, withoutInvisible } from '@docent/docs-check/read/visible-text';
import { plural } from '@docent/base/plural';
import { boundedLines, linesWithin, some, someText } from './bounded-output.ts';
import { scope } from './search.ts';
import { defineTool } from './tool.ts';
import type { DataOf } from '@docent/models/conversation/tool-data';
import type { ToolSession } from './tool-session.ts';

const schema = z.strictObject({
  all: z.boolean().optional().describe('Also the problems that the site had before.'),
  glob: z.string().max(500).optional().describe('Only problems in files that match, or in this file or folder.'),
});

export const checkTool = defineTool({
  name: 'check',
  description:
    'Checks the docs as a build would: pages parse, links, anchors and images lead somewhere, navigation ' +
    'and files agree. Lists the problems that your changes introduced, or all.',
  schema,
  example: { glob: 'guides/**' },
  readOnly: true,
  run({ all = false, glob }, session) {
    const { now, introduced } = jobProblems(session.docs, session.baseDocs);
    const within = scope(session, glob);
    const relevant = (all ? now : introduced).filter(
      (problem) => !isAboutChecks(problem) && (glob === undefined || within(problem.path)),
    );
    // Problems elsewhere existed before, and cannot be fixed from here.
    const [own, others] = all ? parted(relevant, ({ path }) => session.workspace.mayWrite(path)) : [relevant, []];
    const { doubt } = session.docs.site;
    const known = doubt ? own : withSuggestions(session.docs, own, session.baseDocs);
    const problems = known.toSorted((a, b) => rank(a) - rank(b));
    const elsewhere = elsewhereOf(others, session);
    const sentence = doubt && doubtText(doubt);
    const notes = [
      ...(sentence === null ? [] : [doubtLine(sentence)]),
      ...(elsewhere ? [elsewhereLine(elsewhere)] : []),
    ];
    const pages = plural(session.docs.site.pages.length, 'page');
    const head = [`Checked ${pages}: ${countText(problems.length, all)}.`, ...notes];
    const groups = reports(problems);
    const lines = [...head, ...groups.map(visibleProblems)];
    const shown = groups.slice(0, linesWithin(lines) - head.length).flat();
    return {
      text: boundedLines(lines, () => howToSeeMore(problems.length - shown.length)),
      data: { tool: 'check', problems: shown.map(problemData), doubt: sentence, elsewhere },
    };
  },
});

function countText(count: number, all: boolean): string {
  if (count === 0) return all ? 'no problems' : 'your changes introduced no problems';
  return `${plural(count, 'problem')}${all ? '' : ' that your changes introduced'}`;
}

function problemData({ path, code, target, suggestion }: Problem): DataOf<'check'>['problems'][number] {
  return {
    path,
    code,
    ...(target === undefined ? {} : { target }),
    ...(suggestion === undefined ? {} : { suggestion }),
  };
}

function parted<T>(all: readonly T[], test: (one: T) => boolean): [T[], T[]] {
  return [all.filter(test), all.filter((one) => !test(one))];
}

/** Uncertain facts, and why no target is suggested. */
function doubtLine(sentence: string): string {
  return `Not sure what links mean here, so none is suggested: ${sentence}`;
}

function elsewhereOf(problems: readonly Problem[], { policy }: ToolSession): DataOf<'check'>['elsewhere'] {
  if (problems.length === 0) return null;
  const names = [...new Set(problems.map(({ path }) => visibleName(path)))];
  return { problems: problems.length, docsDir: visibleName(policy.docsDir), files: some(names, 5) };
}

function elsewhereLine({ problems, docsDir, files }: NonNullable<DataOf<'check'>['elsewhere']>): string {
  return `Not listed: ${plural(problems, 'problem')} in files outside ${docsDir}/, which you may not change: ${someText(files)}.`;
}

/** Broken links first, those with a suggestion before the others. */
function rank({ severity, suggestion }: Problem): number {
  return ['error', 'warning', 'notice'].indexOf(severity) * 2 + (suggestion === undefined ? 1 : 0);
}

function visibleProblems(group: readonly Problem[]): string {
  const visible = group.map((problem) => ({ ...problem, path: visibleName(problem.path) }));
  return withoutInvisible(describeProblems(visible)).replace(/\p{Cc}+/gu, ' ');
}

function howToSeeMore(left: number): string {
  return `… ${plural(left, 'more problem')}. Fix these first, or give a glob.`;
}
