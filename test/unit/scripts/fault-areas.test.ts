import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { faultFilesFor } from '../../../scripts/ci/fault-areas.ts';

const ALL = readdirSync(path.join(import.meta.dirname, '../../faults')).filter((name) => name.endsWith('.test.ts'));

describe('the fault tests of a change', () => {
  test('are the kill points alone when nothing changed that can break others', () => {
    expect(faultFilesFor(['docs/index.mdx', 'packages/dashboard/src/main.tsx'], ALL)).toEqual(['kill-points.test.ts']);
  });

  test('are those of the part that changed', () => {
    const chosen = faultFilesFor(['src/analytics/maintenance/merge.ts'], ALL);
    expect(chosen).toContain('analytics-kill.test.ts');
    expect(chosen).not.toContain('webhooks.test.ts');
  });

  test('include a fault test that changed itself', () => {
    expect(faultFilesFor(['test/faults/soak.test.ts'], ALL)).toContain('soak.test.ts');
  });

  test('are all of them when a dependency, or what all processes rest on, changed', () => {
    expect(faultFilesFor(['package-lock.json'], ALL)).toEqual(ALL);
    expect(faultFilesFor(['src/platform/children/child-pool.ts'], ALL)).toEqual(ALL);
  });

  test('leave no file out for good: every one belongs to an area', () => {
    const ofAreas = [
      'src/analytics/a.ts',
      'src/jobs/a.ts',
      'src/api/a.ts',
      'src/operations/backup/a.ts',
      'src/roles/a.ts',
      'src/store/schema.ts',
    ];
    // A soak runs only where DOCENT_TEST_SOAK_MINUTES is set.
    expect(ALL.filter((name) => !faultFilesFor(ofAreas, ALL).includes(name))).toEqual(['soak.test.ts']);
  });
});
