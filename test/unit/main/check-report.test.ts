import { describe, expect, test } from 'vitest';
import type { Problem } from '@docent/docs-check/checks/problem';
import { problemsText } from '@docent/docs-check/cli/check-report';
import { githubAnnotations } from '@docent/docs-check/cli/github-annotations';
import { choiceOf } from '@docent/docs-check/cli/ask-site';

describe('text of a repository in what is printed', () => {
  const problem: Problem = {
    path: '::error::\u001b[31mx\n::stop-commands::y.md',
    line: 1,
    code: 'missing-page',
    message:
      'The link "a\u001b]0;x\u0007\u202e\r\n::set-output name=x::y%0A##[add-path]/x" is broken: its target does not exist.',
    severity: 'error',
    suggestion: 'a\n::warning::b',
  };

  test('cannot steer a terminal, nor pass for a command of the CI system', () => {
    const text = problemsText([problem]);
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    for (const line of text.split('\n')) expect(line.trimStart()).not.toMatch(/^::/);
    expect(text).not.toContain('##[');
  });

  test('stays in its annotation', () => {
    const text = githubAnnotations([problem]);
    expect(text.split('\n')).toHaveLength(2);
    expect(text).toMatch(/^::error file=%3A%3Aerror%3A%3A[^:,]*,line=1,col=1,title=missing-page::/);
    expect(text).toContain('%250A');
    expect(text).not.toContain('##[');
  });
});

test('the site is chosen by its number, or as plain files', () => {
  expect(choiceOf('2', ['a/docs.json', 'b/docs.json'])).toBe('b/docs.json');
  expect(choiceOf('3', ['a/docs.json', 'b/docs.json'])).toBe('plain');
  expect(() => choiceOf('4', ['a/docs.json', 'b/docs.json'])).toThrow('"4" is not in the list.');
});
