/**
 * Records which parts of the database this release uses, for the test against removing them too early: `npm
 * run record-release`. See "Add a table or a column" in docs-internal/architecture.md.
 */
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { VERSION } from '../../src/platform/version.ts';
import { levelOf, readMigrations } from '../../src/store/installation/migration-files.ts';
import { schemaOf, type ReleasedSchema } from '../../test/support/migration-rules.ts';

const folder = path.join(import.meta.dirname, '..', '..', 'test', 'fixtures', 'releases');
const file = path.join(folder, `${VERSION}.json`);
const store = path.join(import.meta.dirname, '..', '..', 'src', 'store');
const schemas = (await readdir(store, { recursive: true }))
  .filter((name) => name.endsWith('schema.ts'))
  .toSorted()
  .map((name) => import(path.join(store, name)) as Promise<Record<string, unknown>>);
const release: ReleasedSchema = {
  version: VERSION,
  level: levelOf(readMigrations()),
  tables: schemaOf(await Promise.all(schemas)),
};
await mkdir(folder, { recursive: true });
await writeFile(file, `${JSON.stringify(release, null, 2)}\n`);
process.stdout.write(`Wrote ${path.relative(process.cwd(), file)}.\n`);
