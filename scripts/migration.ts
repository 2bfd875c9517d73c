/**
 * Writes a migration from the changes of the `…schema.ts` files of `src/store` since the newest one: `npm run
 * migration -- what_it_does`. See "Add a table or a column" in docs-internal/architecture.md.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

/**
 * Not among the packages: it brings 80 others, and is needed for this alone. It looks for drizzle-orm beside
 * itself.
 */
const PACKAGES = ['drizzle-kit@0.31.10', 'drizzle-orm@0.45.4'];

const [name] = process.argv.slice(2);
if (name === undefined || !/^[a-z0-9]+(_[a-z0-9]+)*$/.test(name)) {
  process.stderr.write('Usage: npm run migration -- what_it_does\n');
  process.exit(2);
}

const root = path.join(import.meta.dirname, '..');
const tool = path.join(homedir(), '.cache', 'docent', PACKAGES.join('+'));
mkdirSync(tool, { recursive: true });
run('npm', ['install', '--prefix', tool, '--no-audit', '--no-fund', '--no-save', ...PACKAGES]);
run(path.join(tool, 'node_modules', '.bin', 'drizzle-kit'), [
  'generate',
  '--dialect=postgresql',
  '--schema=./src/store/**/*schema.ts',
  '--out=src/store/migrations',
  `--name=${name}`,
]);

inOrder(path.join(root, 'src/store/migrations/meta/_journal.json'));

/**
 * Migrations are applied in the order of these times, so a new one must be later than one from a faster
 * clock.
 */
function inOrder(file: string): void {
  const journal = JSON.parse(readFileSync(file, 'utf8')) as { entries: { when: number }[] };
  journal.entries.forEach((entry, i) => {
    entry.when = Math.max(entry.when, (journal.entries[i - 1]?.when ?? 0) + 1_000);
  });
  writeFileSync(file, JSON.stringify(journal, null, 2));
}

function run(program: string, args: readonly string[]): void {
  const { status, error } = spawnSync(program, args, { cwd: root, stdio: 'inherit' });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}
