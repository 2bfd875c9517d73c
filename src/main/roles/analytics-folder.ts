import { openFolder, type AnalyticsFolder } from '../../analytics/storage/analytics-folder.ts';
import { FolderRefused } from '../../analytics/storage/folder-identity.ts';
import type { Database } from '../../store/database.ts';
import { analyticsFolderOf } from './required-services.ts';
import type { RoleContext } from './role.ts';
import { StartRefused } from './start-refused.ts';

/**
 * The analytics folder of a role, held against the database.
 * @throws StartRefused where it is not the folder of this installation
 */
export async function openAnalyticsFolder(
  { config, log, stopping }: Pick<RoleContext, 'config' | 'log' | 'stopping'>,
  database: Database,
  name: string,
): Promise<AnalyticsFolder> {
  try {
    return await openFolder(database, analyticsFolderOf(config), { log, name, signal: stopping });
  } catch (err) {
    throw err instanceof FolderRefused ? new StartRefused(err.message, { cause: err }) : err;
  }
}
