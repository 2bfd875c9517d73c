/**
 * Compares `docent check` with other checkers: their reports about a site, their time, and the number of
 * planted faults that they find. Changes nothing in the site. Checkers are searched in the given folders, and
 * are not part of this project.
 *
 *     npm run compare-checks -- ../vite --below docs --tools ../checkers --tools ~/.cargo
 *
 * With `--built`, the site as its generator has built it is the judge: its pages are crawled, and each rule
 * gets its precision and recall.
 *
 *     npm run compare-checks -- ../handbook --below site --built ../handbook/site/public --base /handbook/
 *
 * With `--warnings`, Sphinx's own warnings are the reference.
 *
 * sphinx-build -q -b html -w warnings.txt docs /tmp/built && npm run compare-checks -- . --below docs
 * --warnings warnings.txt
 */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { compareBuilt } from './compare-built.ts';
import { compareSphinx } from './compare-sphinx.ts';
import { FAULT_KINDS } from './kinds.ts';
import { otherCheckers, type Checker, type Finding } from './other-checkers.ts';
import { runCheck } from './run-check.ts';
import { SiteCopy } from './site-copy.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    tools: { type: 'string', multiple: true, default: [] },
    each: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    below: { type: 'string', default: '' },
    as: { type: 'boolean', default: false },
    built: { type: 'string' },
    base: { type: 'string', default: '/' },
    warnings: { type: 'string' },
  },
});
const [site] = positionals;
if (site === undefined || !(Number(values.each) > 0)) {
  process.stderr.write(
    'npm run compare-checks -- FOLDER [--below SUBFOLDER] [--tools FOLDER]… [--each 10] [--seed 1] ' +
      '[--as] [--built FOLDER [--base /]] [--warnings FILE]\n--as: only what is reported of the site as it ' +
      'is\n--built: the site as it was built, whose broken links are the right answer\n--warnings: what ' +
      'sphinx-build -w wrote, of a site of Sphinx\n',
  );
  process.exit(2);
}

if (values.built !== undefined) {
  const { site: found, problems } = runCheck(path.join(site, values.below), ['--notices']);
  process.stdout.write(`${found.kind}\n\n${compareBuilt(problems, values.built, values.base)}`);
  process.exit(0);
}

if (values.warnings !== undefined) {
  const folder = path.join(site, values.below);
  const { site: found, problems } = runCheck(folder, ['--notices']);
  process.stdout.write(`${found.kind}\n\n${compareSphinx(problems, folder, values.warnings)}`);
  process.exit(0);
}

const copy = new SiteCopy(site, values.below);
try {
  compare();
} finally {
  copy.remove();
}

function compare(): void {
  const kind = runCheck(copy.folder).site.kind;
  const checkers = [docent(), ...otherCheckers(values.tools)].filter(({ sites }) => !sites || sites.includes(kind));
  process.stdout.write(
    `${kind}\n\n| | ${checkers.map(({ name }) => name).join(' | ')} |\n|---|${'---|'.repeat(checkers.length)}\n`,
  );
  const known = new Map<Checker, ReadonlySet<string>>();
  const cells = checkers.map((checker) => {
    const started = performance.now();
    const findings = checker.run(copy);
    known.set(checker, new Set(findings.map(keyOf)));
    return `${findings.length} in ${((performance.now() - started) / 1000).toFixed(1)} s`;
  });
  row('Reports of the site as it is', cells);
  if (values.as) return;
  for (const fault of FAULT_KINDS) {
    if (fault.sites && !fault.sites.includes(kind)) continue;
    copy.planted(fault, Number(values.each), Number(values.seed), (planted) => {
      if (planted.size === 0) return;
      const found = checkers.map((checker) => {
        const fresh = checker.run(copy).filter((finding) => !known.get(checker)!.has(keyOf(finding)));
        const pages = new Set(fresh.map(({ page }) => path.join(copy.root, page)));
        return `${[...planted.keys()].filter((file) => pages.has(file)).length} of ${planted.size}`;
      });
      row(fault.name, found);
    });
  }
}

function row(name: string, cells: readonly string[]): void {
  process.stdout.write(`| ${name} | ${cells.join(' | ')} |\n`);
}

function docent(): Checker {
  return {
    name: 'docent check',
    run: () =>
      runCheck(copy.folder).problems.flatMap(({ path: page, code, severity, message, target }): Finding[] =>
        severity === 'notice' ? [] : [{ page, what: `${code} ${target ?? message}` }],
      ),
  };
}

function keyOf({ page, what }: Finding): string {
  return `${page}\n${what}`;
}
