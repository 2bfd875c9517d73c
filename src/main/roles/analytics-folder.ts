import { openFolder, type AnalyticsFolder } from '../../analytics/storage/analytics-folder.ts';
import { openBucketFolder, type BucketSettings } from '../../analytics/storage/open-bucket.ts';
import type { Config } from '../../config/config.ts';
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
    const bucket = bucketSettingsOf(config);
    if (bucket) return await openBucketFolder(database, analyticsFolderOf(config), bucket, { log });
    return await openFolder(database, analyticsFolderOf(config), { log, name, signal: stopping });
  } catch (err) {
    throw err instanceof FolderRefused ? new StartRefused(err.message, { cause: err }) : err;
  }
}

/** Where the files of page views lie, where that is a bucket. */
export function bucketSettingsOf(
  config: Pick<Config, 'analyticsStorage' | 'analyticsCacheGb' | 's3Endpoint' | 's3Region'>,
): BucketSettings | null {
  const { analyticsStorage: place, analyticsCacheGb, s3Endpoint: endpoint, s3Region: region } = config;
  return place ? { place, endpoint, region, maxBytes: analyticsCacheGb * 1_000_000_000 } : null;
}
