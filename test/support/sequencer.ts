import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { partOf } from './test-costs.ts';

/** The part of the tests with services, in files, in which those of a folder begin. */
const BEGUN_WITHIN: Record<string, number> = {
  // The longest ones: none of them is left alone at the end.
  faults: 0.7,
  smoke: 0.7,
};
const USUALLY_WITHIN = 0.85;

/**
 * Files that take more than a minute beside others. They begin first: in a new checkout, vitest does not know
 * how long a file takes, and one of these would be left alone at the end.
 */
const LONGEST =
  /(?:docs-commands|start-(?:everything|kills|as-users)|packed-package|hosts-(?:github|pull-requests|faults)|webhooks|browser\/(?:pages|docs|analytics)|outages|rolling-upgrade|restored-database|late-worker|analytics-(?:kill|bucket|random-kills)|backup-(?:kill|after-kills)|kill-points|given-up-part)\.test\.ts$/;

/**
 * First unit tests, while the servers start, then the tests with services, and the other unit tests beside
 * the last of these. Vitest ends a worker whose next file is of another project, and loading modules is most
 * of what many a file costs: so the projects are not mixed.
 *
 * The folders of the tests with services are mixed: faults wait most of the time, for time-outs and for
 * processes that start, while pages compute.
 */
export class SideBySide extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- vitest's own method
    const sorted = (await super.sort(files)).toSorted((a, b) => Number(isLong(b)) - Number(isLong(a)));
    const units = sorted.filter(({ project }) => project.name === 'unit');
    const isolated = sorted.filter(({ project }) => project.config.isolate);
    const others = sorted.filter((file) => !units.includes(file) && !isolated.includes(file));
    const half = Math.ceil(units.length / 2);
    return [...units.slice(0, half), ...isolated, ...spread(others), ...units.slice(half)];
  }
}

function spread(files: readonly TestSpecification[]): TestSpecification[] {
  return [...Map.groupBy(files, ({ moduleId }) => partOf(moduleId))]
    .flatMap(([part, own]) =>
      own.map((file, i) => ({ file, begin: (i / own.length) * (BEGUN_WITHIN[part] ?? USUALLY_WITHIN) })),
    )
    .toSorted((a, b) => a.begin - b.begin)
    .map(({ file }) => file);
}

const isLong = ({ moduleId }: TestSpecification) => LONGEST.test(moduleId);
