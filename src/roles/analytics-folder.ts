import { openFolder, type AnalyticsFolder } from '../analytics/storage/analytics-folder.ts';
import type { Moved } from '../analytics/storage/bucket/move-to-bucket.ts';
import { moveFolder, openBucketFolder, type BucketSettings } from '../analytics/storage/open-bucket.ts';
import type { Config } from '../config/config.ts';
import type { Logger } from '../platform/log.ts';
import type { Database } from '../store/database.ts';
import { analyticsFolderOf } from './required-services.ts';
import type { RoleContext } from './role.ts';
import { Refused } from '@docent/base/refused';

/** How long processes that are about to end are waited for. */
const CLOSING_MS = 40_000;
const TELL_MS = 10_000;

/** A role's analytics folder, compared with the database. @throws Refused for another installation's */
export async function openAnalyticsFolder(
  { config, log, stopping }: Pick<RoleContext, 'config' | 'log' | 'stopping'>,
  database: Database,
  name: string,
): Promise<AnalyticsFolder> {
  const bucket = bucketSettingsOf(config);
  if (!bucket) return openFolder(database, analyticsFolderOf(config), { log, name, signal: stopping });
  await moveIfNeeded(database, analyticsFolderOf(config), bucket, log);
  return openBucketFolder(database, analyticsFolderOf(config), bucket, { log });
}

/**
 * After the setting changed, the first role moves the files.
 * @throws Refused if others have the folder open
 */
async function moveIfNeeded(database: Database, root: string, settings: BucketSettings, log: Logger): Promise<void> {
  let toldAt = -Infinity;
  const progress = (stored: number, all: number) => {
    if (performance.now() - toldAt < TELL_MS) return;
    toldAt = performance.now();
    log.info({ stored, all }, `moving page-view files to ${settings.place.url}`);
  };
  const moved = await moveFolder(database, root, settings, { waitMs: CLOSING_MS, progress });
  if (!moved) return;
  if (!moved.isMoved) throw new Refused(stillOpen(moved.open, settings.place.url));
  log.info({ files: moved.files }, `page views are now stored in ${settings.place.url}`);
}

/** Why page views stay in their folder for now. */
export function stillOpen(open: Moved['open'], url: string): string {
  return (
    `The page-view files are in ${url}, but these processes still write to the folder: ${open.join('; ')}. ` +
    `Stop them. Then start all processes with DOCENT_ANALYTICS_STORAGE=${url} and the same ` +
    'DOCENT_ANALYTICS_DIR. The first one moves the rest.'
  );
}

/** The bucket of page views, if one is configured. */
export function bucketSettingsOf(
  config: Pick<Config, 'analyticsStorage' | 'analyticsCacheGb' | 's3Endpoint' | 's3Region'>,
): BucketSettings | null {
  const { analyticsStorage: place, analyticsCacheGb, s3Endpoint: endpoint, s3Region: region } = config;
  return place ? { place, endpoint, region, maxBytes: analyticsCacheGb * 1_000_000_000 } : null;
}
