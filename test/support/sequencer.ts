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
 * Files that take more than a minute beside others. They begin first: in a new checkout, vitest does not know
 * how long a file takes, and one of these would be left alone at the end.
 */
const LONGEST =
  /(?:docs-commands|start-(?:everything|kills|as-users)|packed-package|hosts-(?:github|pull-requests|faults)|webhooks|browser\/(?:pages|docs|analytics)|outages|rolling-upgrade|restored-database|late-worker|analytics-(?:kill|bucket|random-kills)|backup-(?:kill|after-kills)|kill-points|given-up-part)\.test\.ts$/;

/**
 * Files of one project that follow each other where they share the modules of a worker. Each worker begins
 * again with such a row.
 */
const ROW = 25;
/**
 * Of these, no two begin together: pages compute all the time, and faults wait most of it. Each takes so long
 * that loading its modules does not matter.
 */
const SPREAD = new Set(['browser', 'faults']);

/**
 * Files of all projects side by side, not one project after the other as vitest has them: faults wait most of
 * the time, for time-outs and for processes that start, while unit tests compute. Where files share a
 * worker's modules, they come in rows: vitest ends a worker whose next file is of another project, and
 * loading modules is most of what many a file costs.
 */
export class SideBySide extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- vitest's own method
    const sorted = (await super.sort(files)).toSorted((a, b) => Number(isLong(b)) - Number(isLong(a)));
    const rows = [...Map.groupBy(sorted, ({ project }) => project)].flatMap(([project, own]) =>
      rowsOf(own, rowLength(project)).map((row) => ({
        row,
        begin: (own.indexOf(row[0]!) / own.length) * (BEGUN_WITHIN[project.name] ?? 1),
      })),
    );
    return rows.toSorted((a, b) => a.begin - b.begin).flatMap(({ row }) => row);
  }
}

const rowLength = ({ name, config }: TestSpecification['project']) => (config.isolate || SPREAD.has(name) ? 1 : ROW);

const rowsOf = (files: readonly TestSpecification[], length: number): TestSpecification[][] =>
  Array.from({ length: Math.ceil(files.length / length) }, (_, i) => files.slice(i * length, (i + 1) * length));

const isLong = ({ moduleId }: TestSpecification) => LONGEST.test(moduleId);
