import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Unit tests need no servers, which start meanwhile. The short files of `integration` come last, so that no
 * worker is left alone at the end.
 */
const ORDER = ['unit', 'smoke', 'browser', 'faults', 'integration-isolated', 'integration'];

/**
 * Files that take more than a minute beside others. They begin first: in a new checkout, vitest does not know
 * how long a file takes, and one of these would be left alone at the end.
 */
const LONGEST =
  /(?:docs-commands|start-(?:everything|kills|as-users)|packed-package|hosts-(?:github|pull-requests|faults)|webhooks|browser\/(?:pages|docs|analytics)|outages|rolling-upgrade|restored-database|late-worker|analytics-(?:kill|bucket|random-kills)|backup-(?:kill|after-kills)|kill-points|given-up-part)\.test\.ts$/;

/**
 * One project after the other, the longest files first. vitest ends a worker whose next file is of another
 * project, and loading modules again is most of what many a file costs.
 */
export class ProjectByProject extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- vitest's own method
    const sorted = await super.sort(files);
    return sorted.toSorted(
      (a, b) => ORDER.indexOf(a.project.name) - ORDER.indexOf(b.project.name) || Number(isLong(b)) - Number(isLong(a)),
    );
  }
}

const isLong = ({ moduleId }: TestSpecification) => LONGEST.test(moduleId);
