import { AppError } from '../platform/errors.ts';
import type { Queryable } from '../store/database.ts';
import type { JobOptions } from '../store/job-options.ts';
import { readMigrations } from '../store/migration-files.ts';
import { olderProcesses, type LivingProcess } from '../store/processes.ts';

/** The last migration, by its name without the number, of the first build that obeys all options of jobs. */
const OPTIONS_CAME_WITH = 'find_what_waits';
/** That of the first build whose models take a prompt's context for material. */
const CONTEXT_CAME_WITH = 'automations';
const RETRY_AFTER_SECONDS = 30;

let optionsLevel: number | undefined;

/** @throws Error where this build has no such migration */
function levelOfMigration(name: string): number {
  const found = readMigrations().find((migration) => migration.name.replace(/^\d+_/, '') === name);
  if (!found) throw new Error(`This build has no migration ${name}.`);
  return found.level;
}

/**
 * Refuses a job with options while a process of an older build works on the database: it would carry out the job as if nothing had been
 * said. A job without any is always taken.
 * @throws AppError `unavailable` (503) that names the first option
 */
export async function refuseWhileOlder(q: Queryable, options: JobOptions): Promise<void> {
  const [first] = Object.keys(options);
  if (first === undefined) return;
  const older = await findOlderProcess(q);
  if (!older) return;
  throw new AppError(
    'unavailable',
    `\`${first}\`: a process of an older version (${older.name}, ${older.version}) still works here, and would carry out the job without it. Repeat the request when the upgrade is done, or leave the field out.`,
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
  );
}

/**
 * Refuses a prompt with a context while a process of an older build works on the database: it would take both for what was asked.
 * @throws AppError `unavailable` (503)
 */
export async function refuseContextWhileOlder(q: Queryable): Promise<void> {
  const [older] = await olderProcesses(q, levelOfMigration(CONTEXT_CAME_WITH));
  if (!older) return;
  throw new AppError(
    'unavailable',
    `\`context\`: a process of an older version (${older.name}, ${older.version}) still works here, and would take it for a part of the prompt. Repeat the request when the upgrade is done, or leave the context out.`,
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
  );
}

/** A living process of a build that obeys no options of jobs and publishes no previews; null where there is none. */
export async function findOlderProcess(q: Queryable): Promise<LivingProcess | null> {
  optionsLevel ??= levelOfMigration(OPTIONS_CAME_WITH);
  const [older] = await olderProcesses(q, optionsLevel);
  return older ?? null;
}
