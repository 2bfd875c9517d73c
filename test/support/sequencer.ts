import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The part of a run, in files, in which those of a project begin. */
const BEGUN_WITHIN: Record<string, number> = {
  // The longest ones: none of them is left alone at the end.
  faults: 0.7,
  smoke: 0.7,
  browser: 0.85,
  integration: 0.85,
  'integration-isolated': 0.85,
  unit: 1,
};

/**
 * Files that take more than a minute beside others. They begin first: in a new checkout, vitest does not know how long a file takes, and
 * one of these would be left alone at the end.
 */
const LONGEST =
  /(?:docs-commands|start-everything|packed-package|hosts-(?:gitea|github|gitlab|faults)|webhooks|browser\/(?:pages|budgets|docs|analytics)|outages|rolling-upgrade|restored-database|late-worker|analytics-(?:kill|bucket|random-kills)|backup-(?:kill|after-kills)|kill-points|given-up-part)\.test\.ts$/;

/**
 * Files of all projects side by side, not one project after the other as vitest has them: faults wait most of the time, for
 * time-outs and for processes that start, while unit tests compute.
 */
export class SideBySide extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- vitest's own method
    const sorted = (await super.sort(files)).toSorted((a, b) => Number(isLong(b)) - Number(isLong(a)));
    const count = new Map<string, number>();
    const places = sorted.map((file) => {
      const { name } = file.project;
      const index = count.get(name) ?? 0;
      count.set(name, index + 1);
      return { file, name, index };
    });
    const begin = ({ name, index }: { name: string; index: number }) =>
      (index / (count.get(name) ?? 1)) * (BEGUN_WITHIN[name] ?? 1);
    return places.toSorted((a, b) => begin(a) - begin(b)).map(({ file }) => file);
  }
}

const isLong = ({ moduleId }: TestSpecification) => LONGEST.test(moduleId);
