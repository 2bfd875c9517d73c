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
 * Files of all projects side by side, not one project after the other as vitest has them: faults wait most of the time, for
 * time-outs and for processes that start, while unit tests compute.
 */
export class SideBySide extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- vitest's own method
    const sorted = await super.sort(files);
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
