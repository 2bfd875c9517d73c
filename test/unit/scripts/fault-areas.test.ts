import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { faultFilesFor } from '../../../scripts/ci/fault-areas.ts';

const ALL = readdirSync(path.join(import.meta.dirname, '../../faults')).filter((name) => name.endsWith('.test.ts'));

const choose = (changed: readonly string[], seed = 'a commit') => faultFilesFor(changed, ALL, seed);
/** All that a change can break. */
function affectedBy(changed: readonly string[]): string[] {
  const { run, beyond } = choose(changed);
  return [...run, ...beyond].toSorted();
}
const EVERY_AREA = [
  'src/analytics/a.ts',
  'src/jobs/a.ts',
  'src/api/a.ts',
  'src/operations/backup/a.ts',
  'src/roles/a.ts',
  'src/store/schema.ts',
];

describe('the fault tests of a change', () => {
  test('are the kill points alone when nothing changed that can break others', () => {
    const changed = ['docs/index.mdx', 'packages/dashboard/src/main.tsx'];
    expect(choose(changed)).toEqual({ run: ['kill-points.test.ts'], beyond: [] });
  });

  test('are those of the part that changed', () => {
    const affected = affectedBy(['src/analytics/maintenance/merge.ts']);
    expect(affected).toContain('analytics-kill.test.ts');
    expect(affected).not.toContain('webhooks.test.ts');
  });

  test('are first of all those that changed themselves', () => {
    expect(choose(['test/faults/soak.test.ts', ...EVERY_AREA]).run).toContain('soak.test.ts');
  });

  test('can be all of them when a dependency, or what all processes rest on, changed', () => {
    expect(affectedBy(['package-lock.json'])).toEqual(ALL.toSorted());
    expect(affectedBy(['src/platform/children/child-pool.ts'])).toEqual(ALL.toSorted());
  });

  test('leave no file out for good: every one belongs to an area', () => {
    // A soak runs only where DOCENT_TEST_SOAK_MINUTES is set.
    const affected = affectedBy(EVERY_AREA);
    expect(ALL.filter((name) => !affected.includes(name))).toEqual(['soak.test.ts']);
  });

  test('are a dozen at most: the kill points, and some of each area, others for another commit', () => {
    const { run, beyond } = choose(EVERY_AREA);
    expect(run).toHaveLength(12);
    expect(beyond.length).toBeGreaterThan(12);
    expect(run).toContain('kill-points.test.ts');
    expect(run.some((name) => name.startsWith('analytics-'))).toBe(true);
    expect(run.some((name) => /^(backup|restored)-/.test(name))).toBe(true);
    const commits = Array.from({ length: 60 }, (_, no) => choose(EVERY_AREA, `commit ${no}`).run);
    expect(new Set(commits.flat()).size).toBe(ALL.length - 1);
  });
});
