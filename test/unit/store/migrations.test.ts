import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  levelOf,
  parseMigration,
  readMigrations,
  type Migration,
} from '../../../src/store/installation/migration-files.ts';
import { problemsOf, takenFrom, type ReleasedSchema } from '../../support/migration-rules.ts';

const OWN = readMigrations();
const releasesFolder = path.join(import.meta.dirname, '..', '..', 'fixtures', 'releases');
const RELEASES = readdirSync(releasesFolder)
  .filter((name) => name.endsWith('.json'))
  .map((name) => JSON.parse(readFileSync(path.join(releasesFolder, name), 'utf8')) as ReleasedSchema);

const migration = (text: string, level = 20): Migration =>
  parseMigration({ idx: level, when: level, tag: `00${level}_x` }, text);

describe('the migrations of this version', () => {
  test('have levels and times that grow, and names that begin with their level', () => {
    for (const [i, { level, when, name }] of OWN.entries()) {
      expect(name).toMatch(new RegExp(`^${String(level).padStart(4, '0')}_[a-z0-9_]+$`));
      expect(level).toBeGreaterThan(OWN[i - 1]?.level ?? -1);
      expect(when).toBeGreaterThan(OWN[i - 1]?.when ?? 0);
    }
    expect(levelOf(OWN)).toBe(OWN.at(-1)?.level);
  });

  test('have what schema files cannot say: attachments are read in parts, and passing texts cost no log', () => {
    const statements = OWN.flatMap((one) => one.statements).join('\n');
    expect(statements).toContain('ALTER TABLE "attachments" ALTER COLUMN "content" SET STORAGE EXTERNAL');
    expect(statements).toContain('CREATE UNLOGGED TABLE "live_texts"');
  });

  test.each(OWN)('$name lets older versions go on working beside it', (one) => {
    expect(problemsOf(one)).toEqual([]);
    if (one.kind === 'contract') expect(takenFrom(one, RELEASES)).toEqual([]);
  });
});

describe('the head of a migration', () => {
  test('says what it is', () => {
    expect(migration('CREATE TABLE a (n integer)')).toMatchObject({
      kind: 'expand',
      minCompatible: 0,
      inTransaction: true,
    });
    expect(migration('-- Why.\n-- docent: contract after 12, no-transaction\nDROP INDEX')).toMatchObject({
      kind: 'contract',
      minCompatible: 12,
      inTransaction: false,
    });
    expect(migration('SELECT 1;\n-- docent: no-transaction')).toMatchObject({ inTransaction: true });
    expect(migration('SELECT 1;--> statement-breakpoint\nSELECT 2').statements).toEqual(['SELECT 1;', 'SELECT 2']);
  });

  test.each(['contract', 'contract after 0.2', 'no-transactions', 'expand contract after 3'])(
    '"%s" is refused',
    (words) => {
      expect(() => migration(`-- docent: ${words}\nSELECT 1`)).toThrow(`0020_x.sql begins with "-- docent: ${words}"`);
    },
  );
});

