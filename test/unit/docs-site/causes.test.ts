import { describe, expect, test } from 'vitest';
import { problemsNotice } from '../../../src/activities/step/step-text.ts';
import { byCause, describeProblems, MANY, reports } from '@docent/docs-check/checks/causes';
import { problemsIn } from '../../support/problems-in.ts';

describe('problems of one cause', () => {
  const many = Object.fromEntries(
    Array.from({ length: 30 }, (_, i) => [`guides/p${i}.md`, i % 2 === 0 ? '[a](../gone.md)\n' : '[a](/gone.md)\n']),
  );

  test('are those whose links lead to the same, however it is written', () => {
    const problems = problemsIn({ ...many, 'a.md': '[x](other.md) [y](./gone.md)\n' });
    expect(byCause(problems).map((group) => group.length)).toEqual([1, 31]);
  });

  test('are those of a template, whatever the places in their words', () => {
    const pages = Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`p${i}.mdx`, `${'\n'.repeat(i)}<Card>\n`]));
    expect(byCause(problemsIn(pages)).map((group) => group.length)).toEqual([8]);
  });

  test('are one line of what the agent gets, with their places; few are reported one by one', () => {
    const problems = problemsIn({ ...many, 'a.md': '[x](other.md)\n', 'b.md': '[x](other.md)\n' });
    const { text, problems: told } = problemsNotice(problems) as { text: string; problems: string[] };
    expect(told).toHaveLength(3);
    expect(text).toContain('The same problem in 29 more places: guides/p1.md:1, ');
    expect(text).toContain('and 9 more.');
    expect(reports(problems.slice(0, MANY - 1)).every((group) => group.length === 1)).toBe(true);
  });

  test('have a suggestion only if it is the same for all', () => {
    const [one, two] = problemsIn({ 'a.md': '[x](gone.md)\n', 'b.md': '[x](/gone.md)\n' });
    const [first, second] = [
      { ...one!, suggestion: 'here.md' },
      { ...two!, suggestion: '/here.md' },
    ];
    expect(describeProblems([first, second])).not.toContain('Best match');
    expect(describeProblems([first])).toContain('Best match: "here.md"');
  });
});
