/**
 * How many faults `docent check` finds: copies a docs site, plants faults in random pages, one kind at a
 * time, and counts the additional reports. Changes nothing in the site.
 *
 *     npm run plant-faults -- ../vite/docs --each 20
 */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { FAULT_KINDS, type FaultKind } from './kinds.ts';
import { runCheck, type CheckReport } from './run-check.ts';
import { SiteCopy } from './site-copy.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    each: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    site: { type: 'string' },
    below: { type: 'string', default: '' },
    misses: { type: 'boolean', default: false },
  },
});
const [site] = positionals;
if (site === undefined || !(Number(values.each) > 0)) {
  process.stderr.write(
    'npm run plant-faults -- FOLDER [--below SUBFOLDER] [--site PATH] [--each 20] [--seed 1] [--misses]\n',
  );
  process.exit(2);
}

const copy = new SiteCopy(site, values.below);
try {
  measure();
} finally {
  copy.remove();
}

function measure(): void {
  const before = check();
  const errors = before.problems.filter(({ severity }) => severity === 'error').length;
  process.stdout.write(`${before.site.kind}, ${before.pages} pages, ${errors} errors as it is\n\n`);
  process.stdout.write('| Kind of fault | Planted | Found | Reports elsewhere |\n|---|---|---|---|\n');
  const known = new Set(before.problems.map(keyOf));
  for (const kind of FAULT_KINDS) {
    if (kind.sites && !kind.sites.includes(before.site.kind)) continue;
    const row = plantAndCheck(kind, known);
    if (row.planted === 0) continue;
    process.stdout.write(`| ${kind.name} | ${row.planted} | ${row.found} | ${row.elsewhere.length} |\n`);
    if (!values.misses) continue;
    for (const miss of row.missed) process.stdout.write(`  missed: ${miss}\n`);
    for (const other of row.elsewhere) process.stdout.write(`  elsewhere: ${other}\n`);
  }
}

function plantAndCheck(kind: FaultKind, known: ReadonlySet<string>) {
  return copy.planted(kind, Number(values.each), Number(values.seed), (planted) => {
    const fresh = check().problems.filter((problem) => problem.severity !== 'notice' && !known.has(keyOf(problem)));
    const pages = new Set(fresh.map(({ path: page }) => path.join(copy.root, page)));
    const missed = [...planted].filter(([file]) => !pages.has(file));
    return {
      planted: planted.size,
      found: planted.size - missed.length,
      missed: missed.map(([file, { line, what }]) => `${path.relative(copy.root, file)}:${line} ${what}`),
      elsewhere: fresh
        .filter(({ path: page }) => !planted.has(path.join(copy.root, page)))
        .map(({ path: page, line, message }) => `${page}:${line} ${message}`),
    };
  });
}

function check(): CheckReport {
  const named = values.site === undefined ? [] : ['--site', values.site];
  return runCheck(copy.folder, ['--notices', '--cache', copy.besides('facts.json'), ...named]);
}

function keyOf({ path: page, code, target, message }: CheckReport['problems'][number]): string {
  return [page, code, target ?? message].join('\n');
}
