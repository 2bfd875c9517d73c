/**
 * Notes what the release that is being made uses of the database, for the test that refuses to take it away too early:
 * `npm run record-release`. See "A table or a column" in CONTRIBUTING.md.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { VERSION } from '../src/platform/version.ts';
import * as accessSchema from '../src/store/access-schema.ts';
import * as analyticsSchema from '../src/store/analytics-schema.ts';
import * as attachmentsSchema from '../src/store/attachments-schema.ts';
import * as automationSchema from '../src/store/automation-schema.ts';
import * as changesSchema from '../src/store/changes-schema.ts';
import { levelOf, readMigrations } from '../src/store/migration-files.ts';
import * as liveSchema from '../src/store/live-schema.ts';
import * as readerWordsSchema from '../src/store/reader-words-schema.ts';
import * as schema from '../src/store/schema.ts';
import * as webhookSchema from '../src/store/webhook-schema.ts';
import { schemaOf, type ReleasedSchema } from '../test/support/migration-rules.ts';

const folder = path.join(import.meta.dirname, '..', 'test', 'fixtures', 'releases');
const file = path.join(folder, `${VERSION}.json`);
const release: ReleasedSchema = {
  version: VERSION,
  level: levelOf(readMigrations()),
  tables: schemaOf([
    schema,
    accessSchema,
    analyticsSchema,
    attachmentsSchema,
    automationSchema,
    changesSchema,
    liveSchema,
    readerWordsSchema,
    webhookSchema,
  ]),
};
await mkdir(folder, { recursive: true });
await writeFile(file, `${JSON.stringify(release, null, 2)}\n`);
process.stdout.write(`Wrote ${path.relative(process.cwd(), file)}.\n`);
