import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { pagesFor } from '../../../scripts/ci/docs-areas.ts';
import { faultFilesFor } from '../../../scripts/ci/fault-areas.ts';
import { pagesWithCommands } from '../../support/docs-blocks.ts';

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

  test('are seven at most: the kill points, and one of each area, others for another commit', () => {
    const { run, beyond } = choose(EVERY_AREA);
    expect(run).toHaveLength(7);
    expect(beyond.length).toBeGreaterThan(7);
    expect(run).toContain('kill-points.test.ts');
    expect(run.some((name) => name.startsWith('analytics-'))).toBe(true);
    expect(run.some((name) => /^(backup|restored)-/.test(name))).toBe(true);
    const commits = Array.from({ length: 150 }, (_, no) => choose(EVERY_AREA, `commit ${no}`).run);
    expect(new Set(commits.flat()).size).toBe(ALL.length - 1);
  });
});

describe('the docs pages of a change', () => {
  const pages = pagesWithCommands();

  test('are ten: the first steps, those that changed, and some of the others', () => {
    const run = pagesFor(['docs/operate/backups.mdx', 'src/cli/main.ts'], pages, 'a commit');
    expect(run).toEqual(expect.arrayContaining(['README.md', 'docs/quickstart.mdx', 'docs/operate/backups.mdx']));
    expect(run).toHaveLength(10);
    expect(pagesFor(pages, pages, 'a commit')).toHaveLength(10);
  });

  test('differ by commit, so that each has its turn', () => {
    const commits = Array.from({ length: 80 }, (_, no) => pagesFor([], pages, `commit ${no}`));
    expect(new Set(commits.flat()).size).toBe(pages.length);
  });
});
