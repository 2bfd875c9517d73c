import { z } from 'zod';
import { siteProblems } from '../checks/site-problems.ts';
import { describeProblem, type Problem } from '../checks/problem.ts';
import { withSuggestions } from '../checks/suggestions.ts';
import { visibleName, withoutInvisible } from '../visible-text.ts';
import { boundedLines, plural } from './bounded-output.ts';
import { scope } from './search.ts';
import { defineTool } from './tool.ts';

const schema = z.strictObject({
  all: z.boolean().optional().describe('Also the problems that the site had before.'),
  glob: z.string().max(500).optional().describe('Only problems in files that match, or in this file or folder.'),
});

export const checkTool = defineTool({
  name: 'check',
  description:
    'Checks the docs as a build would: pages parse, links, anchors and images lead somewhere, navigation and files agree. Lists the problems that your changes introduced, or all.',
  schema,
  example: { glob: 'guides/**' },
  looksOnly: true,
  run({ all = false, glob }, session) {
    const { now, introduced } = siteProblems(session.docs, session.baseDocs);
    const within = scope(session, glob);
    const relevant = (all ? now : introduced).filter(({ path }) => glob === undefined || within(path));
    const problems = withSuggestions(session.docs, relevant, session.baseDocs).toSorted((a, b) => rank(a) - rank(b));
    const pages = plural(session.docs.site.pages.length, 'page');
    if (problems.length === 0)
      return `Checked ${pages}: ${all ? 'no problems' : 'your changes introduced no problems'}.`;
    const what = all
      ? plural(problems.length, 'problem')
      : `${plural(problems.length, 'problem')} that your changes introduced`;
    const lines = problems.map((problem) => visibleProblem(problem));
    return boundedLines([`Checked ${pages}: ${what}.`, ...lines], howToSeeMore);
  },
});

/** Broken things first, among them those with an answer. */
function rank({ severity, suggestion }: Problem): number {
  return ['error', 'warning', 'notice'].indexOf(severity) * 2 + (suggestion === undefined ? 1 : 0);
}

function visibleProblem(problem: Problem): string {
  return withoutInvisible(describeProblem({ ...problem, path: visibleName(problem.path) })).replace(/\p{Cc}+/gu, ' ');
}

function howToSeeMore(left: number): string {
  return `… ${plural(left, 'more problem')}. Mend these first, or give a glob.`;
}
