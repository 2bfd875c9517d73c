import { describe, expect, test } from 'vitest';
import { changedLines } from '@docent/docs-check/cli/changed-lines';
import { MARKDOWNLINT } from '@docent/docs-check/cli/linters/markdownlint';
import type { Ran } from '@docent/docs-check/cli/linters/run-program';
import { VALE } from '@docent/docs-check/cli/linters/vale';

const ran = (part: Partial<Ran>): Ran => ({ code: 1, stdout: '', stderr: '', ...part });

describe('output of linters', () => {
  test('of markdownlint-cli2, with and without severity, column and context', () => {
    const stderr = [
      'a:b 1.md:2:6 error MD009/no-trailing-spaces Trailing spaces [Expected: 0 or 2; Actual: 3]',
      'docs/a.md:7 MD025/single-title/single-h1 Multiple top-level headings in the same document [Context: "# x:3 y"]',
      'docs/a.md:9:1 warning search-replace Custom rule [m-dash: Do not use]',
      '',
    ].join('\r\n');
    expect(MARKDOWNLINT.read('markdownlint-cli2', ran({ stderr }))).toEqual([
      {
        file: 'a:b 1.md',
        line: 2,
        column: 6,
        rule: 'MD009',
        message: 'MD009/no-trailing-spaces: Trailing spaces [Expected: 0 or 2; Actual: 3]',
        severity: 'error',
      },
      {
        file: 'docs/a.md',
        line: 7,
        rule: 'MD025',
        message: 'MD025/single-title/single-h1: Multiple top-level headings in the same document [Context: "# x:3 y"]',
        severity: 'error',
      },
      {
        file: 'docs/a.md',
        line: 9,
        column: 1,
        rule: 'search-replace',
        message: 'search-replace: Custom rule [m-dash: Do not use]',
        severity: 'warning',
      },
    ]);
    expect(MARKDOWNLINT.read('markdownlint-cli2', ran({ stderr: '<testsuites/>' }))).toBeNull();
    expect(MARKDOWNLINT.read('markdownlint-cli2', ran({ code: 0 }))).toEqual([]);
  });

  test('of markdownlint, as JSON', () => {
    const one = {
      fileName: './a.md',
      lineNumber: 2,
      ruleNames: ['MD010', 'no-hard-tabs'],
      ruleDescription: 'Hard tabs',
      errorDetail: 'Column: 3',
      errorContext: null,
      errorRange: [3, 1],
      severity: 'error',
    };
    expect(MARKDOWNLINT.read('markdownlint', ran({ stderr: JSON.stringify([one]) }))).toEqual([
      {
        file: './a.md',
        line: 2,
        column: 3,
        rule: 'MD010',
        message: 'MD010/no-hard-tabs: Hard tabs [Column: 3]',
        severity: 'error',
      },
    ]);
    expect(MARKDOWNLINT.read('markdownlint', ran({ stderr: '[{"fileName": 1}]' }))).toBeNull();
  });

  test('of Vale, where a suggestion is a notice, and what it could not do is not an answer', () => {
    const alert = {
      Check: 'Vale.Spelling',
      Line: 1,
      Message: "Did you really mean 'foo'?",
      Severity: 'suggestion',
      Span: [3, 5],
    };
    expect(VALE.read('vale', ran({ code: 0, stdout: JSON.stringify({ 'a.md': [alert] }) }))).toEqual([
      {
        file: 'a.md',
        line: 1,
        column: 3,
        rule: 'Vale.Spelling',
        message: "Vale.Spelling: Did you really mean 'foo'?",
        severity: 'notice',
      },
    ]);
    expect(VALE.read('vale', ran({ code: 2, stderr: '{"Code": "E100", "Text": "no such style"}' }))).toBeNull();
    expect(VALE.read('vale', ran({ stdout: '{"a.md": [{"Line": 0}]}' }))).toBeNull();
  });
});

const lines = (before: string | null, now: string) => {
  const isChanged = changedLines(before, now);
  return now.split('\n').flatMap((_, i) => (isChanged(i + 1) ? [i + 1] : []));
};

test('lines that changed are those that are new, and those beside what was taken out', () => {
  expect(lines('a\nb\nc', 'a\nx\nb\nc')).toEqual([2]);
  expect(lines('a\nb\nc\nd', 'a\nd')).toEqual([1, 2]);
  expect(lines('a\nb', 'a\nb')).toEqual([]);
  expect(lines(null, 'a\nb')).toEqual([1, 2]);
});
