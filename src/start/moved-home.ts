import { realpathSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { Logger } from '../platform/log.ts';
import { openDatabase } from '../store/database.ts';
import { moveLocalRepositories } from '../store/projects/moved-repositories.ts';
import type { Home } from './home.ts';

/**
 * Updates repository paths in the rows after the home was moved or copied: those inside the home now mean
 * this folder, so that a copy never pushes to the original's. Call it on the home's own database before
 * anything works on it, with its schema up to date.
 *
 * Safe to run twice: the new location is recorded after the rows were changed, and then there is nothing left
 * to change.
 */
export async function followHome(
  home: Pick<Home, 'folder' | 'readState' | 'updateState'>,
  databaseUrl: string,
  log: Logger,
): Promise<void> {
  const here = realpathSync(home.folder);
  const { place, demoProjectMade } = home.readState();
  if (place === here) return;
  if (place !== undefined && demoProjectMade) {
    const database = openDatabase(databaseUrl, { applicationName: 'docent start', maxConnections: 2 });
    try {
      const moved = await moveLocalRepositories(database.db, {
        from: { path: place, url: pathToFileURL(place).href },
        to: { path: here, url: pathToFileURL(here).href },
      });
      log.info(`This home was moved from ${place}. Updated ${moved} project repositories to ${here}.`);
    } finally {
      await database.close();
    }
  }
  home.updateState({ place: here });
}
