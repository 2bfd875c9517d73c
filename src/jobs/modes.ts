import { PROJECT_SETTINGS } from '../config/project-settings.ts';
import { AppError } from '../platform/errors.ts';
import type { Queryable } from '../store/database.ts';
import type { JobMode } from '../store/job-options.ts';
import { olderProcesses } from '../store/processes.ts';
import { findProject } from '../store/projects.ts';
import { levelOfMigration } from './older-processes.ts';

/** As in older-processes.ts: of the first build that knows modes. */
const MODES_CAME_WITH = 'jobs_hold_changes_back';

let level: number | undefined;

/**
 * Whether a job of this mode can be carried out as it says.
 * @throws AppError `push_not_allowed` (403); `unavailable` (503) while a build that knows no modes works on the same database: it would
 * publish what is to be held back
 */
export async function mustBePossible(q: Queryable, mode: JobMode | undefined, projectId: string): Promise<void> {
  if (mode === undefined || mode === 'pull-request') return;
  if (mode === 'push') {
    const project = await findProject(q, projectId);
    // Without a project, whoever accepts the job says so.
    if (project && !(project.settings.allowPush ?? PROJECT_SETTINGS.allowPush.fallback)) {
      throw new AppError(
        'push_not_allowed',
        `Jobs of this project may not push to its base branch. Allow it with: docent project update ${projectId} --allow-push`,
      );
    }
  }
  await mustBeAlone(q, `Jobs of the mode "${mode}" are accepted`);
}

/** @throws AppError `unavailable` while a process of a build without modes works on the same database */
export async function mustBeAlone(q: Queryable, what: string): Promise<void> {
  level ??= levelOfMigration(MODES_CAME_WITH);
  const [older] = await olderProcesses(q, level);
  if (!older) return;
  throw new AppError(
    'unavailable',
    `${what} once no process of an older version works on the database: ${older.name} ${older.version} on ${older.host} still does.`,
    { retryAfterSeconds: 30 },
  );
}
