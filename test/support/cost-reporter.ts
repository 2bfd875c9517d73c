import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';
import { mostSeconds, partOf, tooSlow, type FileCost } from './test-costs.ts';

const SHOWN = 10;

/**
 * Prints what each folder of tests cost and the ten slowest files, and fails the run when a file takes more processor
 * time than its folder allows. DOCENT_TEST_COSTS names a JSON file for the figures of all files.
 */
export default class CostReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const costs = modules.map(costOf).toSorted((a, b) => b.cpu - a.cpu);
    if (costs.length === 0) return;
    const { DOCENT_TEST_COSTS: file } = process.env;
    if (file) writeFileSync(file, JSON.stringify(costs, null, 1));
    if (costs.length > 1) process.stdout.write(`\n${partTable(costs)}\n\n${fileTable(costs.slice(0, SHOWN))}\n`);
    const slow = tooSlow(costs);
    for (const cost of slow)
      process.stdout.write(
        `Too slow: ${cost.file} took ${cost.cpu.toFixed(1)} s of processor time. ` +
          `It may take ${mostSeconds(cost).toFixed(1)} s.\n`,
      );
    if (slow.length > 0) process.exitCode = 1;
  }
}

function costOf(module: TestModule): FileCost {
  return {
    file: path.relative(process.cwd(), module.moduleId),
    tests: [...module.children.allTests()].length,
    wall: module.diagnostic().duration / 1_000,
    cpu: module.meta().cpuSeconds ?? 0,
    slowness: module.meta().slowness ?? 1,
  };
}

function partTable(costs: readonly FileCost[]): string {
  const rows = [...Map.groupBy(costs, ({ file }) => partOf(file))].map(([part, own]) => {
    const sum = (of: (cost: FileCost) => number) => own.reduce((total, cost) => total + of(cost), 0);
    return row(
      part,
      String(own.length),
      String(sum(({ tests }) => tests)),
      sum(({ wall }) => wall),
      sum(({ cpu }) => cpu),
    );
  });
  return [header('folder of tests', 'files', 'tests'), ...rows].join('\n');
}

function fileTable(costs: readonly FileCost[]): string {
  const rows = costs.map(({ file, tests, wall, cpu }) => row(file, '', String(tests), wall, cpu));
  return [header('slowest files', '', 'tests'), ...rows].join('\n');
}

const header = (name: string, files: string, tests: string) =>
  `${name.padEnd(60)}${files.padStart(6)}${tests.padStart(7)}${'wall s'.padStart(9)}${'CPU s'.padStart(9)}`;

const row = (name: string, files: string, tests: string, wall: number, cpu: number) =>
  `${name.padEnd(60)}${files.padStart(6)}${tests.padStart(7)}${wall.toFixed(1).padStart(9)}${cpu.toFixed(1).padStart(9)}`;
