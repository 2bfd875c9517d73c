/**
 * How many faults `docent check` finds: copies a docs site, plants faults in pages chosen by chance, a kind at a time, and counts those
 * that it reports beyond what it reports of the site as it is. Changes nothing in the site.
 *
 *     npm run plant-faults -- ../vite/docs --each 20
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { FAULT_KINDS, type FaultKind, type Planted } from './planted-faults/kinds.ts';
import { randomFrom } from './random.ts';

interface Report {
  site: { kind: string };
  pages: number;
  problems: { path: string; line: number; code: string; message: string; severity: string; target?: string }[];
}

const CLI = path.join(import.meta.dirname, '..', 'src', 'main', 'cli.ts');
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

const work = mkdtempSync(path.join(tmpdir(), 'docent-faults-'));
try {
  measure(path.resolve(site));
} finally {
  rmSync(work, { recursive: true, force: true });
}

function measure(from: string): void {
  const copy = path.join(work, 'site');
  cpSync(from, copy, {
    recursive: true,
    filter: (file) => !['.git', 'node_modules'].includes(path.basename(file)),
    verbatimSymlinks: true,
  });
  // The site is looked for in the whole repository, and what git ignores is left out.
  for (const args of [
    ['init', '--quiet'],
    ['add', '--all'],
  ])
    spawnSync('git', args, { cwd: copy, stdio: 'inherit' });
  const folder = path.join(copy, values.below);
  const before = check(folder);
  const errors = before.problems.filter(({ severity }) => severity === 'error').length;
  process.stdout.write(`${before.site.kind}, ${before.pages} pages, ${errors} errors as it is\n\n`);
  process.stdout.write('| Kind of fault | Planted | Found | Reports elsewhere |\n|---|---|---|---|\n');
  const known = new Set(before.problems.map(keyOf));
  for (const kind of FAULT_KINDS) {
    if (kind.sites && !kind.sites.includes(before.site.kind)) continue;
    const row = plantAndCheck(kind, copy, folder, known);
    if (row.planted === 0) continue;
    process.stdout.write(`| ${kind.name} | ${row.planted} | ${row.found} | ${row.elsewhere.length} |\n`);
    if (!values.misses) continue;
    for (const miss of row.missed) process.stdout.write(`  missed: ${miss}\n`);
    for (const other of row.elsewhere) process.stdout.write(`  elsewhere: ${other}\n`);
  }
}

function plantAndCheck(kind: FaultKind, copy: string, folder: string, known: ReadonlySet<string>) {
  const random = randomFrom(Number(values.seed));
  const planted = new Map<string, Planted & { before: string }>();
  for (const file of shuffled(pagesOf(folder).filter(kind.fits), random)) {
    if (planted.size >= Number(values.each)) break;
    const before = readFileSync(file, 'utf8');
    const fault = kind.plant(before, random);
    if (fault) planted.set(file, { ...fault, before });
  }
  try {
    for (const [file, { text }] of planted) writeFileSync(file, text);
    const fresh = check(folder).problems.filter(
      (problem) => problem.severity !== 'notice' && !known.has(keyOf(problem)),
    );
    const pages = new Set(fresh.map(({ path: page }) => path.join(copy, page)));
    const missed = [...planted].filter(([file]) => !pages.has(file));
    return {
      planted: planted.size,
      found: planted.size - missed.length,
      missed: missed.map(([file, { line, what }]) => `${path.relative(copy, file)}:${line} ${what}`),
      elsewhere: fresh
        .filter(({ path: page }) => !planted.has(path.join(copy, page)))
        .map(({ path: page, line, message }) => `${page}:${line} ${message}`),
    };
  } finally {
    for (const [file, { before }] of planted) writeFileSync(file, before);
  }
}

function check(folder: string): Report {
  const args = ['check', folder, '--json', '--notices', '--cache', path.join(work, 'facts.json')];
  if (values.site !== undefined) args.push('--site', values.site);
  const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, ...args], {
    maxBuffer: 2 ** 30,
    encoding: 'utf8',
  });
  if (status !== 0 && status !== 1) throw new Error(`docent check ended with ${status}: ${stderr}`);
  return JSON.parse(stdout) as Report;
}

function keyOf({ path: page, code, target, message }: Report['problems'][number]): string {
  return [page, code, target ?? message].join('\n');
}

function pagesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.mdx?$/.test(name) && !/(?:^|\/)(?:_|\.|snippets\/|node_modules\/|SUMMARY\.md$)/.test(name))
    .map((name) => path.join(folder, name))
    .toSorted();
}

function shuffled<T>(all: readonly T[], random: () => number): T[] {
  return all
    .map((item) => ({ item, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item);
}
