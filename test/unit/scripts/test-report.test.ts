import { describe, expect, test } from 'vitest';
import { combined, failuresOf, filesToTryAgain, type FileResult } from '../../../scripts/ci/test-report.ts';

const file = (name: string, results: Record<string, 'passed' | 'failed'>): FileResult => ({
  name,
  status: Object.values(results).includes('failed') ? 'failed' : 'passed',
  assertionResults: Object.entries(results).map(([fullName, status]) => ({ fullName, status })),
});
const first = { testResults: [file('a', { one: 'passed', two: 'failed' }), file('b', { three: 'passed' })] };

describe('the results of a run', () => {
  test('are those of its files when nothing was tried again', () => {
    expect(combined(first, null)).toEqual({ files: first.testResults, flaky: [] });
  });

  test('name what passed only the second time, which then counts', () => {
    const { files, flaky } = combined(first, { testResults: [file('a', { one: 'passed', two: 'passed' })] });
    expect(files.flatMap(failuresOf)).toEqual([]);
    expect(flaky).toEqual(['two']);
  });

  test('have what failed twice, and what failed only the second time', () => {
    const { files, flaky } = combined(first, { testResults: [file('a', { one: 'failed', two: 'failed' })] });
    expect(files.flatMap(failuresOf)).toEqual(['one', 'two']);
    expect(flaky).toEqual([]);
  });

  test('count a file that could not be run as a failure', () => {
    const broken = { name: 'c', status: 'failed', assertionResults: [] };
    expect(failuresOf(broken)).toEqual(['could not be run: c']);
    expect(combined({ testResults: [broken] }, { testResults: [file('c', { four: 'passed' })] }).flaky).toHaveLength(1);
  });
});

const cost = (of: string, cpu: number, slowness = 1) => ({
  file: `test/unit/${of}`,
  tests: 1,
  wall: cpu,
  cpu,
  slowness,
});
const failing = (...names: string[]) => ({
  testResults: names.map((name) => file(`/docent/test/unit/${name}`, { one: 'failed' })),
});

describe('the files to try again', () => {
  test('are those that failed or took too much processor time, each once', () => {
    const costs = [cost('a', 9), cost('b', 5.1), cost('c', 4.9), cost('on-a-slow-machine', 9, 2)];
    expect(filesToTryAgain(failing('a'), costs, '/docent')).toEqual(['test/unit/a', 'test/unit/b']);
  });

  test('are none if there are many', () => {
    expect(filesToTryAgain(failing('a', 'b', 'c'), [], '/docent')).toHaveLength(3);
    expect(filesToTryAgain(failing('a', 'b', 'c'), [cost('d', 6)], '/docent')).toEqual([]);
  });
});
