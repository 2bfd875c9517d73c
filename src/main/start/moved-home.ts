import { execFile } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { Logger } from '../../platform/log.ts';
import { openDatabase, type Database } from '../../store/database.ts';
import { localRepositoryOf, moveLocalRepositories } from '../../store/moved-repositories.ts';
import { DEMO_PROJECT } from './first-run.ts';
import type { Home } from './home.ts';

const run = promisify(execFile);

/**
 * Rows name repositories by their paths. Where the home was moved, or is a copy of another one, those that lie in it are
 * the ones in this folder from now on: a copy must never push to the original's. To be called on the home's own database
 * before anything works on it, with its schema up to date.
 *
 * Safe to run twice: the place is written down after the rows were changed, and then there is nothing more to change.
 */
export async function followHome(
  home: Pick<Home, 'folder' | 'demoRepository' | 'readState' | 'updateState'>,
  databaseUrl: string,
  log: Logger,
): Promise<void> {
  const here = realpathSync(home.folder);
  const { place, demoProjectMade } = home.readState();
  if (place === here) return;
  if (demoProjectMade) {
    const database = openDatabase(databaseUrl, { applicationName: 'docent start', maxConnections: 2 });
    try {
      const before = place ?? (await earlierPlace(database, here, home.demoRepository));
      if (before !== null && before !== here) {
        const moved = await moveLocalRepositories(database.db, {
          from: { folder: before, url: pathToFileURL(before).href },
          to: { folder: here, url: pathToFileURL(here).href },
        });
        log.info(
          `This home was in ${before} before. Repositories in it that projects work on: ${moved}, now those in ${here}.`,
        );
      }
    } finally {
      await database.close();
    }
  }
  home.updateState({ place: here });
}

/**
 * Where a home was whose place nobody wrote down: where its demo repository was, if that one became the one that is here now.
 */
async function earlierPlace(database: Database, here: string, demoRepository: string): Promise<string | null> {
  const named = await localRepositoryOf(database.db, DEMO_PROJECT);
  if (named === null || path.basename(named) !== path.basename(demoRepository)) return null;
  const before = path.dirname(named);
  if (before === here || !existsSync(demoRepository)) return null;
  if (!existsSync(named)) return before;
  const [there, own] = await Promise.all([firstCommits(named), firstCommits(demoRepository)]);
  return there.some((commit) => own.includes(commit)) ? before : null;
}

async function firstCommits(repository: string): Promise<string[]> {
  const { stdout } = await run('git', ['-C', repository, 'rev-list', '--max-parents=0', '--all']);
  return stdout.trim().split('\n');
}