describe('what would break older versions has to be declared a contract', () => {
  test.each([
    ['DROP TABLE "jobs"', 'drops'],
    ['ALTER TABLE "jobs" DROP COLUMN "title"', 'drops'],
    ['ALTER TABLE "jobs" ALTER COLUMN "title" DROP DEFAULT', 'drops'],
    ['DROP INDEX "jobs_x"', 'drops'],
    ['ALTER TABLE "jobs" RENAME COLUMN "title" TO "name"', 'renames'],
    ['ALTER TABLE "jobs" RENAME TO "tasks"', 'renames'],
    ['ALTER TABLE "jobs" ALTER COLUMN "summary" SET NOT NULL', 'refuses'],
    ['ALTER TABLE "jobs" ALTER COLUMN "title" SET DATA TYPE integer', 'changes a type'],
    ['ALTER TABLE jobs ALTER title TYPE integer', 'changes a type'],
    ['ALTER TABLE "jobs" ADD COLUMN "more" text NOT NULL', 'do not fill'],
    ['ALTER TABLE "jobs" ADD CONSTRAINT "c" CHECK (title <> \'\')', 'adds a constraint'],
    ['ALTER TABLE "jobs" ADD UNIQUE ("title")', 'adds a constraint'],
    [
      '-- docent: no-transaction\nCREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "u" ON "jobs" ("title")',
      'adds a constraint',
    ],
    ['DELETE FROM "jobs"', 'deletes'],
  ])('%s', (text, why) => {
    expect(problemsOf(migration(text)).join()).toContain(why);
    expect(
      problemsOf(
        migration(
          text.includes('docent:')
            ? text.replace('docent: ', 'docent: contract after 19, ')
            : `-- docent: contract after 19\n${text}`,
        ),
      ),
    ).toEqual([]);
  });

  test.each([
    'ALTER TABLE "jobs" ADD COLUMN "more" text',
    'ALTER TABLE "jobs" ADD COLUMN "more" integer DEFAULT 0 NOT NULL',
    'ALTER TABLE "jobs" ALTER COLUMN "title" DROP NOT NULL',
    'CREATE TABLE "a" ("n" text NOT NULL);\n--> statement-breakpoint\nALTER TABLE "a" ADD CONSTRAINT "f" FOREIGN KEY ("n") REFERENCES "public"."projects"("id");--> statement-breakpoint\nCREATE UNIQUE INDEX "u" ON "a" ("n");',
    '-- docent: no-transaction\nCREATE INDEX CONCURRENTLY IF NOT EXISTS "i" ON "jobs" USING btree ("title");',
    '-- It may DROP COLUMN later.\nSELECT 1',
  ])('%s is an expand', (text) => expect(problemsOf(migration(text))).toEqual([]));
});

test.each([
  ['CREATE INDEX "i" ON "jobs" USING btree ("title")', 'locks jobs while the index is built'],
  ['ALTER TABLE "jobs" ADD COLUMN "u" uuid DEFAULT gen_random_uuid()', 'writes all of jobs anew'],
  [
    '-- docent: no-transaction\nCREATE INDEX CONCURRENTLY "i" ON "jobs" ("title")',
    'must be an index CONCURRENTLY IF [NOT] EXISTS',
  ],
  ['-- docent: no-transaction\nUPDATE "jobs" SET title = title', 'must be an index CONCURRENTLY'],
])('what holds up traffic or cannot be repeated is refused: %s', (text, why) => {
  expect(problemsOf(migration(text)).join()).toContain(why);
});

describe('a contract takes nothing away from the release before it', () => {
  const releases: ReleasedSchema[] = [
    { version: '0.1.0', level: 10, tables: { jobs: ['id', 'title', 'old'], gone: ['id'] } },
    { version: '0.2.0', level: 14, tables: { jobs: ['id', 'title'] } },
  ];
  test.each([
    ['-- docent: contract after 14\nALTER TABLE "jobs" DROP COLUMN "old"', []],
    ['-- docent: contract after 14\nDROP TABLE "gone"', []],
    ['-- docent: contract after 14\nALTER TABLE "jobs" DROP COLUMN "title"', ['0.2.0 uses jobs.title']],
    ['-- docent: contract after 14\nDROP TABLE "jobs"', ['0.2.0 uses jobs']],
    ['-- docent: contract after 14\nALTER TABLE "jobs" RENAME COLUMN "title" TO "name"', ['0.2.0 uses jobs.title']],
    ['-- docent: contract after 10\nALTER TABLE "jobs" DROP COLUMN "old"', ['0.1.0 uses jobs.old']],
    [
      '-- docent: contract after 15\nALTER TABLE "jobs" DROP COLUMN "old"',
      ['0.2.0, of level 14, is the release before, and the contract is after 15'],
    ],
  ])('%s', (text, problems) => expect(takenFrom(migration(text), releases)).toEqual(problems));
});
