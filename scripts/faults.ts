/**
 * Runs the tests with deaths, losses, full disks, renames, restores and other versions, on the embedded
 * PostgreSQL and Temporal and on a real cluster (see cluster.ts), and prints how many held, as a table. About
 * 15 minutes each.
 *
 *   node scripts/faults.ts [embedded|cluster]     one of them only; the table has the last result of the other, too
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { ALONE, SUBJECTS } from './faults/subjects.ts';
import { faultsTable } from './faults/table.ts';

const root = path.join(import.meta.dirname, '..');
const results = path.join(root, 'node_modules', '.cache', 'docent-test', 'faults');
const reportsOf = (on: string) => ['together', 'alone'].map((how) => path.join(results, `${on}-${how}.json`));
const TITLES = { embedded: 'Embedded', cluster: 'Cluster' } as const;

const [only] = process.argv.slice(2);
if (only !== undefined && !(only in TITLES)) {
  process.stderr.write('usage: node scripts/faults.ts [embedded|cluster]\n');
  process.exit(2);
}
await mkdir(results, { recursive: true });
for (const on of ['embedded', 'cluster'] as const) if (!only || only === on) await runTests(on);
const reports = new Map<string, string[]>();
for (const [on, title] of Object.entries(TITLES)) {
  const files = reportsOf(on).filter((file) => existsSync(file));
  if (files.length > 0) reports.set(title, files);
}
process.stdout.write(await faultsTable(reports));

async function runTests(on: keyof typeof TITLES): Promise<void> {
  const files = SUBJECTS.flatMap((subject) => subject.files);
  const [together = '', alone = ''] = reportsOf(on);
  for (const report of [together, alone]) await rm(report, { force: true });
  await runFiles(
    on,
    files.filter((file) => !ALONE.includes(file)),
    together,
  );
  if (on === 'cluster') await runFiles(on, ALONE, alone);
}

async function runFiles(on: keyof typeof TITLES, files: readonly string[], report: string): Promise<void> {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const vitest = ['npx', 'vitest', 'run', ...files.map((file) => `/${file}.test.ts`), ...reporters];
  const onCluster = [process.execPath, path.join(root, 'scripts', 'cluster.ts'), ...vitest];
  const [command = '', ...args] = on === 'cluster' ? onCluster : vitest;
  const child = spawn(command, args, { cwd: root, stdio: 'inherit' });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) process.exitCode = 1;
}
