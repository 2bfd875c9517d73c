import { execFileSync } from 'node:child_process';
import { mkdtempSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { laterMigrations } from './migrations-folder.ts';
import { CLI, ROOT } from './processes.ts';

/** A version of Docent that can be run. */
export interface Build {
  name: string;
  cli: string;
  env: Record<string, string>;
}

/** That of a checkout, from its sources. */
export const cliIn = (folder: string) => path.join(folder, 'src', 'cli', 'main.ts');

export const THIS_BUILD: Build = { name: 'this build', cli: CLI, env: {} };

/** Hot tables get columns, a table and indexes; a release later, unused ones are removed. */
const NEXT = {
  '0901_next': `-- docent: expand
ALTER TABLE "jobs" ADD COLUMN "next_note" text DEFAULT 'none' NOT NULL;
--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "next_note" text;
--> statement-breakpoint
ALTER TABLE "analytics_projects" ADD COLUMN "next_number" integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE "analytics_files" ADD COLUMN "next_number" bigint;
--> statement-breakpoint
CREATE TABLE "next_things" ("id" text PRIMARY KEY NOT NULL, "project_id" text NOT NULL);
--> statement-breakpoint
ALTER TABLE "next_things" ADD CONSTRAINT "next_things_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id");`,
  '0902_next_indexes': `-- docent: expand, no-transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "jobs_next" ON "jobs" ("next_note");
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "messages_next" ON "messages" ("next_note");`,
  '0903_next_take': `-- docent: contract after 902
ALTER TABLE "jobs" DROP COLUMN "next_note";
--> statement-breakpoint
ALTER TABLE "messages" DROP COLUMN "next_note";
--> statement-breakpoint
ALTER TABLE "analytics_projects" DROP COLUMN "next_number";
--> statement-breakpoint
DROP TABLE "next_things";`,
};

/** This build as a later one, whose schema has moved on. */
export function nextBuild(): Build {
  return { name: 'a later schema', cli: THIS_BUILD.cli, env: { DOCENT_TEST_MIGRATIONS: laterMigrations(NEXT) } };
}

/** A build of git's history, with the packages of this one; null if the history does not have it. */
export function buildOf(ref: string): Build | null {
  try {
    execFileSync('git', ['-C', ROOT, 'rev-parse', '--verify', '--quiet', `${ref}^{commit}`], { stdio: 'pipe' });
  } catch {
    return null;
  }
  const folder = mkdtempSync(path.join(tmpdir(), 'docent-build-'));
  const archive = execFileSync('git', ['-C', ROOT, 'archive', ref], { maxBuffer: 512 * 1024 * 1024 });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
  return { name: ref, cli: cliIn(folder), env: {} };
}

/** The newest tag of git's history, or null if it has none. */
export function newestTag(): string | null {
  try {
    return execFileSync('git', ['-C', ROOT, 'describe', '--tags', '--abbrev=0'], {
      encoding: 'utf8',
      stdio: 'pipe',
    }).trim();
  } catch {
    return null;
  }
}
